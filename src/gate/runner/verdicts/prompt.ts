import { payloadOf, residueCap, unitOf, unitProblem } from '../attestation/unit.ts'
import { answerOfPrompt } from '../attestation/words.ts'
import type { OpIdResult } from '../op-id.ts'
import { readOpIdAnswer } from '../op-id.ts'
import type { QueueItem } from './queue.ts'

/**
 * The questions of verdict, escalation and risk acceptance as one pure state machine (OPUI-420…434, OPUI-540). The overlay feeds
 * it single keys, the line mode whole lines. Nothing is recorded here: what comes out is what the operator said, once it is complete.
 * Wrong input never ends a prompt (OPUI-406), and Enter, Space, paste or the end of input never say anything (TERM-52).
 */

export type Choice = 'pass' | 'fail' | 'insufficient-basis' | 'accept-risk' | 'route-upstream' | 'accept' | 'reject'

export type PromptState = {
  readonly item: QueueItem
  readonly surface: 'overlay' | 'line'
  readonly step: 'op-id' | 'choice' | 'text' | 'confirm'
  /** Empty while none is set: then it is asked for first (OPUI-407). */
  readonly opId: string
  readonly choice: Choice | null
  /** Texts by choice; they survive going back and the next presentation (OPUI-742). */
  readonly drafts: Readonly<Partial<Record<Choice, string>>>
  readonly error: string | null
  readonly residueMaxBytes: number
}

export type PromptInput =
  /** A whole line, entered on purpose (line mode). */
  | { readonly kind: 'line'; readonly text: string }
  /** One printable key; only the choices and the confirmation hear it. */
  | { readonly kind: 'key'; readonly key: string }
  /** The field's text as it is now. */
  | { readonly kind: 'edit'; readonly text: string }
  /** Enter in the field. */
  | { readonly kind: 'enter' }
  | { readonly kind: 'escape' }
  /** Ctrl+C, `/exit`, a signal, or the end of input. */
  | { readonly kind: 'cancel' }
  /** Recording failed: the answer stays in the form (OPUI-405). */
  | { readonly kind: 'failed'; readonly text: string }

export type PromptEffect =
  | { readonly kind: 'op-id'; readonly opId: string }
  | { readonly kind: 'answer'; readonly choice: Choice; readonly text: string; readonly opId: string }
  | { readonly kind: 'skip' }
  | { readonly kind: 'cancel' }

export type PromptStep = { readonly state: PromptState; readonly effect: PromptEffect | null }

export type OpenPrompt = Pick<PromptState, 'item' | 'surface' | 'opId'> & {
  readonly drafts?: PromptState['drafts']
  readonly residueMaxBytes?: number | undefined
}

/** The first step of a question: the op-id where none is set, else the choice (OPUI-407). */
export function openPrompt({ item, surface, opId, drafts = {}, residueMaxBytes }: OpenPrompt): PromptState {
  const step = opId === '' ? 'op-id' : 'choice'
  return { item, surface, step, opId, choice: null, drafts, error: null, residueMaxBytes: residueCap(residueMaxBytes) }
}

/** The question after what was entered, and what that means; wrong input leaves it open (OPUI-406). */
export function answerPrompt(state: PromptState, input: PromptInput): PromptStep {
  switch (input.kind) {
    case 'cancel':
      return { state, effect: { kind: 'cancel' } }
    case 'failed':
      return stay({
        ...state,
        step: state.choice === null || !needsText(state.choice) ? 'choice' : 'text',
        error: input.text
      })
    case 'line':
      return state.surface === 'line' ? onLine(state, input.text) : stay(state)
    case 'key':
      return state.surface === 'overlay' ? onKey(state, input.key) : stay(state)
    case 'edit':
      return stay(withDraft(state, input.text))
    case 'enter':
      return onEnter(state)
    case 'escape':
      return onEscape(state)
  }
}

/** Whether this choice is followed by a field (OPUI-423, OPUI-432, OPUI-540). */
function needsText(choice: Choice): boolean {
  return choice !== 'pass' && choice !== 'reject'
}

function onLine(state: PromptState, typed: string): PromptStep {
  switch (state.step) {
    case 'op-id':
      return acceptOpId(state, readOpIdAnswer(typed))
    case 'choice':
      // An empty line is not an answer (OPUI-422).
      return typed.trim() === '' ? stay({ ...state, error: null }) : choose(state, wordOf(state, typed), typed)
    case 'text':
      // A complete typed line is deliberate enough: no confirmation (OPUI-424).
      return submit(withDraft(state, typed), true)
    case 'confirm':
      return stay(state)
  }
}

function onKey(state: PromptState, key: string): PromptStep {
  if (state.step === 'choice') {
    const word = keyOf(state, key)
    return word === null ? stay(state) : choose(state, word, key)
  }
  if (state.step !== 'confirm') return stay(state)
  if (key === 'y') return answer(state)
  // `n` leads back with the draft kept (OPUI-424).
  return key === 'n' ? stay({ ...state, step: 'choice', error: null }) : stay(state)
}

/** Enter leads from the field to the confirmation and says nothing by itself (OPUI-742). */
function onEnter(state: PromptState): PromptStep {
  if (state.surface !== 'overlay') return stay(state)
  if (state.step === 'op-id') return acceptOpId(state, readOpIdAnswer(state.opId))
  return state.step === 'text' ? submit(state, false) : stay(state)
}

function onEscape(state: PromptState): PromptStep {
  if (state.step === 'text' || state.step === 'confirm') return stay({ ...state, step: 'choice', error: null })
  if (state.item.type !== 'escalation') return { state, effect: { kind: 'skip' } }
  return stay({ ...state, error: 'this one has no skip: choose 1 or 2, or Ctrl+C to leave it open' })
}

function choose(state: PromptState, word: Choice | 'skip' | null, typed: string): PromptStep {
  if (word === null) return stay({ ...state, error: unknownText(state, typed) })
  if (word === 'skip') return { state, effect: { kind: 'skip' } }
  const chosen: PromptState = { ...state, choice: word, error: null }
  if (needsText(word)) return stay({ ...chosen, step: 'text' })
  return chosen.surface === 'line' ? answer(chosen) : stay({ ...chosen, step: 'confirm' })
}

function submit(state: PromptState, isDeliberate: boolean): PromptStep {
  const problem = textProblem(state)
  if (problem !== null) return stay({ ...state, error: problem })
  return isDeliberate ? answer(state) : stay({ ...state, step: 'confirm', error: null })
}

function answer(state: PromptState): PromptStep {
  const { choice, opId } = state
  if (choice === null) return stay(state)
  const text = needsText(choice) ? (state.drafts[choice] ?? '') : ''
  return { state: { ...state, error: null }, effect: { kind: 'answer', choice, text, opId } }
}

function acceptOpId(state: PromptState, checked: OpIdResult): PromptStep {
  if ('refused' in checked) return stay({ ...state, error: `invalid op-id: ${checked.refused.text}` })
  const { opId } = checked
  return { state: { ...state, opId, step: 'choice', error: null }, effect: { kind: 'op-id', opId } }
}

function withDraft(state: PromptState, text: string): PromptState {
  if (state.step === 'op-id') return { ...state, opId: text, error: null }
  if (state.step !== 'text' || state.choice === null) return state
  return { ...state, drafts: { ...state.drafts, [state.choice]: text }, error: null }
}

/** The same check the record will pass through, so that it fails here and not there. */
function textProblem({ choice, drafts, residueMaxBytes }: PromptState): string | null {
  const text = choice === null ? '' : (drafts[choice] ?? '')
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

/** Choices by key: one letter or digit each; anything longer, a paste among them, is none. */
function keyOf(state: PromptState, key: string): Choice | 'skip' | null {
  return /^[a-z0-9]$/i.test(key) ? wordOf(state, key) : null
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
