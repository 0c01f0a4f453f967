import { safeLine, visibleText } from '../../src/lib/safe-text.ts'
import { cellWidth } from '../../src/lib/width.ts'
import type { CommandInfo } from '../../src/protocol/command.ts'
import { type Bindings, type KeyFocus, keyMap, labelOf } from '../keys/index.ts'
import { emptyLine, line, span, wrapHanging, wrapSpans } from '../parts/lines.ts'
import type { Line } from '../theme/index.ts'
import { type Layer, pickedItem, pickerItems } from './stack.ts'

/** What overlays are made of beside themselves. */
export type OverlaySources = {
  readonly bindings: Bindings
  readonly commands: readonly CommandInfo[]
  readonly columns: number
  readonly rows: number
  readonly cursor: string
}

/** An overlay laid out: fixed title, body in lines of which `height` are shown, fixed foot (TERM-53). */
export type OverlayLayout = {
  readonly width: number
  readonly isFramed: boolean
  readonly title: string
  readonly body: readonly Line[]
  readonly foot: readonly Line[]
  /** Rows for the body. */
  readonly height: number
  /** First body line shown. */
  readonly scroll: number
}

/** Below this the overlay takes the whole screen (OPUI-745). */
const SMALL_COLUMNS = 60
const SMALL_ROWS = 12
const MAX_WIDTH = 100
/** Top border, rule and bottom border. */
const FRAME_ROWS = 3

/** Lays the overlay out for the window. */
export function layoutOverlay(layer: Layer, sources: OverlaySources): OverlayLayout {
  const isFramed = sources.columns >= SMALL_COLUMNS && sources.rows >= SMALL_ROWS
  const width = isFramed ? Math.min(MAX_WIDTH, sources.columns - 4) : sources.columns
  const inner = Math.max(1, isFramed ? width - 4 : width)
  const body = bodyLines(layer, sources, inner)
  const foot = footLines(layer, inner)
  const room = isFramed ? sources.rows - 4 - FRAME_ROWS : sources.rows - 1
  const height = Math.max(0, Math.min(room - foot.length, body.length))
  const scroll = Math.max(0, Math.min(layer.scroll, body.length - height))
  return { width, isFramed, title: titleOf(layer), body, foot, height, scroll: visibleScroll(layer, scroll, height) }
}

function titleOf({ content }: Layer): string {
  return content.kind === 'help' ? 'help' : safeLine(content.title)
}

function bodyLines(layer: Layer, sources: OverlaySources, width: number): Line[] {
  const { content } = layer
  if (content.kind === 'help') return helpLines(sources, width)
  if (content.kind !== 'picker') return wrapSpans([span(visibleText(content.body))], width)
  const picked = pickedItem(content)
  return pickerItems(content).map((item) => {
    const isPicked = item.id === picked?.id
    const mark = isPicked ? `${sources.cursor} ` : '  '
    return line(
      span(mark + visibleText(item.label).replaceAll('\n', ' '), isPicked ? { inverse: true } : {}),
      span(item.detail === '' ? '' : `  ${visibleText(item.detail).replaceAll('\n', ' ')}`, { tone: 'dim' })
    )
  })
}

/** The marked item of a picker is always in sight. */
function visibleScroll(layer: Layer, scroll: number, height: number): number {
  if (layer.content.kind !== 'picker') return scroll
  const picked = pickedItem(layer.content)
  const at = pickerItems(layer.content).findIndex(({ id }) => id === picked?.id)
  return Math.max(0, Math.max(at - height + 1, Math.min(scroll, at)))
}

function footLines(layer: Layer, width: number): Line[] {
  const { content } = layer
  if (!layer.isArmed) return [line(span('takes keys when you stop typing', { tone: 'warn' }))]
  if (content.kind !== 'question') {
    const hint =
      content.kind === 'picker'
        ? `${content.filter === '' ? 'type to filter' : `filter: ${safeLine(content.filter)}`}   Enter take   Esc close`
        : '↑↓ scroll   Esc close'
    return [line(span(hint, { tone: 'dim' }))]
  }
  const note = content.note === '' ? [] : wrapSpans([span(safeLine(content.note), { tone: 'warn' })], width)
  const choice = content.choices.find(({ key }) => key === content.confirming)
  if (choice !== undefined) {
    const asked = wrapSpans([span(`${visibleText(choice.consequence)} [y/n]`, { bold: true })], width)
    return [...note, ...asked]
  }
  const choices = content.choices.map(({ key, label }) => `${labelOf(key)} ${label}`)
  if (content.escape.kind === 'skip') choices.push('Esc skip')
  return [...note, ...wrapSpans([span(choices.join('   '), { tone: 'accent' })], width)]
}

const sections: readonly (readonly [KeyFocus, string])[] = [
  ['anywhere', 'Anywhere'],
  ['prompt', 'Prompt'],
  ['list', 'Completion list'],
  ['search', 'History search'],
  ['overlay', 'Overlays'],
  ['picker', 'Lists to choose from'],
  ['confirm', 'Confirmations']
]

/** The help overlay: every key of the map as bound now, then every command (TERM-48). */
function helpLines({ bindings, commands }: OverlaySources, width: number): Line[] {
  const lines: Line[] = []
  for (const [focus, title] of sections) {
    lines.push(line(span(title, { bold: true })))
    for (const { action, description } of keyMap.filter((row) => row.focus === focus)) {
      const keys = [...bindings[focus]].filter(([, bound]) => bound === action).map(([key]) => labelOf(key))
      lines.push(...helpRow(keys.length === 0 ? '(unbound)' : keys.join(', '), description, width))
    }
    lines.push(emptyLine)
  }
  lines.push(line(span('Commands', { bold: true })))
  for (const { name, description, source } of commands) {
    const whose = source === 'built-in' ? '' : ` (${source})`
    lines.push(...helpRow(safeLine(`/${name}`), safeLine(description) + whose, width))
  }
  lines.push(...helpRow('!line', 'run a shell line; !!line also tells the model', width))
  return lines
}

const HELP_COLUMN = 24

function helpRow(left: string, right: string, width: number): Line[] {
  const column = Math.min(HELP_COLUMN, Math.floor(width / 2))
  if (column < 8) return wrapSpans([span(`${left}: ${right}`)], width)
  const gap = ' '.repeat(Math.max(0, column - 2 - cellWidth(left)))
  if (cellWidth(left) > column - 2) {
    const own = wrapSpans([span(`  ${left}`, { tone: 'accent' })], width)
    return [...own, ...wrapHanging([span(right)], width, [span(' '.repeat(column))], [span(' '.repeat(column))])]
  }
  return wrapHanging([span(right)], width, [span(`  ${left}${gap}`, { tone: 'accent' })], [span(' '.repeat(column))])
}
