/** A repeatable chooser: `choose(n)` is 0…n-1, the same sequence for the same seed in every process. */
export function numbersOf(seed: number): (n: number) => number {
  let state = (seed ^ 0x9e3779b9) >>> 0
  return (n) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % n
  }
}
