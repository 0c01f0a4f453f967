const perSecond = 1_000_000_000n

/** RFC 3339 in UTC with nine digits of a second, so that text sorts like time; `ns` since the epoch, not negative. */
export function rfc3339(ns: bigint): string {
  const seconds = new Date(Number((ns / perSecond) * 1000n)).toISOString().slice(0, 19)
  return `${seconds}.${(ns % perSecond).toString().padStart(9, '0')}Z`
}
