import { structuredPatch } from 'diff'
import { decodeText } from './file-text.ts'

const contextLines = 3
/** A screen needs no more of one change than this many lines. */
const maxLines = 400
/** Beyond these the change is told in numbers only: a diff must never hold up the call. */
const maxBytes = 2 * 1024 * 1024
const timeoutMs = 300

export type FileDiff = { readonly summary: string; readonly diff?: string }

/** Unified diff of a change and its size, `+3 −1` (TOOL-049). Told on the text as the model sees it. */
export function fileDiff(path: string, before: Buffer, after: Buffer): FileDiff {
  if (before.length + after.length > maxBytes) return { summary: 'large change' }
  const patch = structuredPatch(path, path, decodeText(before), decodeText(after), undefined, undefined, {
    context: contextLines,
    timeout: timeoutMs
  })
  if (patch === undefined) return { summary: 'large change' }

  const lines = patch.hunks.flatMap((hunk) => [
    `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
    ...hunk.lines
  ])
  const changed = patch.hunks.flatMap((hunk) => hunk.lines)
  const added = changed.filter((line) => line.startsWith('+')).length
  const removed = changed.filter((line) => line.startsWith('-')).length
  const summary = `+${added} −${removed}`
  if (lines.length === 0) return { summary }
  const shown =
    lines.length > maxLines ? [...lines.slice(0, maxLines), `… (${lines.length - maxLines} more lines)`] : lines
  return { summary, diff: [`--- ${path}`, `+++ ${path}`, ...shown].join('\n') }
}
