import { floorOf, type Gates } from '../../gate/runner/index.ts'
import type { TransientEvent } from '../../protocol/event.ts'
import type { DepthRank } from '../../protocol/grid.ts'

/** The open pass that asks for the deepest model, and how deep (SESS-074); null when none of them needs any. */
export function floorOfOpen(
  gates: Gates
): { readonly arrowId: string; readonly passId: string; readonly floor: DepthRank } | null {
  let highest: ReturnType<typeof floorOfOpen> = null
  for (const { record, arrow } of gates.passes.all()) {
    const result = floorOf(arrow.clauses)
    const floor = result.kind === 'floor' ? result.floor : 0
    if (floor > (highest?.floor ?? 0)) highest = { arrowId: record.arrowId, passId: record.id, floor }
  }
  return highest
}

/** What the floor did to a turn's routing is an operator event of the pass that set it (ROUTE-009). */
export function announceRoute(
  gates: Gates,
  { outcome, requiredRank, model }: Extract<TransientEvent, { kind: 'gate-routed' }>
): void {
  const by = floorOfOpen(gates)
  if (by === null) return
  gates.bus.publish({
    kind: 'gate-routing',
    arrow_id: by.arrowId,
    pass_id: by.passId,
    payload: { required_rank: `${requiredRank}`, model, outcome }
  })
}
