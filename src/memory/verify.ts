import type { KeyObject } from 'node:crypto'
import { hashMatches } from './canonical.ts'
import type { Checkpoint } from './record.ts'
import { signatureMatches } from './sign.ts'

/**
 * Why a checkpoint is not trusted (MEM-021). `unverifiable_version` is a mismatch in a format newer than ours: it need not have been
 * tampered with (MEM-005). `broken_chain` is found by looking at a whole chain (`chain.ts`).
 */
export type DistrustReason = 'hash_mismatch' | 'unverifiable_version' | 'unknown_key' | 'bad_signature' | 'broken_chain'

/** The key registered for a device now, or null. */
export type KeyLookup = (device: string) => KeyObject | null

/** null when hash and signature hold under the device's key, else the reason; says nothing about the chain (MEM-021). */
export function distrust(record: Checkpoint, keyFor: KeyLookup): DistrustReason | null {
  if (!hashMatches(record)) return record.v > 2 ? 'unverifiable_version' : 'hash_mismatch'
  const key = keyFor(record.device)
  if (key === null) return 'unknown_key'
  return signatureMatches(key, record.hash, record.sig) ? null : 'bad_signature'
}
