import type { Command } from '../../src/protocol/command.ts'
import type { ActionName } from '../keys/index.ts'
import { type Layer, movedPick, type Picker, pickedItem, withFront } from './stack.ts'

/** What a key did to the front overlay. `layers` without it means that it closed. */
export type OverlayOutcome = { readonly layers: readonly Layer[]; readonly commands: readonly Command[] }

/** How far the body of the front can scroll, as laid out (`body.ts`). */
export type BodyExtent = { readonly lines: number; readonly height: number }

type TypedKey = { readonly action: ActionName | null; readonly text: string }

/** A key for the armed front overlay; null when it means nothing there. */
export function pressOverlay(layers: readonly Layer[], key: TypedKey, extent: BodyExtent): OverlayOutcome | null {
  const front = layers.at(-1)
  if (front === undefined) return null
  const { content } = front
  if (content.kind === 'picker') {
    const outcome = pressPicker(layers, content, key)
    if (outcome !== null) return outcome
  }
  const filter = content.kind === 'help' ? filtered(content.filter, key) : null
  if (content.kind === 'help' && filter !== null) {
    return {
      layers: withFront(layers, (layer) => ({ ...layer, content: { ...content, filter }, scroll: 0 })),
      commands: []
    }
  }
  const scroll = scrolled(front.scroll, key.action, extent)
  return scroll === null ? null : { layers: withFront(layers, (layer) => ({ ...layer, scroll })), commands: [] }
}

/** Esc or Ctrl+C on the armed front overlay; what asks for an answer has its own way out (`press-decision.ts`). */
export function closeFront(layers: readonly Layer[]): OverlayOutcome {
  return { layers: layers.slice(0, -1), commands: [] }
}

function pressPicker(layers: readonly Layer[], picker: Picker, key: TypedKey): OverlayOutcome | null {
  const change = (changes: Partial<Picker>): OverlayOutcome => ({
    layers: withFront(layers, (layer) => ({ ...layer, content: { ...picker, ...changes } })),
    commands: []
  })
  const { action } = key
  if (action === 'picker.choose') {
    const item = pickedItem(picker)
    return item === null ? null : { layers: layers.slice(0, -1), commands: [item.command] }
  }
  if (action === 'overlay.up') return change(movedPick(picker, -1))
  if (action === 'overlay.down') return change(movedPick(picker, 1))
  const filter = filtered(picker.filter, key)
  return filter === null ? null : change({ filter })
}

/** What is filtered for after a key, or null when the key is none for it. */
function filtered(filter: string, { action, text }: TypedKey): string | null {
  if (action === 'picker.erase') return [...filter].slice(0, -1).join('')
  return text === '' ? null : filter + text
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
