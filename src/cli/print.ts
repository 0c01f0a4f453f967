import { visibleLine } from '../lib/safe-text.ts'
import type { CliIo } from './io.ts'

/** One line of trouble on standard error with the program's name, or that of a command, before it (CLI-002). */
export function printError(io: CliIo, text: string, prefix = 'ghyll'): void {
  io.err(`${prefix}: ${visibleLine(text)}\n`)
}

/** One warning on standard error. */
export function printWarning(io: CliIo, text: string): void {
  io.err(`⚠ ${visibleLine(text)}\n`)
}

/** Rows of cells as lines with aligned columns, for standard output. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = []
  for (const row of rows)
    row.forEach((cell, n) => {
      widths[n] = Math.max(widths[n] ?? 0, cell.length)
    })
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, n) => cell.padEnd(widths[n] ?? 0))
          .join('  ')
          .trimEnd()}\n`
    )
    .join('')
}
