const listed = 5

/**
 * Counts all occurrences of `needle`, overlapping ones included (TOOL-047), and lists where the first five start. Knuth, Morris and
 * Pratt's search: linear in both lengths, whatever repeats.
 */
export function findOccurrences(
  bytes: Uint8Array,
  needle: Uint8Array
): { readonly count: number; readonly starts: readonly number[] } {
  const borders = bordersOf(needle)
  const starts: number[] = []
  let count = 0
  let matched = 0
  for (let at = 0; at < bytes.length; at += 1) {
    while (matched > 0 && bytes[at] !== needle[matched]) matched = borders[matched - 1] as number
    if (bytes[at] === needle[matched]) matched += 1
    if (matched === needle.length) {
      count += 1
      if (starts.length < listed) starts.push(at + 1 - needle.length)
      matched = borders[matched - 1] as number
    }
  }
  return { count, starts }
}

/** For every prefix, the length of its longest proper prefix that is also its end. */
function bordersOf(needle: Uint8Array): Uint32Array {
  const borders = new Uint32Array(needle.length)
  let length = 0
  for (let at = 1; at < needle.length; at += 1) {
    while (length > 0 && needle[at] !== needle[length]) length = borders[length - 1] as number
    if (needle[at] === needle[length]) length += 1
    borders[at] = length
  }
  return borders
}
