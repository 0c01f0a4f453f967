import type { DispatchRefusal } from './dispatch/types.ts'
import type { Gates } from './gates.ts'

/**
 * Refs of the verdicts a refused dispatch is waiting for: those of the pass that holds its lock, or of what is open on the arrow it
 * comes after (OPUI-801). Empty for every other refusal.
 */
export function verdictsHolding(gates: Gates, refused: DispatchRefusal): readonly string[] {
  const holds = (pass: { readonly id: string; readonly arrowId: string }) =>
    ('passId' in refused && refused.passId === pass.id) ||
    ('upstreamArrow' in refused && refused.upstreamArrow === pass.arrowId)
  return gates.passes
    .all()
    .filter(({ record }) => holds(record))
    .flatMap((pass) => gates.openRequests(pass).map(({ ref }) => ref))
}
