import { unreachable } from '../../src/lib/assert.ts'
import type { GhyllEvent } from '../../src/protocol/event.ts'
import { begun, chosenOf, type Decision, decisionOf } from '../overlays/decision.ts'
import { type Declaration, declarationOf } from '../overlays/declaration.ts'
import { placesLayer } from '../overlays/press-decision.ts'
import { closed, type Layer, type OverlayContent, opened } from '../overlays/stack.ts'
import type { ScreenState } from './state.ts'

/** Events about what the gate asks. */
export type GatePromptEvent = Extract<
  GhyllEvent,
  { readonly kind: 'prompt-opened' | 'prompt-closed' | 'prompt-refused' | 'op-id-answered' | 'places-read' }
>

/** What the gate asks of the operator comes and goes as overlays (OPUI-403…407). */
export function foldPrompts(state: ScreenState, event: GatePromptEvent): ScreenState {
  switch (event.kind) {
    case 'prompt-opened': {
      const { prompt, place } = event
      const content: OverlayContent =
        prompt.kind === 'declaration'
          ? declarationOf(prompt, place)
          : decisionOf(prompt, place, state.gate.drafts[prompt.item] ?? {})
      const overlay = { id: layerOf(prompt.item), content, by: 'itself', at: state.keys.lastAt } as const
      return { ...state, overlays: opened(state.overlays, overlay) }
    }
    case 'prompt-closed': {
      const overlays = closed(state.overlays, layerOf(event.item))
      return { ...state, overlays, notice: event.notice === '' ? state.notice : event.notice }
    }
    case 'prompt-refused':
      return changedPrompt(state, event.item, (content) => refused(content, `✗ ${event.text}`))
    case 'op-id-answered': {
      const { error } = event
      if (error === null) return state
      const note = `✗ invalid op-id: ${error}`
      return {
        ...state,
        overlays: state.overlays.map((layer) => withContent(layer, (content) => ({ ...content, note })))
      }
    }
    case 'places-read': {
      const id = placesLayer(event.request)
      const text = event.places.map((each) => `── ${each.place}\n${each.text}`).join('\n\n')
      return {
        ...state,
        overlays: state.overlays.map((layer) =>
          layer.id === id && layer.content.kind === 'text'
            ? { ...layer, content: { ...layer.content, body: layer.content.body.replace(/reading …$/, () => text) } }
            : layer
        )
      }
    }
    default:
      return unreachable(event)
  }
}

/** Id of the layer that presents an item. */
function layerOf(item: string): string {
  return `prompt/${item}`
}

/** The answer was not taken: back to where it was given, with all that was typed (OPUI-405, 406). */
function refused(content: Decision | Declaration, note: string): Decision | Declaration {
  if (content.kind === 'declaration') return { ...content, stage: 'review', note }
  const hasField = chosenOf(content)?.field != null
  return hasField ? { ...content, stage: 'text', note } : { ...begun(content), note }
}

function changedPrompt(
  state: ScreenState,
  item: string,
  change: (content: Decision | Declaration) => Decision | Declaration
): ScreenState {
  const id = layerOf(item)
  return { ...state, overlays: state.overlays.map((layer) => (layer.id === id ? withContent(layer, change) : layer)) }
}

function withContent(layer: Layer, change: (content: Decision | Declaration) => Decision | Declaration): Layer {
  const { content } = layer
  return content.kind === 'decision' || content.kind === 'declaration' ? { ...layer, content: change(content) } : layer
}
