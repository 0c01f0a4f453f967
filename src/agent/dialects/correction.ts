/**
 * How far the estimate has been off, by model name: a fold of what endpoints reported (MODEL-011). A ratio above 1 makes later
 * estimates larger and compaction earlier; one below 1 is remembered and changes nothing.
 */
export type Corrections = ReadonlyMap<string, number>

/** Nothing was learnt yet. */
export const noCorrections: Corrections = new Map()

const weight = 0.3
const clamp = (ratio: number) => Math.min(2, Math.max(0.5, ratio))

/** After a response with usage: `estimated` is the uncorrected estimate of the request that `reported` prompt tokens came for. */
export function observeUsage(
  corrections: Corrections,
  model: string,
  { reported, estimated }: { readonly reported: number; readonly estimated: number }
): Corrections {
  if (!(reported > 0 && estimated > 0)) return corrections
  const observed = clamp(reported / estimated)
  const before = corrections.get(model)
  return withRatio(corrections, model, before === undefined ? observed : before + weight * (observed - before))
}

/** After a rejection as too long: a request estimated at `estimated` evidently did not fit `maxContext`. */
export function observeRejection(
  corrections: Corrections,
  model: string,
  { maxContext, estimated }: { readonly maxContext: number; readonly estimated: number }
): Corrections {
  if (!(maxContext > 0 && estimated > 0)) return corrections
  const atLeast = clamp(maxContext / estimated)
  return withRatio(corrections, model, Math.max(corrections.get(model) ?? atLeast, atLeast))
}

/** What estimates for `model` are multiplied by; never below 1. */
export function correctionFor(corrections: Corrections, model: string): number {
  return Math.max(1, corrections.get(model) ?? 1)
}

function withRatio(corrections: Corrections, model: string, ratio: number): Corrections {
  return new Map(corrections).set(model, clamp(ratio))
}
