import { Text } from 'ink'
import { safeLine, visibleLine } from '../../src/lib/safe-text.ts'
import { cellWidth, cutEnd, padEnd, takeStart } from '../../src/lib/width.ts'
import type { InboxRow } from '../../src/protocol/event.ts'
import { useTheme } from '../theme/index.ts'
import type { Completion } from './completion.ts'

const MAX_CHIP_ROWS = 3
/** What a chip keeps of its text before its hint goes. */
const TEXT_CELLS = 10

/** Rows the pending chips take. */
export function chipRows(pending: readonly InboxRow[]): number {
  return Math.min(MAX_CHIP_ROWS, pending.length)
}

export type PendingChipsProps = {
  readonly pending: readonly InboxRow[]
  readonly isHeld: boolean
  readonly width: number
}

/**
 * What waits to be taken up, oldest first, under the transcript (TERM-46, SESS-033). Where not all of it has room, the newest is shown,
 * for that is what ↑ takes.
 */
export function PendingChips({ pending, isHeld, width }: PendingChipsProps) {
  const theme = useTheme()
  const shown = pending.slice(-MAX_CHIP_ROWS)
  const hidden = pending.length - shown.length
  const lines = shown.map((row, index) => {
    const before = index === 0 && hidden > 0 ? `  (${hidden} before it)` : ''
    const key = index === shown.length - 1 ? `  ${isHeld ? 'held: Enter takes it up' : '↑ edits'}` : ''
    const what = row.kind === 'compaction' ? 'compact' : row.delivery === 'steer' ? 'steer' : 'queue'
    const from = row.origin === 'operator' ? '' : ` (${row.origin})`
    const label = ` ${theme.glyphs.cursor} ${what}${from}: `
    // In a narrow window the words are worth more than the key.
    const isRoomy = width - cellWidth(label + before + key) >= TEXT_CELLS
    const hint = isRoomy ? before + key : before
    const room = Math.max(0, width - cellWidth(label) - cellWidth(hint))
    const text = row.kind === 'compaction' ? '' : cutEnd(safeLine(row.text.trim()), room)
    return (
      theme.paint(cutEnd(label, width), { tone: 'accent' }) +
      text +
      theme.paint(cutEnd(hint, Math.max(0, width - cellWidth(label) - cellWidth(text))), { tone: 'dim' })
    )
  })
  return <Text wrap="truncate">{lines.join('\n')}</Text>
}

const MAX_LIST_ROWS = 8

/** Rows the completion list takes when `room` are free. */
export function listRows(completion: Completion | null, room: number): number {
  return Math.max(0, Math.min(MAX_LIST_ROWS, room, completion?.items?.length ?? 0))
}

export type CompletionListProps = { readonly completion: Completion; readonly height: number; readonly width: number }

/** The completions of the word at the cursor, the marked one always in sight, with the number of those below (TERM-42). */
export function CompletionList({ completion, height, width }: CompletionListProps) {
  const theme = useTheme()
  const items = completion.items ?? []
  const first = Math.max(0, Math.min(completion.selected - Math.floor(height / 2), items.length - height))
  const shown = items.slice(first, first + height)
  const below = items.length - first - shown.length
  const column = Math.min(
    Math.floor(width / 2),
    Math.max(0, ...shown.map(({ label }) => cellWidth(visibleLine(label)))) + 2
  )
  const lines = shown.map(({ label, detail }, index) => {
    const isMarked = first + index === completion.selected
    const mark = isMarked ? ` ${theme.glyphs.cursor} ` : '   '
    const room = Math.max(0, width - 3)
    const name = cutEnd(visibleLine(label), room)
    // A name that is longer than its column keeps its distance all the same.
    const isLong = cellWidth(name) + 2 > column
    const left = detail === '' ? name : isLong ? takeStart(`${name}  `, room) : padEnd(name, column)
    const more = below > 0 && index === shown.length - 1 ? `  … ${below} more` : ''
    const free = Math.max(0, room - cellWidth(left))
    const right = cutEnd(visibleLine(detail), Math.max(0, free - cellWidth(more)))
    return (
      theme.paint(cutEnd(mark, width) + left, isMarked ? { inverse: true } : {}) +
      theme.paint(right + cutEnd(more, Math.max(0, free - cellWidth(right))), { tone: 'dim' })
    )
  })
  return <Text wrap="truncate">{lines.join('\n')}</Text>
}
