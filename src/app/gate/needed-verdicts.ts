import { type DispatchRefusal, type Gates, verdictsHolding } from '../../gate/runner/index.ts'

/** Which waiting verdicts a session without anybody to answer has come up against (OPUI-801). */
export interface NeededVerdicts {
  /** Refs that wait for a verdict now. */
  waiting(): readonly string[]
  /** Those of them that were asked for in this session or kept a run of it from starting. */
  needed(): readonly string[]
  refused(refusal: DispatchRefusal): void
}

/** What waits already belongs to an earlier session until a run is refused for it (OPUI-801). */
export function watchNeeded(gates: Gates): NeededVerdicts {
  const waiting = () => gates.passes.all().flatMap((pass) => gates.openRequests(pass).map(({ ref }) => ref))
  const earlier = new Set(waiting())
  return {
    waiting,
    needed: () => waiting().filter((ref) => !earlier.has(ref)),
    refused(refusal) {
      for (const ref of verdictsHolding(gates, refusal)) earlier.delete(ref)
    }
  }
}
