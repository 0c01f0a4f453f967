import type { Command } from '../../src/protocol/command.ts'
import type { ActionName } from '../keys/index.ts'
import { type Layer, movedPick, type Picker, pickedItem, withFront } from './stack.ts'

/** What a key did to the front overlay. `layers` without it means that it closed. */
export type OverlayOutcome = { readonly layers: readonly Layer[]; readonly commands: readonly Command[] }

/** How far the body of the front can scroll, as laid out (`body.ts`). */
export type BodyExtent = { readonly lines: number; readonly height: number }

/** A key for the armed front overlay; null when it means nothing there. */
export function pressOverlay(
  layers: readonly Layer[],
  key: { readonly action: ActionName | null; readonly text: string },
  extent: BodyExtent
): OverlayOutcome | null {
  const front = layers.at(-1)
  if (front === undefined) return null
  const { content } = front
  if (content.kind === 'picker') {
    const outcome = pressPicker(layers, content, key)
    if (outcome !== null) return outcome
  }
  const scroll = scrolled(front.scroll, key.action, extent)
  return scroll === null ? null : { layers: withFront(layers, (layer) => ({ ...layer, scroll })), commands: [] }
}

/** Esc or Ctrl+C on the armed front overlay; what asks for an answer has its own way out (`press-decision.ts`). */
export function closeFront(layers: readonly Layer[]): OverlayOutcome {
  return { layers: layers.slice(0, -1), commands: [] }
}

function pressPicker(
  layers: readonly Layer[],
  picker: Picker,
  { action, text }: { readonly action: ActionName | null; readonly text: string }
): OverlayOutcome | null {
  const change = (changes: Partial<Picker>): OverlayOutcome => ({
    layers: withFront(layers, (layer) => ({ ...layer, content: { ...picker, ...changes } })),
    commands: []
  })
  if (action === 'picker.choose') {
    const item = pickedItem(picker)
    return item === null ? null : { layers: layers.slice(0, -1), commands: [item.command] }
  }
  if (action === 'picker.erase') return change({ filter: [...picker.filter].slice(0, -1).join('') })
  if (action === 'overlay.up') return change(movedPick(picker, -1))
  if (action === 'overlay.down') return change(movedPick(picker, 1))
  return text === '' ? null : change({ filter: picker.filter + text })
}

function scrolled(from: number, action: ActionName | null, { lines, height }: BodyExtent): number | null {
  const last = Math.max(0, lines - height)
  const page = Math.max(1, height - 1)
  const at = Math.min(from, last)
  const clamp = (to: number) => Math.min(last, Math.max(0, to))
  switch (action) {
    case 'overlay.up':
      return clamp(at - 1)
    case 'overlay.down':
      return clamp(at + 1)
    case 'overlay.page-up':
      return clamp(at - page)
    case 'overlay.page-down':
      return clamp(at + page)
    case 'overlay.top':
      return 0
    case 'overlay.bottom':
      return last
    default:
      return null
  }
}
