import { visibleText } from '../../src/lib/safe-text.ts'
import type { WizardArgument, WizardClause, WizardView } from '../../src/protocol/wizard.ts'
import { keyLabel } from '../keys/index.ts'
import type { OverlayLayout } from '../overlays/body.ts'
import type { Foot } from '../overlays/decision-foot.ts'
import { factLines } from '../overlays/facts.ts'
import { fieldRows } from '../overlays/field.ts'
import { FRAME_ROWS, frameOf } from '../overlays/frame.ts'
import { emptyLine, line, span, wrapHanging, wrapSpans } from '../parts/lines.ts'
import { glyphsFor } from '../theme/glyphs.ts'
import type { Line } from '../theme/index.ts'
import { actionOf, type WizardScreen } from './state.ts'

/** The wizard laid out over the whole window: what is asked, what there is to read, and the keys that answer (INIT-57). */
export function layoutWizard(screen: WizardScreen): OverlayLayout {
  const { columns, rows, wizard } = screen
  const { isFramed, inner } = frameOf(screen)
  const room = Math.max(1, isFramed ? rows - FRAME_ROWS : rows - 1)
  const { lines, caret } = footOf(screen, inner)
  // Where not all of it fits the end counts: that is where an answer is written.
  const cut = Math.max(0, lines.length - room)
  const foot = lines.slice(cut)
  const height = Math.max(0, room - foot.length)
  const written = bodyOf(wizard.view, inner)
  const blank = isFramed ? Math.max(0, height - written.length) : 0
  const body = [...written, ...Array.from({ length: blank }, () => emptyLine)]
  return {
    width: columns,
    isFramed,
    title: titleOf(wizard.view),
    body,
    foot,
    height: Math.min(height, body.length),
    scroll: Math.max(0, Math.min(screen.scroll, body.length - height)),
    caret: caret === null ? null : { row: caret.row - cut, column: caret.column }
  }
}

function titleOf({ title, position }: WizardView): string {
  const place = position === null ? '' : ` · ${position.at} of ${position.of}`
  return `ghyll init${place}${title === '' ? '' : ` · ${visibleText(title)}`}`
}

function bodyOf(view: WizardView, width: number): Line[] {
  if (view.clause !== null) return [...clauseLines(view.clause, width), ...addedLines(view.added, width)]
  return view.lines.flatMap((text) => wrapSpans([span(visibleText(text))], width))
}

/** A clause: what it says, how it is decided, what its concept asserts, and where each argument came from (INIT-51). */
function clauseLines(clause: WizardClause, width: number): Line[] {
  const { evaluation, depth, minTier, cost, layers, concept, asserts, isBase } = clause
  const name = Math.max(0, ...clause.arguments.map((each) => each.name.length))
  return [
    ...wrapSpans([span(visibleText(clause.description), { bold: true })], width),
    emptyLine,
    ...factLines(
      [
        ['arrow', clause.arrow],
        ['clause', `${clause.id}${isBase ? ' (base: may not be skipped)' : ''}`],
        ['decided by', evaluation === 'machine' ? 'machine' : 'the operator (attested)'],
        ['depth', `${depth}, min tier ${minTier}`],
        ['cost', `${cost}`],
        ['layers', layers.join(', ')],
        ['concept', concept === null ? 'none' : `${concept}${asserts === null ? '' : `: ${asserts}`}`]
      ],
      width,
      13
    ),
    ...(clause.arguments.length === 0 ? [] : [emptyLine, line(span('arguments', { bold: true }))]),
    ...clause.arguments.flatMap((argument) => argumentLines(argument, name, width))
  ]
}

function argumentLines({ name, value, type, origin }: WizardArgument, column: number, width: number): Line[] {
  const head = span(`  ${name.padEnd(Math.min(column, Math.max(0, width - 12)))}  `, { tone: 'dim' })
  const text =
    origin === 'missing'
      ? [span(`missing: a ${visibleText(type)} is needed`, { tone: 'warn' })]
      : [span(visibleText(value ?? '')), span(`  (${origin})`, { tone: 'dim' })]
  return wrapHanging(text, width, [head], [span('    ')])
}

function addedLines(added: readonly string[], width: number): Line[] {
  if (added.length === 0) return []
  return [emptyLine, ...added.flatMap((text) => wrapSpans([span(visibleText(text))], width))]
}

function footOf(screen: WizardScreen, width: number): Foot {
  const { choice, editor, isLeaving, isAscii, rows } = screen
  const refused = screen.note === null ? '' : visibleText(`✗ ${screen.note}`)
  const note = refused === '' ? [] : wrapSpans([span(refused, { tone: 'warn' })], width)
  if (isLeaving) {
    const asked = wrapSpans([span('leave without writing anything? [y/n]', { bold: true })], width)
    return { lines: [...note, ...asked], caret: null }
  }
  if (choice === null) return { lines: [...note, ...choiceLines(screen, width)], caret: null }
  const question = wrapSpans([span(visibleText(`${choice.word} ${choice.takes ?? ''}`.trim()), { bold: true })], width)
  const field = fieldRows(editor, width, rows, glyphsFor(isAscii).cursor)
  const above = note.length + question.length
  return {
    lines: [...note, ...question, ...field.lines, line(span('Enter answer   Esc back', { tone: 'dim' }))],
    caret: { row: above + field.caret.row, column: field.caret.column }
  }
}

/** The keys that answer, as they are bound. */
function choiceLines({ wizard, bindings }: WizardScreen, width: number): Line[] {
  const shown = wizard.view.choices.map((choice) => {
    const key = keyLabel(bindings, actionOf(choice)) ?? ''
    return `${key} ${choice.word === '' || choice.word === '?' ? choice.label : choice.word}`
  })
  return wrapSpans([span(shown.join('   '), { tone: 'accent' })], width)
}
