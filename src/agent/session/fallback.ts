import { hasDeepTier, isFloorActive } from '../dialects/index.ts'
import type { SessionState, StepState } from './state.ts'

/**
 * The other tier, or null when there is none to fall back to: routing on, no lock, two tiers, not yet fallen back in this step,
 * and no active gate floor that the other tier would not satisfy (MODEL-060, MODEL-064).
 */
export function alternateFor(state: SessionState, step: StepState, gateFloor: number): string | null {
  const { routing, locked, models } = state.rules
  if (locked || step.fellBack || !routing.enableAutoRouting || !hasDeepTier(routing)) return null
  const { defaultModel, deepModel } = routing
  const other = step.model === defaultModel ? deepModel : step.model === deepModel ? defaultModel : null
  if (other === null || models[other] === undefined) return null
  if (other === defaultModel && isFloorActive(routing, gateFloor)) return null
  return other
}

/** What the operator is told, and the code of the turn, when no endpoint is left (MODEL-063, SESS-075). */
export function unreachable(state: SessionState, step: StepState): { readonly code: string; readonly text: string } {
  if (state.rules.locked)
    return { code: 'model-locked-down', text: `${step.model} unreachable (model locked via --model flag)` }
  if (step.fellBack) return { code: 'all-tiers-down', text: 'all model endpoints unreachable' }
  return hasDeepTier(state.rules.routing)
    ? { code: 'stream-failed', text: `${step.model} unreachable` }
    : { code: 'all-tiers-down', text: 'all model endpoints unreachable' }
}
