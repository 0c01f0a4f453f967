import { type Row, rowChars, type TranscriptState } from './model.ts'

/** Memory bounds of the transcript (TERM-15). What falls off the top is on disk and comes back on scroll. */
const ROWS_MAX = 20_000
const CHARS_MAX = 16_000_000
const HEAD_LINES = 1_000
const TAIL_LINES = 1_000
const TEXT_CHARS_MAX = 1_000_000

/** Drops the oldest rows beyond the bound, a tenth at a time so that it happens rarely. */
export function trimmed(state: TranscriptState): TranscriptState {
  const rowsMax = ROWS_MAX + state.extra
  if (state.rows.length <= rowsMax && state.chars <= CHARS_MAX) return state
  if (state.extra > 0) return state // The reader is up there.
  let chars = state.chars
  let dropped = 0
  const mayDrop = state.rows.length - 1
  while (dropped < mayDrop && (state.rows.length - dropped > rowsMax * 0.9 || chars > CHARS_MAX * 0.9)) {
    chars -= rowChars(state.rows[dropped] as Row)
    dropped += 1
  }
  return { ...state, rows: state.rows.slice(dropped), chars, older: 'some' }
}

/** A long result as head and tail with the number of lines left out; the whole is in a file (TOOL-012). */
export function boundedText(text: string): string {
  const short =
    text.length <= TEXT_CHARS_MAX ? text : `${text.slice(0, TEXT_CHARS_MAX / 2)}\n…\n${text.slice(-TEXT_CHARS_MAX / 2)}`
  const lines = short.split('\n')
  const left = lines.length - HEAD_LINES - TAIL_LINES
  if (left <= 1) return short
  return [...lines.slice(0, HEAD_LINES), `… ${left} lines …`, ...lines.slice(-TAIL_LINES)].join('\n')
}
