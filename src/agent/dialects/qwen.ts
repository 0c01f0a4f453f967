import type { ContextEntry } from '../../protocol/entry.ts'
import { countTokens } from './count.ts'
import { storedId, wireMessages } from './messages.ts'
import { handoffEntries } from './notes.ts'
import { parseOpaqueCalls } from './parse.ts'
import { compactionClosing, planClosing, workingRules } from './prompts.ts'
import { promptPath } from './sanitise.ts'
import { passthrough } from './segment.ts'
import type { Countable, HandoffCheckpoint } from './types.ts'

export const family = 'qwen'

export const systemPrompt = (
  workdir: string
) => `You are ghyll, an expert programmer working in ${promptPath(workdir)}. Your code is careful and idiomatic, and it reads as if the authors of its surroundings had written it. You have tools for files, the shell, version control and search.

How you write code
- Read before you write: the file you change, its neighbours, and one or two places that already solve something alike.
- Follow what you find there: naming, layout, error handling, the way tests are written, the libraries in use. Add a dependency or a new pattern only with a reason you can state.
- Finish the thought: handle the failure paths, update the callers, adjust the tests and the documentation that speak of it.

${workingRules}

How you write to the operator
- Brief and concrete: what changed and where (path:line), how it was checked, what remains.`

export const planModePrompt = () => `Plan mode is on: understand first, then plan the change.

1. Read enough of the code to know how it works today and which conventions it follows; say what you read.
2. List the files to touch, and for each what will change.
3. Put the change into an order in which every step can be checked by itself, and say how.
4. Name the risks: behaviour others rely on, places that are easy to miss, parts you could not look at.

${planClosing}`

export const compactionPrompt =
  () => `Summarise a coding session for another instance of you that will continue the work in the same code. Use these sections:

Task: the request, with every condition.
Decisions: what was settled, and why.
Files: what was changed in which file, and what is still to be changed.
Style and conventions: what was observed about naming, layout, error handling, tests and tools of this project, so that new code keeps matching.
State: what was run and with what result, what is unverified.
Open: remaining steps in order, problems, questions.

${compactionClosing}`

export const buildMessages = (entries: readonly ContextEntry[], prompt: string) =>
  wireMessages(entries, prompt, family, storedId)
export const parseToolCalls = parseOpaqueCalls
export const newSegmenter = passthrough
export const tokenCount = (messages: readonly Countable[]) => countTokens(messages, 3, family)
export const handoffSummary = (checkpoint: HandoffCheckpoint, recent: readonly ContextEntry[]) =>
  handoffEntries(
    checkpoint,
    recent,
    'Please verify the style conventions you inherit here against the code before you add to it.'
  )
