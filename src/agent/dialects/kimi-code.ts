import type { ContextEntry } from '../../protocol/entry.ts'
import { countTokens } from './count.ts'
import { storedId, wireMessages } from './messages.ts'
import { handoffEntries } from './notes.ts'
import { parseOpaqueCalls } from './parse.ts'
import { direct } from './prompts.ts'
import { promptPath } from './sanitise.ts'
import { toolSectionSegmenter } from './segment.ts'
import type { Countable, HandoffCheckpoint } from './types.ts'

// Hosted kimi: the prompts and the native grammar of kimi, but ids that mean nothing (MODEL-003).
export const family = 'kimi-code'

export const systemPrompt = (workdir: string) => direct.system(promptPath(workdir))
export const planModePrompt = () => direct.plan
export const compactionPrompt = () => direct.compaction

export const buildMessages = (entries: readonly ContextEntry[], prompt: string) =>
  wireMessages(entries, prompt, family, storedId)
export const parseToolCalls = parseOpaqueCalls
export const newSegmenter = toolSectionSegmenter
export const tokenCount = (messages: readonly Countable[]) => countTokens(messages, 3, family)
export const handoffSummary = (checkpoint: HandoffCheckpoint, recent: readonly ContextEntry[]) =>
  handoffEntries(checkpoint, recent, null)
