import type { BenchPlace } from './bench-place.ts'

/** One line of the report: what was measured beside what is promised. */
export type Row = {
  readonly what: string
  readonly value: number
  readonly unit: 'ms' | 's' | 'kB' | 'MiB' | 'bytes'
  /** Upper limit in the same unit; absent for a figure that is only shown. */
  readonly target?: number
  readonly note?: string
}

export type BenchOptions = {
  /** Runs a figure is the median of, after a warm-up (TERM-74). */
  readonly runs: number
  /** Lines behind the loaded transcript. */
  readonly historyLines: number
  /** Rows of the searched memory. */
  readonly checkpoints: number
  /** Evaluation rows behind a start of the gate; a tenth of that are attestations. */
  readonly evaluations: number
  /** Arrows of the grid that is looked at. */
  readonly arrows: number
}

/** A figure of its own: takes its measurements and answers with rows. A rejection is reported, not fatal. */
export type Figure = {
  readonly name: string
  /** Requirement it reports on. */
  readonly id: string
  measure(place: BenchPlace, options: BenchOptions): Promise<readonly Row[]>
}

/** The middle of the values; of an even number the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  return (percentile(values, 0.5, 'low') + percentile(values, 0.5, 'high')) / 2
}

/** The value below which `share` of the values lie (nearest rank). */
export function percentile(values: readonly number[], share: number, side: 'low' | 'high' = 'low'): number {
  const sorted = [...values].sort((a, b) => a - b)
  const rank = side === 'low' ? Math.ceil(share * sorted.length) - 1 : Math.floor(share * sorted.length)
  const value = sorted[Math.min(Math.max(rank, 0), sorted.length - 1)]
  if (value === undefined) throw new Error('nothing was measured')
  return value
}
