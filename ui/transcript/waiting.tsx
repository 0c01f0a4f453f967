import { safeLine } from '../../src/lib/safe-text.ts'
import type { Waiting } from '../../src/protocol/event.ts'
import { durationText } from '../parts/duration.ts'
import { cutLine, line, span } from '../parts/lines.ts'
import { countText } from '../parts/progress.ts'
import { TextLine } from '../parts/text-line.tsx'
import { useNow } from '../parts/use-now.ts'
import type { Glyphs } from '../theme/glyphs.ts'
import type { Line } from '../theme/style.ts'
import { useTheme } from '../theme/theme.ts'

/** Shorter waits are not worth a line that comes and goes (TERM-25). */
const SHOWN_AFTER_MS = 300

/** What is waited for, since when and how much came so far; null while it is too early to tell. */
export function waitingLine(waiting: Waiting, now: number, width: number, glyphs: Glyphs): Line | null {
  const elapsed = now - waiting.since
  if (elapsed < SHOWN_AFTER_MS) return null
  const facts = [safeLine(waiting.label)]
  if (waiting.what === 'retry') {
    if (waiting.count !== null) facts.push(`in ${Math.max(0, Math.ceil(waiting.count - elapsed / 1000))} s`)
  } else {
    // Whole seconds: tenths would ask for a frame each.
    facts.push(elapsed < 10_000 ? `${Math.floor(elapsed / 1000)} s` : durationText(elapsed))
    if (waiting.count !== null && waiting.count > 0) facts.push(`${countText(waiting.count)} tokens`)
  }
  return cutLine(
    line(span(`${glyphs.tool} `, { tone: 'accent' }), span(facts.join(` ${glyphs.detail} `), { tone: 'dim' })),
    width
  )
}

/** One row for progress, empty when nothing is waited for. It alone is drawn anew when a second has passed. */
export function WaitingLine({ waiting, cols }: { readonly waiting: Waiting | null; readonly cols: number }) {
  const { glyphs } = useTheme()
  const now = useNow(500, waiting !== null)
  const shown = waiting === null ? null : waitingLine(waiting, now, cols, glyphs)
  return <TextLine line={shown ?? line()} />
}
