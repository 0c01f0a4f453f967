import type { Clock } from '../lib/clock.ts'
import type { CheckpointDraft, CheckpointReceipt } from '../protocol/checkpoint.ts'
import { hashOf } from './canonical.ts'
import { MemoryFailure } from './errors.ts'
import type { Identity } from './identity.ts'
import type { Log } from './log.ts'
import type { Embedder } from './ports.ts'
import { type Checkpoint, formatVersion } from './record.ts'
import { signHash } from './sign.ts'
import type { MemoryStore } from './store.ts'

// The order of MEM-076, so that a process killed between any two steps loses nothing it announced: embed; link, sign, insert and
// queue in one transaction; announce; files of the branch, commit and push afterwards, each from what SQLite has (MEM-077).

export type CheckpointParts = {
  readonly identity: Identity
  readonly store: MemoryStore
  readonly clock: Pick<Clock, 'nowNs'>
  /** Asked each time, for it may be loaded late or not at all. */
  embedder(): Embedder | null
  /** The record is on disk. Called before `create` resolves; returns at once. */
  onStored(record: Checkpoint): void
  readonly log: Log
}

/**
 * Makes checkpoints of what a session asks to be remembered (MEM-050, MEM-076). `create` rejects with `MemoryFailure` when SQLite does
 * not take one.
 */
export function createCheckpoints(parts: CheckpointParts): {
  create(draft: CheckpointDraft): Promise<CheckpointReceipt>
} {
  const { store, clock } = parts
  return {
    async create(draft) {
      const embedder = parts.embedder()
      const emb = (await embedder?.embed(draft.summary)) ?? null
      const { key, repo } = parts.identity
      const record = store.append({ device: key.device, repo }, clock.nowNs(), (next) =>
        signed({ ...fieldsOf(draft, parts.identity), ...next, emb }, key.privateKey)
      )
      if (embedder !== null && emb !== null) keepVector(record.hash, embedder.tag, emb)
      parts.onStored(record)
      return { hash: record.hash, index: store.indexInSession(record) }
    }
  }

  /** Ranking can do without; the checkpoint is kept already. */
  function keepVector(hash: string, tag: string, vector: Float32Array): void {
    try {
      store.vectors.put(hash, tag, vector)
    } catch (error) {
      if (!(error instanceof MemoryFailure)) throw error
      parts.log(`memory: ${error.message}`, 'warning')
    }
  }
}

type Unsigned = Omit<Checkpoint, 'hash' | 'sig'>

function fieldsOf(
  draft: CheckpointDraft,
  { key, author, repo, branch }: Identity
): Omit<Unsigned, 'parent' | 'ts' | 'emb'> {
  return {
    v: formatVersion,
    device: key.device,
    author: author.toWellFormed(),
    repo: repo.toWellFormed(),
    branch: branch().toWellFormed(),
    session: draft.session.toWellFormed(),
    turn: draft.turn,
    model: draft.model.toWellFormed(),
    planMode: draft.planMode,
    resumedFrom: draft.resumedFrom,
    // Clipped and redacted by the session; hashed as it is stored (MEM-015).
    summary: draft.summary.toWellFormed(),
    files: draft.files.map((file) => file.toWellFormed()),
    tools: draft.tools.map((tool) => tool.toWellFormed()),
    injections: draft.injections
  }
}

function signed(record: Unsigned, privateKey: Identity['key']['privateKey']): Checkpoint {
  const hash = hashOf(record)
  return { ...record, hash, sig: signHash(privateKey, hash) }
}
