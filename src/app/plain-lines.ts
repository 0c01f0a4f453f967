import { safeText } from '../lib/safe-text.ts'
import type { ToolEntry } from '../protocol/entry.ts'
import type { GhyllEvent, NoticeLevel } from '../protocol/event.ts'

const glyphs: Record<NoticeLevel, string> = {
  info: 'ℹ',
  warning: '⚠',
  error: '✗',
  success: '✓',
  switch: '⟳',
  detail: '·'
}

/** As on the screen: a failed call is told from one that worked by its first letter. */
const toolGlyphs: Record<ToolEntry['status'], string> = { done: '⏵', failed: '✗', interrupted: '⚠' }

/** One operator message as a line. */
export function noticeLine(level: NoticeLevel, text: string, hint?: string): string {
  const line = `${glyphs[level]} ${safeText(text)}`
  return hint === undefined ? line : `${line}\n  ${safeText(hint)}`
}

/** What an event says to somebody without a screen, apart from the model's answer; null for what only a screen can show. */
export function plainLine(event: GhyllEvent): string | null {
  switch (event.kind) {
    case 'notice':
      return noticeLine(event.level, event.text, event.hint)
    case 'command-output':
      return safeText(event.lines.join('\n'))
    case 'tool-ended': {
      const { call, status, meta } = event.entry
      const outcome = meta.summary ?? status
      return `${toolGlyphs[status]} ${preview(call.name)} ${preview(call.arguments)}  ${safeText(outcome)}`
    }
    case 'shell-ended':
      return safeText(event.text)
    case 'waiting-changed': {
      // Nobody sees a countdown here; without a word the pause would look like a hang.
      const { waiting } = event
      return waiting?.what === 'retry' ? noticeLine('detail', `${waiting.label} ${waiting.count ?? 0}s`) : null
    }
    default:
      return null
  }
}

/** What a model wrote of a call on one line, at most 80 characters (TOOL-124). */
function preview(written: string): string {
  const text = safeText(written.replace(/\s+/g, ' '))
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}
