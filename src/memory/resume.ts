import type { Identity } from './identity.ts'
import { noteOf } from './note.ts'
import type { MemoryStore } from './store.ts'
import { distrustFailure, type Trust } from './trust.ts'

/** What a session resumes from (SESS-123…125). */
export type Resumed = {
  readonly note: string
  readonly turn: number
  readonly planMode: boolean
  readonly from: { readonly session: string; readonly hash: string }
}

export type ResumeAnswer = {
  /** null: nothing to resume (SESS-126). */
  readonly found: Resumed | null
  /** Why newer sessions were passed over, without glyph (SESS-122). */
  readonly warnings: readonly string[]
}

/**
 * The last checkpoint of the newest session of this device here whose last checkpoint can be trusted (SESS-120…122). Throws
 * `MemoryFailure` when the store cannot be read.
 */
export async function chooseResume(
  { key, repo }: Pick<Identity, 'key' | 'repo'>,
  store: MemoryStore,
  trust: Trust,
  clean: (text: string) => string
): Promise<ResumeAnswer> {
  // One fault may stand behind every session since.
  const warnings = new Set<string>()
  for (const hash of store.lastOfSessions({ device: key.device, repo })) {
    const record = store.get(hash)
    if (record === null) continue
    const verdict = await trust.verdictOn(record)
    if (!verdict.trusted) {
      warnings.add(distrustFailure(record, verdict).message)
      continue
    }
    const { session, turn, planMode } = record
    return { found: { note: noteOf(record, clean), turn, planMode, from: { session, hash } }, warnings: [...warnings] }
  }
  return { found: null, warnings: [...warnings] }
}
