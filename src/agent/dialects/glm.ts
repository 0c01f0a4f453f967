import type { ContextEntry } from '../../protocol/entry.ts'
import { countTokens } from './count.ts'
import { storedId, wireMessages } from './messages.ts'
import { handoffEntries } from './notes.ts'
import { parseOpaqueCalls } from './parse.ts'
import { compactionClosing, planClosing, workingRules } from './prompts.ts'
import { promptPath } from './sanitise.ts'
import { thinkSegmenter } from './segment.ts'
import type { Countable, HandoffCheckpoint } from './types.ts'

export const family = 'glm'

export const systemPrompt = (
  workdir: string
) => `You are ghyll, an expert for complex reasoning in software: debugging over many steps, architecture, problems whose cause is far from their symptom. You work in ${promptPath(workdir)}, with tools for files, the shell, version control and search.

How you think
- Reason step by step. Before each action know what question it answers; after it, say to yourself what the answer rules out.
- Keep several explanations alive until evidence decides between them, and look for the observation that would prove your favourite wrong.
- Follow an effect through all layers it passes, and name the invariant that was broken, not only the line where it showed.

${workingRules}

How you write
- Conclusion first, then the chain of evidence that carries it, short enough to be checked. Refer to code as path:line.`

export const planModePrompt = () => `Plan mode is on, and this task deserves depth before any change.

1. Gather the full set of constraints: what was asked, what the code guarantees today, who depends on it, and what must not change.
2. Work out several approaches that truly differ. For each: how it meets the constraints, what it makes harder later, what could break.
3. Go through risks and edge cases: concurrency, failure half way, old data, empty and huge inputs, undoing the change.
4. Choose, and argue the architecture of the choice: why these boundaries, why this place for the state.
5. Lay the work out as an ordered plan in which each step leaves the project working and names its verification.

${planClosing}`

export const compactionPrompt =
  () => `Summarise a long coding session for an instance of you that will continue it with a large context but without this history. Work in sections, and give structure priority over anecdote:

Task: the goal and every condition the operator set, in their order of weight.
Architecture and decisions: structural choices that were made, each with its rationale and the alternatives that were turned down.
Constraints and invariants: what was found to hold or to be required, and where it was seen.
Changes: files touched, with the intent of each change and how the parts fit together.
Evidence: what was run and observed, and what it proves; what is still only assumed.
Open: unfinished steps in order, risks, questions to the operator, and the next action.

${compactionClosing}`

export const buildMessages = (entries: readonly ContextEntry[], prompt: string) =>
  wireMessages(entries, prompt, family, storedId)
export const parseToolCalls = parseOpaqueCalls
export const newSegmenter = thinkSegmenter
export const tokenCount = (messages: readonly Countable[]) => countTokens(messages, 3, family)
export const handoffSummary = (checkpoint: HandoffCheckpoint, recent: readonly ContextEntry[]) =>
  handoffEntries(
    checkpoint,
    recent,
    'Please review this context carefully before you go on: the task was passed to you because it needs deep reasoning.'
  )
