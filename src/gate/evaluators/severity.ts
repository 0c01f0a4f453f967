import { isSeverity, severityRank as rankOf } from '../runner/index.ts'

/** info 0 … critical 4 (GATE-65); a word outside the five ranks as high, so that it is never the reason to pass (CONC-43). */
export function severityRank(severity: string): number {
  return rankOf(isSeverity(severity) ? severity : 'high')
}
