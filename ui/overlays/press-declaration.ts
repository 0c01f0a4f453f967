import type { Command } from '../../src/protocol/command.ts'
import type { ActionName, KeyFocus } from '../keys/index.ts'
import { emptyEditor } from '../prompt/editor.ts'
import { dispatching, only } from '../store/outcome.ts'
import type { Outcome, ScreenState } from '../store/state.ts'
import {
  type Declaration,
  declarationBody,
  declarationCursor,
  declarationField,
  declarationStage
} from './declaration.ts'
import { editedField, fieldText } from './field.ts'
import { fieldProblem } from './field-rule.ts'
import { innerWidth } from './frame.ts'
import type { DecisionKey } from './press-decision.ts'
import { closed, withFront } from './stack.ts'

/** Where the keys of a declaration are looked up, from the innermost. */
export function declarationFocuses(state: ScreenState, declaration: Declaration): KeyFocus[] {
  const stage = declarationStage(declaration, state.header.opId)
  if (declarationField(declaration, stage) !== null) return ['field', 'prompt', 'overlay', 'anywhere']
  if (stage === 'role') return ['picker', 'overlay', 'anywhere']
  if (stage === 'confirm') return ['confirm', 'overlay', 'anywhere']
  return stage === 'review' ? ['declaration', 'overlay', 'anywhere'] : ['overlay', 'anywhere']
}

/** Whether typed and pasted text has a field to go to (TERM-51, TERM-52). */
export function declarationHasField(state: ScreenState, declaration: Declaration): boolean {
  return declarationField(declaration, declarationStage(declaration, state.header.opId)) !== null
}

/** A key for the armed declaration in front (OPUI-550); null when it means nothing there. */
export function pressDeclaration(state: ScreenState, declaration: Declaration, key: DecisionKey): Outcome | null {
  const stage = declarationStage(declaration, state.header.opId)
  const field = declarationField(declaration, stage)
  if (field !== null) return pressField(state, declaration, field, key)
  const isDeliberate = !key.isRepeat && !key.isBurst
  const lines = declarationBody(declaration, innerWidth(state.terminal))
  const scroll = Math.min(state.overlays.at(-1)?.scroll ?? 0, lines.length - 1)
  const cursor = declarationCursor(lines, scroll)
  const moved = key.action === null ? undefined : moves[key.action]
  if (moved !== undefined && stage !== 'sent') return only(scrolledTo(state, moved({ scroll, cursor }, lines.length)))
  const marked = lines[cursor]
  switch (stage) {
    case 'role':
      if (key.action !== 'picker.choose' || !isDeliberate || marked?.role === undefined) return null
      return shown(scrolledTo(state, 0), { ...declaration, stage: 'review', role: marked.role })
    case 'review':
      return isDeliberate ? pressReview(state, declaration, key.action, marked?.clause) : null
    case 'confirm':
      if (key.action === 'confirm.no') return shown(state, { ...declaration, stage: 'review' })
      if (key.action !== 'confirm.yes' || !isDeliberate || declaration.role === null) return null
      return sent(state, declaration, {
        kind: 'declare-arrow',
        item: declaration.ask.item,
        role: declaration.role,
        skipped: Object.entries(declaration.skipped).map(([clause, residue]) => ({ clause, residue }))
      })
    default:
      return null
  }
}

/** Esc and Ctrl+C: a step back; out of the first step, or by Ctrl+C, the work stays suspended and nothing is written (GATE-99). */
export function leaveDeclaration(state: ScreenState, declaration: Declaration, by: 'escape' | 'interrupt'): Outcome {
  const stage = declarationStage(declaration, state.header.opId)
  if (by === 'escape') {
    if (stage === 'sent') return only(state)
    if (stage === 'confirm' || stage === 'residue')
      return shown(state, { ...declaration, stage: 'review', clause: null })
    if (stage === 'review') return shown(scrolledTo(state, 0), { ...declaration, stage: 'role' })
  }
  const front = state.overlays.at(-1)
  const overlays = front === undefined ? state.overlays : closed(state.overlays, front.id)
  return dispatching({ ...state, overlays }, { kind: 'cancel-prompt', item: declaration.ask.item })
}

const PAGE = 10
type Move = (from: { readonly scroll: number; readonly cursor: number }, count: number) => number

/** Down goes on from the marked line, up from the one in sight: above the first that can be taken there is still something to read. */
const moves: Partial<Record<ActionName, Move>> = {
  'overlay.up': ({ scroll }) => Math.max(0, scroll - 1),
  'overlay.down': ({ cursor }, count) => Math.min(count - 1, cursor + 1),
  'overlay.page-up': ({ scroll }) => Math.max(0, scroll - PAGE),
  'overlay.page-down': ({ cursor }, count) => Math.min(count - 1, cursor + PAGE),
  'overlay.top': () => 0,
  'overlay.bottom': (_, count) => count - 1
}

function pressReview(
  state: ScreenState,
  declaration: Declaration,
  action: ActionName | null,
  marked: string | undefined
): Outcome | null {
  switch (action) {
    case 'declaration.role':
      return shown(scrolledTo(state, 0), { ...declaration, stage: 'role', note: '' })
    case 'declaration.attest':
      return shown(state, { ...declaration, stage: 'confirm', note: '' })
    case 'declaration.refuse':
      return sent(state, declaration, { kind: 'refuse-arrow', item: declaration.ask.item })
    case 'declaration.edit': {
      const clause = declaration.ask.clauses.find(({ id }) => id === marked)
      if (clause === undefined) return shown(state, { ...declaration, note: 'mark a clause with ↑ and ↓ first' })
      const { [clause.id]: residue, ...others } = declaration.skipped
      if (residue !== undefined) return shown(state, { ...declaration, skipped: others, note: '' })
      return clause.isSkippable
        ? shown(state, { ...declaration, stage: 'residue', clause: clause.id, note: '' })
        : shown(state, { ...declaration, note: '✗ base-clause-not-skippable' })
    }
    default:
      return null
  }
}

function pressField(state: ScreenState, declaration: Declaration, field: string, key: DecisionKey): Outcome | null {
  const editor = declaration.texts[field] ?? emptyEditor
  if (key.action === 'field.done' && !key.isBurst) {
    const text = fieldText(editor)
    if (field === 'op-id') {
      const command: Command = { kind: 'set-op-id', opId: text }
      return text === '' ? only(state) : dispatching(state, command)
    }
    const problem = fieldProblem({ question: '', maxBytes: declaration.ask.noteMaxBytes, rule: 'note' }, text)
    if (problem !== null) {
      const note = text.trim() === '' ? '✗ residue-required-for-skip' : problem
      return shown(state, { ...declaration, note })
    }
    const skipped = { ...declaration.skipped, [field]: text.trim() }
    return shown(state, { ...declaration, stage: 'review', clause: null, skipped, note: '' })
  }
  const changed = editedField(editor, key, { width: innerWidth(state.terminal), isSingleLine: true })
  if (changed === null) return null
  return shown(state, { ...declaration, note: '', texts: { ...declaration.texts, [field]: changed } })
}

function sent(state: ScreenState, declaration: Declaration, command: Command): Outcome {
  return dispatching(presenting(state, { ...declaration, stage: 'sent', note: '' }), command)
}

function shown(state: ScreenState, declaration: Declaration): Outcome {
  return only(presenting(state, declaration))
}

function presenting(state: ScreenState, declaration: Declaration): ScreenState {
  return { ...state, overlays: withFront(state.overlays, (layer) => ({ ...layer, content: declaration })) }
}

function scrolledTo(state: ScreenState, scroll: number): ScreenState {
  return { ...state, overlays: withFront(state.overlays, (layer) => ({ ...layer, scroll })) }
}
