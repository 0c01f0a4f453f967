import type { Embedder, VectorSearch } from './ports.ts'
import { embedMissing } from './reembed.ts'
import type { Listing, MemoryStore } from './store.ts'

/** What a search by meaning needs; without it the full text alone answers. */
export type Semantic = { readonly embedder: Embedder; readonly vectors: VectorSearch }

const wanted = 10
/** How far each ranking is looked at before they are merged. */
const depth = 50
/** The usual constant of reciprocal rank fusion: it keeps one first place from deciding alone. */
const fusion = 60
/** Checkpoints of one repository that get a vector while a search waits. */
const madeWhileWaiting = 500
const patienceMs = 3000

/**
 * Checkpoints for a query: by hash when it is the beginning of one, else the best ten by meaning and by words, of `repo` or (null) of all
 * (CLI-013, MEM-047). Throws `MemoryFailure`.
 */
export async function searchMemory(
  query: string,
  repo: string | null,
  store: MemoryStore,
  semantic: Semantic | null
): Promise<readonly Listing[]> {
  if (/^[0-9a-f]{6,64}$/.test(query)) return store.withPrefix(query, wanted)
  const byWords = store.fullText.search(query, repo, depth)
  const repos = repo === null ? store.repos() : [repo]
  const byMeaning = semantic === null ? [] : await nearest(query, repos, store, semantic)
  return mergeRanks([byMeaning, byWords])
    .slice(0, wanted)
    .flatMap((hash) => store.listing(hash) ?? [])
}

/** Reciprocal rank fusion (CLI-013): the sum of 1 / (60 + place) over all rankings, best first; earlier rankings win ties. */
export function mergeRanks(rankings: readonly (readonly string[])[]): readonly string[] {
  const scores = new Map<string, number>()
  for (const ranking of rankings)
    for (const [place, hash] of ranking.entries()) scores.set(hash, (scores.get(hash) ?? 0) + 1 / (fusion + place + 1))
  return [...scores].toSorted((a, b) => b[1] - a[1]).map(([hash]) => hash)
}

/** What this embedder has not seen gets its vector now, as far as an asking person can wait for it (MEM-115). */
async function nearest(
  query: string,
  repos: readonly string[],
  store: MemoryStore,
  { embedder, vectors }: Semantic
): Promise<readonly string[]> {
  const vector = await embedder.embed(query)
  if (vector === null) return []
  const patience = AbortSignal.timeout(patienceMs)
  const found = []
  for (const repo of repos) {
    await embedMissing(store, embedder, repo, madeWhileWaiting, patience)
    found.push(...(await vectors.search(repo, vector, depth)))
  }
  return found
    .toSorted((a, b) => b.similarity - a.similarity)
    .slice(0, depth)
    .map(({ hash }) => hash)
}
