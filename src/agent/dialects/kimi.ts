import type { ContextEntry } from '../../protocol/entry.ts'
import { countTokens } from './count.ts'
import { type WireId, wireMessages } from './messages.ts'
import { handoffEntries } from './notes.ts'
import { numberedId, parseNumberedCalls } from './parse.ts'
import { direct } from './prompts.ts'
import { promptPath } from './sanitise.ts'
import { toolSectionSegmenter } from './segment.ts'
import type { Countable, HandoffCheckpoint } from './types.ts'

export const family = 'kimi'

export const systemPrompt = (workdir: string) => direct.system(promptPath(workdir))
export const planModePrompt = () => direct.plan
export const compactionPrompt = () => direct.compaction

export const buildMessages = (entries: readonly ContextEntry[], prompt: string) =>
  wireMessages(entries, prompt, family, wireId)
export const parseToolCalls = (rawJson: string) => parseNumberedCalls(rawJson)
export const newSegmenter = toolSectionSegmenter
export const tokenCount = (messages: readonly Countable[]) => countTokens(messages, 3, family)
export const handoffSummary = (checkpoint: HandoffCheckpoint, recent: readonly ContextEntry[]) =>
  handoffEntries(checkpoint, recent, null)

/** The strict backend takes numbered ids only, so calls of another family get one for the wire (MODEL-029). */
const wireId: WireId = (call, message, position) => {
  if (message.family === family && numberedId.test(call.id)) return call.id
  const name = call.name.replace(/[^A-Za-z0-9_-]/g, '_').replace(/^(?![A-Za-z_])/, '_')
  return `functions.${name}:${position}`
}
