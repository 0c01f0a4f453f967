import { visibleText } from '../../src/lib/safe-text.ts'
import { type ActionName, type Bindings, keyLabel } from '../keys/index.ts'
import { justified, line, span, wrapSpans } from '../parts/lines.ts'
import type { Editor } from '../prompt/editor.ts'
import type { Line } from '../theme/index.ts'
import { lineQuestion } from './ask.ts'
import { choicesOf } from './choices.ts'
import { chosenOf, type Decision, editorOf, stageOf } from './decision.ts'
import { type Declaration, declarationStage } from './declaration.ts'
import { fieldRows, fieldText } from './field.ts'
import type { Field } from './field-rule.ts'
import { frameOf, isCramped, type WindowSize } from './frame.ts'

/** What the foot of a decision depends on beside the decision. */
export type FootSources = WindowSize & {
  readonly bindings: Bindings
  readonly opId: string | null
  /** `▸`, or `>` on terminals without it. */
  readonly cursor: string
}

/** The fixed lines under the body, and the cell of the caret in them when text is typed there. */
export type Foot = {
  readonly lines: readonly Line[]
  readonly caret: { readonly row: number; readonly column: number } | null
}

/** Choices, field or confirmation of a decision, always in sight (TERM-53). */
export function decisionFoot(decision: Decision, sources: FootSources): Foot {
  const { inner: width } = frameOf(sources)
  const note = noteLines(decision.note, width)
  switch (stageOf(decision, sources.opId)) {
    case 'op-id':
      return below(
        note.length > 0 ? note : signerLines(sources),
        fieldFoot('op-id:', editorOf(decision, 'op-id'), null, sources)
      )
    case 'choose':
      return isCramped(sources)
        ? below(note, fieldFoot(lineQuestion(decision.ask), editorOf(decision, 'line'), null, sources))
        : { lines: [...note, ...choiceLines(decision, sources)], caret: null }
    case 'text': {
      const field = chosenOf(decision)?.field ?? null
      const editor = editorOf(decision, decision.chosen ?? '')
      return below(note, fieldFoot(field?.question ?? '', editor, field, sources))
    }
    case 'confirm': {
      const choice = chosenOf(decision)
      const consequence = choice?.consequence?.(sources.opId ?? '', '') ?? ''
      return { lines: [...note, ...confirmLines(consequence, width)], caret: null }
    }
    case 'sent':
      return { lines: [line(span('recording …', { tone: 'dim' }))], caret: null }
  }
}

/** The same of a declaration on the spot (OPUI-550). */
export function declarationFoot(declaration: Declaration, sources: FootSources): Foot {
  const { inner: width } = frameOf(sources)
  const note = noteLines(declaration.note, width)
  const { ask } = declaration
  switch (declarationStage(declaration, sources.opId)) {
    case 'op-id':
      return below(
        note.length > 0 ? note : signerLines(sources),
        fieldFoot('op-id:', editorIn(declaration, 'op-id'), null, sources)
      )
    case 'role':
      return {
        lines: [
          ...note,
          ...wrapSpans([span('↑↓ mark   Enter take the role   Esc leave undeclared', { tone: 'dim' })], width)
        ],
        caret: null
      }
    case 'review': {
      const keys = keysOf(sources.bindings)
      const actions = [
        `${keys('declaration.edit')} skip or take the clause`,
        `${keys('declaration.attest')} attest and declare`,
        `${keys('declaration.refuse')} refuse`,
        `${keys('declaration.role')} role`
      ]
      return { lines: [...note, ...wrapSpans([span(actions.join('   '), { tone: 'accent' })], width)], caret: null }
    }
    case 'residue': {
      const field: Field = { question: '', maxBytes: ask.noteMaxBytes, rule: 'note' }
      const clause = declaration.clause ?? ''
      return below(note, fieldFoot(`residue of skipping ${clause}:`, editorIn(declaration, clause), field, sources))
    }
    case 'confirm':
      return {
        lines: [...note, ...confirmLines(`declare ${ask.arrow} in grid v${ask.gridVersionAfter}?`, width)],
        caret: null
      }
    case 'sent':
      return { lines: [line(span('recording …', { tone: 'dim' }))], caret: null }
  }
}

/** What the identity that is asked for will stand for; the smallest windows have no room for it. */
function signerLines(sources: FootSources): Line[] {
  if (isCramped(sources)) return []
  const text = 'first: who answers for what is decided here, such as you@example.com'
  return wrapSpans([span(text, { tone: 'dim' })], frameOf(sources).inner)
}

function editorIn(declaration: Declaration, field: string): Editor {
  return editorOf({ texts: declaration.texts }, field)
}

function noteLines(note: string, width: number): Line[] {
  return note === '' ? [] : wrapSpans([span(visibleText(note), { tone: 'warn' })], width)
}

function confirmLines(consequence: string, width: number): Line[] {
  return wrapSpans([span(`${visibleText(consequence)} [y/n]`, { bold: true })], width)
}

function choiceLines({ ask }: Decision, { bindings, opId, columns, rows }: FootSources): Line[] {
  const { inner: width, isFramed } = frameOf({ columns, rows })
  const keys = keysOf(bindings)
  const choices = choicesOf(ask).map(({ action, label }) => `${keys(action)} ${label}`)
  const shown = isFramed
    ? wrapSpans([span(choices.join('   '), { tone: 'accent' })], width)
    : choices.map((choice) => line(span(choice, { tone: 'accent' })))
  if (ask.kind !== 'verdict' && ask.kind !== 'escalation') return shown
  const as = line(span(`verdict as ${visibleText(opId ?? '')}`, { tone: 'dim' }))
  const files = ask.kind === 'verdict' ? line(span(`${keys('verdict.files')} files`, { tone: 'dim' })) : line()
  return [...shown, justified(as, files, width)]
}

/** A question, its field and the bytes left of it (OPUI-423, 742). */
function fieldFoot(question: string, editor: Editor, field: Field | null, sources: FootSources): Foot {
  const { inner: width } = frameOf(sources)
  const typed = fieldRows(editor, width, sources.rows, sources.cursor)
  const label = wrapSpans([span(visibleText(question), { bold: true })], width)
  const head = field === null ? label : withCounter(label, bytesLeft(field, editor), width)
  const keys = isCramped(sources)
    ? []
    : [hint(field === null ? 'Enter go on   Esc back' : 'Enter to the confirmation   Alt+Enter new line   Esc back')]
  return {
    lines: [...head, ...typed.lines, ...keys],
    caret: { row: head.length + typed.caret.row, column: typed.caret.column }
  }
}

/** The counter at the end of the question, or below it where both do not fit. */
function withCounter(question: readonly Line[], counter: Line, width: number): Line[] {
  const last = question.at(-1) ?? line()
  if (last.width + 1 + counter.width > width) return [...question, counter]
  return [...question.slice(0, -1), justified(last, counter, width)]
}

const WARN_SHARE = 0.9

function bytesLeft({ maxBytes }: Field, editor: Editor): Line {
  const used = Buffer.byteLength(fieldText(editor))
  const text = used > maxBytes ? `${used - maxBytes} bytes too many` : `${maxBytes - used} bytes left`
  return line(span(text, { tone: used >= WARN_SHARE * maxBytes ? 'warn' : 'dim' }))
}

function keysOf(bindings: Bindings): (action: ActionName) => string {
  return (action) => keyLabel(bindings, action) ?? '(unbound)'
}

function hint(text: string): Line {
  return line(span(text, { tone: 'dim' }))
}

function below(note: readonly Line[], foot: Foot): Foot {
  const { lines, caret } = foot
  return {
    lines: [...note, ...lines],
    caret: caret === null ? null : { row: note.length + caret.row, column: caret.column }
  }
}
