/** Milliseconds since the epoch by a clock that never jumps: key times, arming and notices are compared with it. */
export function nowMs(): number {
  return performance.timeOrigin + performance.now()
}
