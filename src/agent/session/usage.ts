import type { UsagePurpose } from '../../protocol/event.ts'
import type { Usage } from '../../protocol/model.ts'
import type { Item } from './facts.ts'
import type { Trip } from './steps.ts'

/** Usage as reported, else the estimates of request and answer (CTX-086, WB-040). */
export function usageOf(
  reported: Usage | null,
  estimate: { readonly prompt: number; readonly completion: number }
): { readonly usage: Usage; readonly estimated: boolean } {
  if (reported !== null) return { usage: reported, estimated: false }
  return { usage: { ...estimate, total: estimate.prompt + estimate.completion }, estimated: true }
}

/** Round trips as events, one each (WB-040, WB-041). */
export function usageEvents(trips: readonly Trip[], purpose: UsagePurpose): readonly Item[] {
  return trips.map((trip) => ({ kind: 'usage-counted', purpose, ...trip }))
}
