import type { Embedder } from './ports.ts'
import type { Checkpoint } from './record.ts'
import type { Trust, Verdict } from './trust.ts'
import type { VaultHit } from './vault-client.ts'
import { cosine } from './vector-matrix.ts'

export type Refused = { readonly record: Checkpoint; readonly verdict: Verdict & { readonly trusted: false } }

/** What is left of a vault's answer: checkpoints to use, best first, and those that do not verify (MEM-101). */
export type CheckedAnswer = { readonly hits: readonly VaultHit[]; readonly refused: readonly Refused[] }

export type AnswerCheck = {
  readonly trust: Pick<Trust, 'verdictOn'>
  readonly embedder: Embedder | null
  /** Identity of the repository that was asked for; a vault may answer with anything. */
  readonly repo: string
  readonly query: Float32Array
}

/**
 * Verifies every checkpoint of a vault's answer by what is known here, and ranks the sound ones by similarities computed here (MEM-101,
 * MEM-115). One that continues another sound one of the same answer is as good as one that continues a stored chain.
 */
export async function checkAnswer(hits: readonly VaultHit[], check: AnswerCheck): Promise<CheckedAnswer> {
  const { trust, repo } = check
  const asked = hits.filter(({ record }) => record.repo === repo)
  const sound: VaultHit[] = []
  const refused: Refused[] = []
  for (const hit of asked.toSorted((a, b) => (a.record.ts < b.record.ts ? -1 : 1))) {
    const { record } = hit
    if (sound.some((other) => other.record.hash === record.hash)) continue
    const verdict = await trust.verdictOn(record)
    if (verdict.trusted || continues(record, verdict, sound)) sound.push(hit)
    else refused.push({ record, verdict })
  }
  const ranked = await Promise.all(sound.map((hit) => ranking(hit, check)))
  return { hits: ranked.toSorted((a, b) => b.similarity - a.similarity), refused }
}

/** The only thing that spoke against it is that nobody here knew its parent (MEM-053). */
function continues(record: Checkpoint, verdict: Refused['verdict'], sound: readonly VaultHit[]): boolean {
  if (verdict.reason !== 'broken_chain' || verdict.brokenAt !== record.hash) return false
  return sound.some(
    ({ record: { hash, device, repo } }) => hash === record.parent && device === record.device && repo === record.repo
  )
}

async function ranking({ record, similarity }: VaultHit, { embedder, query }: AnswerCheck): Promise<VaultHit> {
  const own = (await embedder?.embed(record.summary)) ?? record.emb
  const comparable = own !== null && own.length === query.length
  return { record, similarity: comparable ? cosine(own, query) : similarity }
}
