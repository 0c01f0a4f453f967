import { unreachable } from '../lib/assert.ts'
import { type Checkpoint, distrust, hashMatches, type KeyLookup } from '../memory/index.ts'
import type { InsertOutcome } from './store.ts'

/** The answer to a push: status and its one line of text, empty for a success. */
export type Answer = { readonly status: 201 | 403 | 409; readonly text: string }

export type Reception = {
  /** null checks no signature: for tests, loudly announced (MEM-095). */
  readonly keyFor: KeyLookup | null
  insert(record: Checkpoint, verified: boolean): InsertOutcome
}

/** Judges a pushed record, cheap checks first, and keeps it if nothing speaks against it (MEM-093). */
export function receive(record: Checkpoint, { keyFor, insert }: Reception): Answer {
  if (keyFor === null) {
    if (!hashMatches(record)) return refused('hash mismatch')
    return settled(insert(record, false))
  }
  const reason = distrust(record, keyFor)
  switch (reason) {
    case null:
      return settled(insert(record, true))
    case 'hash_mismatch':
    case 'unverifiable_version':
      return refused('hash mismatch')
    case 'unknown_key':
      return refused('unknown device key')
    case 'bad_signature':
    case 'broken_chain':
      return refused('signature verification failed')
    default:
      return unreachable(reason)
  }
}

function settled(outcome: InsertOutcome): Answer {
  switch (outcome) {
    case 'stored':
      return { status: 201, text: '' }
    case 'already-exists':
      return { status: 409, text: 'already exists' }
    case 'root-pinned':
      return refused('chain root already pinned for device')
    default:
      return unreachable(outcome)
  }
}

function refused(text: string): Answer {
  return { status: 403, text }
}
