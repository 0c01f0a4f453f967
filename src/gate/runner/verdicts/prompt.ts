import { payloadOf, residueCap, unitOf, unitProblem } from '../attestation/unit.ts'
import { answerOfPrompt } from '../attestation/words.ts'
import { readOpIdAnswer } from '../op-id.ts'
import type { QueueItem } from './queue.ts'

/**
 * The questions of verdict, escalation and risk acceptance as one pure state machine over typed lines (OPUI-420…432, OPUI-540,
 * OPUI-800). Nothing is recorded here: what comes out is what the operator said, once it is complete. A complete typed line is deliberate
 * enough: no confirmation follows (OPUI-424). Wrong input never ends a prompt (OPUI-406), and the end of input never says anything.
 */

export type Choice = 'pass' | 'fail' | 'insufficient-basis' | 'accept-risk' | 'route-upstream' | 'accept' | 'reject'

export type PromptState = {
  readonly item: QueueItem
  readonly step: 'op-id' | 'choice' | 'text'
  /** Empty while none is set: then it is asked for first (OPUI-407). */
  readonly opId: string
  readonly choice: Choice | null
  readonly error: string | null
  readonly residueMaxBytes: number
}

export type PromptInput =
  /** A whole line, entered on purpose. */
  | { readonly kind: 'line'; readonly text: string }
  /** Ctrl+C, `/exit`, a signal, or the end of input. */
  | { readonly kind: 'cancel' }
  /** Recording failed: the question stays at what was answered last (OPUI-405). */
  | { readonly kind: 'failed'; readonly text: string }

export type PromptEffect =
  | { readonly kind: 'op-id'; readonly opId: string }
  | { readonly kind: 'answer'; readonly choice: Choice; readonly text: string; readonly opId: string }
  | { readonly kind: 'skip' }
  | { readonly kind: 'cancel' }

export type PromptStep = { readonly state: PromptState; readonly effect: PromptEffect | null }

export type OpenPrompt = Pick<PromptState, 'item' | 'opId'> & { readonly residueMaxBytes?: number | undefined }

/** The first step of a question: the op-id where none is set, else the choice (OPUI-407). */
export function openPrompt({ item, opId, residueMaxBytes }: OpenPrompt): PromptState {
  const step = opId === '' ? 'op-id' : 'choice'
  return { item, step, opId, choice: null, error: null, residueMaxBytes: residueCap(residueMaxBytes) }
}

/** The question after what was entered, and what that means; wrong input leaves it open (OPUI-406). */
export function answerPrompt(state: PromptState, input: PromptInput): PromptStep {
  switch (input.kind) {
    case 'cancel':
      return { state, effect: { kind: 'cancel' } }
    case 'failed': {
      const step = state.choice === null || !needsText(state.choice) ? 'choice' : 'text'
      return stay({ ...state, step, error: input.text })
    }
    case 'line':
      return onLine(state, input.text)
  }
}

/** Whether this choice is followed by a text (OPUI-423, OPUI-432, OPUI-540). */
function needsText(choice: Choice): boolean {
  return choice !== 'pass' && choice !== 'reject'
}

function onLine(state: PromptState, typed: string): PromptStep {
  switch (state.step) {
    case 'op-id':
      return acceptOpId(state, typed)
    case 'choice':
      // An empty line is not an answer (OPUI-422).
      return typed.trim() === '' ? stay({ ...state, error: null }) : choose(state, typed)
    case 'text':
      return submit(state, typed)
  }
}

function acceptOpId(state: PromptState, typed: string): PromptStep {
  const checked = readOpIdAnswer(typed)
  if ('refused' in checked) return stay({ ...state, error: `invalid op-id: ${checked.refused.text}` })
  const { opId } = checked
  return { state: { ...state, opId, step: 'choice', error: null }, effect: { kind: 'op-id', opId } }
}

function choose(state: PromptState, typed: string): PromptStep {
  const word = wordOf(state, typed)
  if (word === null) return stay({ ...state, error: unknownText(state, typed) })
  if (word === 'skip') return { state, effect: { kind: 'skip' } }
  const chosen: PromptState = { ...state, choice: word, error: null }
  return needsText(word) ? stay({ ...chosen, step: 'text' }) : answered(chosen, word, '')
}

function submit(state: PromptState, text: string): PromptStep {
  const { choice } = state
  if (choice === null) return stay(state)
  const problem = textProblem(choice, text, state.residueMaxBytes)
  return problem === null ? answered(state, choice, text) : stay({ ...state, error: problem })
}

function answered(state: PromptState, choice: Choice, text: string): PromptStep {
  return { state: { ...state, error: null }, effect: { kind: 'answer', choice, text, opId: state.opId } }
}

/** The same check the record will pass through, so that it fails here and not there. */
function textProblem(choice: Choice, text: string, residueMaxBytes: number): string | null {
  if (choice === 'accept') return text.trim() === '' ? 'rationale is empty' : null
  const unit = choice === 'fail' ? unitOf('fail') : 'write-residue-note'
  return unitProblem(unit, payloadOf(unit, text), residueMaxBytes)?.text ?? null
}

const riskWords: Readonly<Record<string, 'accept' | 'reject' | 'skip'>> = {
  accept: 'accept',
  a: 'accept',
  reject: 'reject',
  r: 'reject',
  skip: 'skip',
  s: 'skip'
}
const escalationWords: Readonly<Record<string, Choice>> = { '1': 'accept-risk', '2': 'route-upstream' }

function wordOf({ item }: PromptState, typed: string): Choice | 'skip' | null {
  if (item.type === 'verdict') return answerOfPrompt(typed)
  const words: Readonly<Record<string, Choice | 'skip'>> = item.type === 'risk' ? riskWords : escalationWords
  const word = typed.trim().toLowerCase()
  return Object.hasOwn(words, word) ? (words[word] ?? null) : null
}

function unknownText({ item }: PromptState, typed: string): string {
  if (item.type === 'escalation') return 'choose 1 or 2'
  const words = item.type === 'risk' ? 'accept, reject, skip' : 'pass, fail, insufficient-basis, skip'
  const what = item.type === 'risk' ? 'answer' : 'verdict'
  return `${what} "${typed.trim()}" not in {${words}}`
}

function stay(state: PromptState): PromptStep {
  return { state, effect: null }
}
