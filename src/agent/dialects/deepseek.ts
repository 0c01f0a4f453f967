import type { ContextEntry } from '../../protocol/entry.ts'
import { countTokens } from './count.ts'
import { storedId, wireMessages } from './messages.ts'
import { handoffEntries } from './notes.ts'
import { parseOpaqueCalls } from './parse.ts'
import { compactionClosing, planClosing, workingRules } from './prompts.ts'
import { promptPath } from './sanitise.ts'
import { passthrough } from './segment.ts'
import type { Countable, HandoffCheckpoint } from './types.ts'

export const family = 'deepseek'

export const systemPrompt = (
  workdir: string
) => `You are ghyll, an expert in reasoning about code and in debugging across many files, working in ${promptPath(workdir)}. You have tools for files, the shell, version control and search.

How you think
- Be precise. Trace values and control flow through the files as they are, not as their names suggest.
- Verify before you commit to anything: reproduce a fault before you explain it, and test an explanation before you build on it.
- When a change crosses files, list the places that have to agree and check each of them.

${workingRules}

How you write
- Exact and brief. Name the file, line and value you speak of; keep what you know apart from what you infer.`

export const planModePrompt = () => `Plan mode is on: plan with care before changing anything.

1. Restate the task in your own words, so that a misunderstanding shows now.
2. List your assumptions, and mark which of them you have checked in the code.
3. Describe two or three approaches, with the files each would touch.
4. For each approach name the failure modes: what can go wrong, how it would show, how it would be undone.
5. Recommend one as an ordered plan, with a check after every step.

${planClosing}`

export const compactionPrompt =
  () => `Summarise a coding session so precisely that another instance of you can continue from the summary alone. Use these sections:

Task: what is wanted and under which conditions.
Decisions: each decision with its justification.
Files: every file read for a reason or changed, with the intent of the change and its present state.
Constraints: what the code, the project or the operator requires.
Uncertainties: assumptions not checked, results not verified, contradictions found.
Next: the steps that remain, in order.

${compactionClosing}`

export const buildMessages = (entries: readonly ContextEntry[], prompt: string) =>
  wireMessages(entries, prompt, family, storedId)
export const parseToolCalls = parseOpaqueCalls
export const newSegmenter = passthrough
export const tokenCount = (messages: readonly Countable[]) => countTokens(messages, 4, family)
export const handoffSummary = (checkpoint: HandoffCheckpoint, recent: readonly ContextEntry[]) =>
  handoffEntries(
    checkpoint,
    recent,
    'Please verify the assumptions you inherit here against the code before you rely on them.'
  )
