import { layoutOverlay, type OverlaySources } from './body.ts'
import { type Layer, movedPick, withFront } from './stack.ts'

/** The stack after the wheel moved the body of its front by `by` lines, down if positive; in a list it moves the marked line (TERM-53). */
export function wheeledOverlay(layers: readonly Layer[], by: number, sources: OverlaySources): readonly Layer[] {
  return withFront(layers, (front) => {
    const { content } = front
    if (content.kind === 'picker') return { ...front, content: movedPick(content, by) }
    const { body, height } = layoutOverlay(front, sources)
    // In a declaration the place in the body is that of its cursor, which goes to the last line.
    const last = content.kind === 'declaration' ? body.length - 1 : body.length - height
    return { ...front, scroll: clamped(clamped(front.scroll, last) + by, last) }
  })
}

function clamped(to: number, last: number): number {
  return Math.max(0, Math.min(last, to))
}
