import type { SessionState, StepState } from './state.ts'

/**
 * The other tier, or null when there is none to fall back to: routing on, no lock, two tiers, not yet fallen back in this step,
 * and no active gate floor that the other tier would not satisfy (MODEL-060, MODEL-064).
 */
export function alternateFor(state: SessionState, step: StepState, gateFloor: number): string | null {
  const { routing, locked, models } = state.rules
  const { defaultModel, deepModel } = routing
  if (locked || step.fellBack || !routing.enableAutoRouting) return null
  if (deepModel === null || deepModel === defaultModel) return null
  const other = step.model === defaultModel ? deepModel : step.model === deepModel ? defaultModel : null
  if (other === null || models[other] === undefined) return null
  if (other === defaultModel && isFloorActive(state, gateFloor)) return null
  return other
}

/** ROUTE-002. */
function isFloorActive({ rules }: SessionState, gateFloor: number): boolean {
  const { gateFloorDisabled, gateFloorEscalateAtRank } = rules.routing
  return !gateFloorDisabled && gateFloorEscalateAtRank > 0 && gateFloor >= gateFloorEscalateAtRank
}

/** What the operator is told, and the code of the turn, when no endpoint is left (MODEL-063, SESS-075). */
export function unreachable(state: SessionState, step: StepState): { readonly code: string; readonly text: string } {
  if (state.rules.locked)
    return { code: 'model-locked-down', text: `${step.model} unreachable (model locked via --model flag)` }
  if (step.fellBack) return { code: 'all-tiers-down', text: 'all model endpoints unreachable' }
  const { defaultModel, deepModel } = state.rules.routing
  const isOnlyOne = deepModel === null || deepModel === defaultModel
  return isOnlyOne
    ? { code: 'all-tiers-down', text: 'all model endpoints unreachable' }
    : { code: 'stream-failed', text: `${step.model} unreachable` }
}
