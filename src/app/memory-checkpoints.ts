import { createHash } from 'node:crypto'
import type { CheckpointDraft, CheckpointReceipt } from '../protocol/checkpoint.ts'

/**
 * Checkpoints of a process without the memory wing: numbered and hashed, so that handoffs can name them, and gone at exit.
 */
export function createMemoryCheckpoints(): { create(draft: CheckpointDraft): Promise<CheckpointReceipt> } {
  const perSession = new Map<string, number>()
  return {
    async create(draft) {
      const index = perSession.get(draft.session) ?? 0
      perSession.set(draft.session, index + 1)
      const hash = createHash('sha256')
        .update(JSON.stringify([index, draft]))
        .digest('hex')
      return { hash, index }
    }
  }
}
