/** What a program wrote to one stream: the first bytes up to a cap, and how many there were altogether. */
export type Captured = { readonly bytes: Buffer; readonly totalBytes: number }

export type Capture = { add(chunk: Buffer): void; captured(): Captured }

/** Keeps the first `capBytes` and counts the rest, so that a flood costs no memory while the program goes on. */
export function createCapture(capBytes: number): Capture {
  const chunks: Buffer[] = []
  let kept = 0
  let total = 0
  return {
    add(chunk) {
      total += chunk.length
      if (kept >= capBytes) return
      const part = chunk.subarray(0, capBytes - kept)
      chunks.push(part)
      kept += part.length
    },
    captured: () => ({ bytes: Buffer.concat(chunks, kept), totalBytes: total })
  }
}
