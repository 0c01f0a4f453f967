import type { Clock } from '../../lib/clock.ts'
import type { Stamp } from './records.ts'

const second = 1_000_000_000n

/** RFC 3339 UTC with all nine digits, so that texts sort as times do (RUN-300). */
export function stampOf(ns: bigint): Stamp {
  const whole = new Date(Number(ns / 1_000_000n)).toISOString().slice(0, 19)
  return `${whole}.${(ns % second).toString().padStart(9, '0')}Z`
}

/** Nanoseconds of a stamp, or null when the text is none. */
export function nsOf(stamp: Stamp): bigint | null {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z$/.exec(stamp)
  const ms = match === null ? Number.NaN : Date.parse(`${match[1]}Z`)
  if (match === null || Number.isNaN(ms)) return null
  return BigInt(ms) * 1_000_000n + BigInt((match[2] ?? '').padEnd(9, '0'))
}

/** Time of one project: never earlier than anything it was told about, so that a clock set back makes no verdict look fresh (RUN-232). */
export interface Stamps {
  nowNs(): bigint
  now(): Stamp
  /** Everything stamped from here on is later than this. */
  after(seen: Stamp | bigint): void
}

/** Times that never go back, whatever the clock does, with nanoseconds (RUN-300). */
export function createStamps(clock: Clock): Stamps {
  let last = 0n
  const nowNs = () => {
    const wall = clock.nowNs()
    last = wall > last ? wall : last + 1n
    return last
  }
  return {
    nowNs,
    now: () => stampOf(nowNs()),
    after(seen) {
      const ns = typeof seen === 'bigint' ? seen : (nsOf(seen) ?? 0n)
      if (ns > last) last = ns
    }
  }
}
