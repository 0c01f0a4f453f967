import { safeLine } from '../../src/lib/safe-text.ts'
import { cellWidth } from '../../src/lib/width.ts'
import type { CommandInfo } from '../../src/protocol/command.ts'
import { type Bindings, focusTitles, keyFocuses, keyMap, labelOf } from '../keys/index.ts'
import { emptyLine, line, span, wrapHanging, wrapSpans } from '../parts/lines.ts'
import type { Line } from '../theme/index.ts'

/** The help overlay; typing narrows it. `/help` asks for the commands, a key for the keys, and the rest follows below. */
export type Help = { readonly kind: 'help'; readonly begins: 'commands' | 'keys'; readonly filter: string }

type Section = { readonly title: string; readonly rows: readonly HelpRow[] }
type HelpRow = { readonly left: string; readonly right: string }

/** Every key of the map as bound now and every command (TERM-48), as far as they hold what is filtered for. */
export function helpLines(
  { begins, filter }: Help,
  { bindings, commands }: { readonly bindings: Bindings; readonly commands: readonly CommandInfo[] },
  width: number
): Line[] {
  const keys = keySections(bindings)
  const sections =
    begins === 'commands' ? [...commandSections(commands), ...keys] : [...keys, ...commandSections(commands)]
  const lines = sections
    .map((section) => narrowed(section, filter))
    .filter(({ rows }) => rows.length > 0)
    .flatMap(({ title, rows }, index) => [
      ...(index === 0 ? [] : [emptyLine]),
      line(span(title, { bold: true })),
      ...rows.flatMap((row) => rowLines(row, width))
    ])
  return lines.length === 0 ? [line(span('nothing here has that in it', { tone: 'dim' }))] : lines
}

function keySections(bindings: Bindings): Section[] {
  return keyFocuses.map((focus) => ({
    title: focusTitles[focus],
    rows: keyMap
      .filter((row) => row.focus === focus)
      .map(({ action, description }) => {
        const keys = [...bindings[focus]].filter(([, bound]) => bound === action).map(([key]) => labelOf(key))
        return { left: keys.length === 0 ? '(unbound)' : keys.join(', '), right: description }
      })
  }))
}

function commandSections(commands: readonly CommandInfo[]): Section[] {
  const rowsOf = (isWanted: (command: CommandInfo) => boolean) =>
    commands.filter(isWanted).map(({ name, description, source }) => ({
      left: safeLine(`/${name}`),
      right: `${safeLine(description)}${source === 'built-in' ? '' : ` (${source})`}`
    }))
  const shell = { left: '!line', right: 'run a shell line; !!line also tells the model' }
  return [
    { title: 'Commands', rows: [...rowsOf(({ source }) => source === 'built-in'), shell] },
    { title: 'Commands from files', rows: rowsOf(({ source }) => source !== 'built-in') }
  ]
}

function narrowed({ title, rows }: Section, filter: string): Section {
  const wanted = filter.trim().toLowerCase()
  return { title, rows: rows.filter(({ left, right }) => `${left} ${right}`.toLowerCase().includes(wanted)) }
}

const COLUMN = 24

function rowLines({ left, right }: HelpRow, width: number): Line[] {
  const column = Math.min(COLUMN, Math.floor(width / 2))
  if (column < 8) return wrapSpans([span(`${left}: ${right}`)], width)
  const gap = ' '.repeat(Math.max(0, column - 2 - cellWidth(left)))
  if (cellWidth(left) > column - 2) {
    const own = wrapSpans([span(`  ${left}`, { tone: 'accent' })], width)
    return [...own, ...wrapHanging([span(right)], width, [span(' '.repeat(column))], [span(' '.repeat(column))])]
  }
  return wrapHanging([span(right)], width, [span(`  ${left}${gap}`, { tone: 'accent' })], [span(' '.repeat(column))])
}
