import type { Command } from '../../src/protocol/command.ts'
import type { Decision } from './decision.ts'
import type { Declaration } from './declaration.ts'
import type { Help } from './help.ts'

/**
 * Overlays are one stack; only the front one gets keys, and closing it gives the focus back to where it was (TERM-50). An overlay that
 * opens by itself is unarmed until it has been painted and no key has come for 400 ms: what is typed meanwhile was meant for the
 * draft and goes there (TERM-51).
 */
export type Layer = {
  readonly id: string
  readonly content: OverlayContent
  readonly isArmed: boolean
  readonly isPainted: boolean
  /** When it opened, or a key came while it was unarmed. */
  readonly disturbedAt: number
  /** First line of the body in sight. */
  readonly scroll: number
}

export type OverlayContent =
  /** Made from the key map and the commands when it is drawn (TERM-48). */
  | Help
  /** Something to read. `body` is text from outside. */
  | { readonly kind: 'text'; readonly title: string; readonly body: string }
  | Picker
  | Decision
  | Declaration

/** A list to choose from; typing filters it. */
export type Picker = {
  readonly kind: 'picker'
  readonly title: string
  readonly items: readonly PickerItem[]
  readonly filter: string
  /** Id of the marked item; the first that matches when it is not among them. */
  readonly selected: string | null
}

export type PickerItem = {
  readonly id: string
  readonly label: string
  readonly detail: string
  readonly command: Command
}

const ARMING_MS = 400

/** Opens an overlay in front. One the operator asked for takes keys at once; one that opens by itself has to be armed. */
export function opened(
  layers: readonly Layer[],
  overlay: {
    readonly id: string
    readonly content: OverlayContent
    readonly by: 'operator' | 'itself'
    readonly at: number
  }
): Layer[] {
  const { id, content, by, at } = overlay
  const layer: Layer = { id, content, isArmed: by === 'operator', isPainted: false, disturbedAt: at, scroll: 0 }
  const others = layers.filter((each) => each.id !== id)
  // What asks by itself never covers a question that waits; it queues behind it (OPUI-743).
  const waiting = by === 'itself' ? others.findIndex((each) => isAsking(each.content)) : -1
  return waiting === -1 ? [...others, layer] : [...others.slice(0, waiting), layer, ...others.slice(waiting)]
}

/** It waits for an answer, which only a deliberate key may give (TERM-52). */
export function isAsking({ kind }: OverlayContent): boolean {
  return kind === 'decision' || kind === 'declaration'
}

/** The stack without a layer; the others stay as they are (TERM-50). */
export function closed(layers: readonly Layer[], id: string): Layer[] {
  return layers.filter((layer) => layer.id !== id)
}

/** The stack with its front layer replaced. */
export function withFront(layers: readonly Layer[], change: (front: Layer) => Layer): readonly Layer[] {
  const front = layers.at(-1)
  return front === undefined ? layers : [...layers.slice(0, -1), change(front)]
}

/** The front has been on the screen. Only now its time of quiet begins. */
export function painted(layers: readonly Layer[], now: number): readonly Layer[] {
  const front = layers.at(-1)
  if (front === undefined || front.isPainted) return layers
  return withFront(layers, (layer) => ({ ...layer, isPainted: true, disturbedAt: Math.max(layer.disturbedAt, now) }))
}

/** A key came while the front was unarmed. */
export function disturbed(layers: readonly Layer[], now: number): readonly Layer[] {
  return withFront(layers, (layer) => (layer.isArmed ? layer : { ...layer, disturbedAt: now }))
}

/** When the front can be armed if nothing disturbs it, or null when there is nothing to wait for. */
export function armingAt(layers: readonly Layer[]): number | null {
  const front = layers.at(-1)
  return front === undefined || front.isArmed || !front.isPainted ? null : front.disturbedAt + ARMING_MS
}

/** Arms the front once it is due. */
export function armed(layers: readonly Layer[], now: number): readonly Layer[] {
  const due = armingAt(layers)
  return due === null || now < due ? layers : withFront(layers, (layer) => ({ ...layer, isArmed: true }))
}

/** The front layer if it takes keys. */
export function armedFront(layers: readonly Layer[]): Layer | null {
  const front = layers.at(-1)
  return front?.isArmed ? front : null
}

/** The items a picker shows for its filter. */
export function pickerItems(picker: Picker): readonly PickerItem[] {
  const wanted = picker.filter.toLowerCase()
  return picker.items.filter(({ label, detail }) => `${label} ${detail}`.toLowerCase().includes(wanted))
}

/** The picker with the mark `by` items further, down if positive, as far as there are any. */
export function movedPick(picker: Picker, by: number): Picker {
  const items = pickerItems(picker)
  const at = items.findIndex(({ id }) => id === pickedItem(picker)?.id)
  const next = items[Math.min(items.length - 1, Math.max(0, at + by))]
  return { ...picker, selected: next?.id ?? null }
}

/** The marked item among those shown. */
export function pickedItem(picker: Picker): PickerItem | null {
  const items = pickerItems(picker)
  return items.find(({ id }) => id === picker.selected) ?? items[0] ?? null
}
