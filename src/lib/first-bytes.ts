/**
 * The first `maxBytes` of what arrives, and whether there was more. What is not wanted is not waited for: leaving the loop ends the
 * stream, as of a body that is still coming.
 */
export async function firstBytes(
  chunks: AsyncIterable<Uint8Array> | null,
  maxBytes: number
): Promise<{ readonly bytes: Buffer; readonly isCut: boolean }> {
  const kept: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks ?? []) {
    kept.push(chunk)
    length += chunk.length
    if (length > maxBytes) break
  }
  return { bytes: Buffer.concat(kept).subarray(0, maxBytes), isCut: length > maxBytes }
}
