import type { Embedder } from './ports.ts'
import type { MemoryStore } from './store.ts'

/**
 * Gives checkpoints of `repo` that this embedder has not seen a vector of their own, newest first (MEM-115); stops at `limit`, at the
 * signal and when the embedder fails. Returns how many got one.
 */
export async function embedMissing(
  store: MemoryStore,
  embedder: Embedder,
  repo: string,
  limit: number,
  signal: AbortSignal
): Promise<number> {
  let done = 0
  for (const { hash, summary } of store.vectors.missing(repo, embedder.tag, limit)) {
    if (signal.aborted) break
    const vector = await embedder.embed(summary)
    if (vector === null) break
    store.vectors.put(hash, embedder.tag, vector)
    done += 1
  }
  return done
}

/** The vector of one checkpoint by this embedder, made and kept when it has none; null when the embedder fails (MEM-115, CTX-043). */
export async function vectorFor(
  store: MemoryStore,
  embedder: Embedder,
  { hash, summary }: { readonly hash: string; readonly summary: string }
): Promise<Float32Array | null> {
  const kept = store.vectors.get(hash, embedder.tag)
  if (kept !== null) return kept
  const vector = await embedder.embed(summary)
  if (vector !== null && store.has(hash)) store.vectors.put(hash, embedder.tag, vector)
  return vector
}
