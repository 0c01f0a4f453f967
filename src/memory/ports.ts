/** Text to vector, or nothing: an optional service (MEM-116, MEM-117). */
export interface Embedder {
  /** `<model sha256, first 12 digits>:<tokeniser>`; vectors of different tags are not comparable (MEM-114). */
  readonly tag: string
  readonly dimensions: number
  /** The unit vector of the text's first 512 tokens; null when that failed this time or for good. Never rejects. */
  embed(text: string): Promise<Float32Array | null>
  close(): Promise<void>
}

export type Similar = { readonly hash: string; readonly similarity: number }

/** Brute-force cosine over the vectors of one repository, away from the main thread (MEM-047). */
export interface VectorSearch {
  /**
   * The `limit` most similar checkpoints of `repo` with a vector of the query's size, best first, ties by newer time. The first search
   * of a repository reads its vectors into memory; the next ones take in what was stored meanwhile, by whichever process. Rejects with
   * `MemoryFailure` `store-unavailable`.
   */
  search(repo: string, query: Float32Array, limit: number): Promise<readonly Similar[]>
  close(): Promise<void>
}
