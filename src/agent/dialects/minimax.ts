import type { ContextEntry } from '../../protocol/entry.ts'
import { countTokens } from './count.ts'
import { storedId, wireMessages } from './messages.ts'
import { handoffEntries } from './notes.ts'
import { parseOpaqueCalls } from './parse.ts'
import { direct } from './prompts.ts'
import { promptPath } from './sanitise.ts'
import { passthrough } from './segment.ts'
import type { Countable, HandoffCheckpoint } from './types.ts'

export const family = 'minimax'

export const systemPrompt = (workdir: string) => direct.system(promptPath(workdir))
export const planModePrompt = () => direct.plan
export const compactionPrompt = () => direct.compaction

export const buildMessages = (entries: readonly ContextEntry[], prompt: string) =>
  wireMessages(entries, prompt, family, storedId)
export const parseToolCalls = parseOpaqueCalls
export const newSegmenter = passthrough
export const tokenCount = (messages: readonly Countable[]) => countTokens(messages, 4, family)
export const handoffSummary = (checkpoint: HandoffCheckpoint, recent: readonly ContextEntry[]) =>
  handoffEntries(checkpoint, recent, null)
