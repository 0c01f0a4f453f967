import { assert } from '../../lib/assert.ts'
import { isHash, isSafeSegment } from '../record.ts'

// Paths on the memory branch (MEM-060), with `/` as git has them. Every part is checked before a path is built (MEM-013).

export const devicesFolder = 'devices'

/** The public key of a device (MEM-060). */
export function keyPath(device: string): string {
  return `${devicesFolder}/${segment(device)}.pub`
}

/** The chains of one repository (MEM-060, MEM-061). */
export function chainsFolder(repoHash: string): string {
  return `repos/${hash(repoHash)}/chains`
}

/** The chain of one device in one repository (MEM-060). */
export function chainPath(repoHash: string, device: string): string {
  return `${chainsFolder(repoHash)}/${segment(device)}.jsonl`
}

/** The checkpoints of one repository (MEM-060, MEM-061). */
export function checkpointsFolder(repoHash: string): string {
  return `repos/${hash(repoHash)}/checkpoints`
}

/** One checkpoint, named after its hash (MEM-060, MEM-064). */
export function checkpointPath(repoHash: string, checkpoint: string): string {
  return `${checkpointsFolder(repoHash)}/${hash(checkpoint)}.json`
}

/** The hash a checkpoint file is named after, or null for a path of something else (MEM-060). */
export function checkpointOf(path: string): string | null {
  return /^repos\/[0-9a-f]{64}\/checkpoints\/([0-9a-f]{64})\.json$/.exec(path)?.[1] ?? null
}

/** Whether a path is that of a chain (MEM-060). */
export function isChainPath(path: string): boolean {
  return /^repos\/[0-9a-f]{64}\/chains\/[^/]+\.jsonl$/.test(path)
}

/** Whether a path is one that belongs on the branch (MEM-060); whoever may push can add others, and they go no further. */
export function isOnBranch(path: string): boolean {
  return checkpointOf(path) !== null || isChainPath(path) || /^devices\/[^/]+\.pub$/.test(path)
}

function segment(text: string): string {
  assert(isSafeSegment(text), `${JSON.stringify(text)} is no safe path segment`)
  return text
}

function hash(text: string): string {
  assert(isHash(text), `${JSON.stringify(text)} is no hash`)
  return text
}
