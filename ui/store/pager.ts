import { unreachable } from '../../src/lib/assert.ts'
import { safeText } from '../../src/lib/safe-text.ts'
import type { Row } from '../transcript/model.ts'

/** Rows of the transcript, unwrapped and unfolded, as the pager gets them (TERM-24). Safe to print. */
export function transcriptText(rows: readonly Row[]): string {
  return safeText(`${rows.map(rowText).join('\n\n')}\n`)
}

function rowText(row: Row): string {
  switch (row.kind) {
    case 'operator':
    case 'command':
      return `you: ${row.text}`
    case 'reply':
      return `${row.model}: ${row.reasoning === '' ? '' : `[reasoning] ${row.reasoning}\n\n`}${row.text}`
    case 'tool':
      return `> ${row.name} ${row.arguments} [${row.status}]\n${[...row.told, row.text].join('\n')}`
    case 'notice':
      return `[${row.level}] ${row.text}${row.hint === undefined ? '' : `\n  ${row.hint}`}`
    case 'output':
      return row.lines.join('\n')
    case 'checkpoint':
      return `[checkpoint ${row.index}, turn ${row.turn}] ${row.hash}\n${row.summary}`
    case 'anchor':
      return `[${row.sub}]\n${row.summary}`
    case 'note':
      return `[${row.sub}]\n${row.text}`
    default:
      return unreachable(row)
  }
}
