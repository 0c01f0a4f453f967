import { closeSync, constants, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '../../../lib/error.ts'
import { openRegular } from './append.ts'
import { treeRoot } from './paths.ts'

/** What stands in the way of reading the tree: where, relative to the project, and what. */
type TreeTrouble = { readonly path: string; readonly why: string }

export type TreeFiles =
  | { readonly kind: 'missing' }
  /** Project-relative paths in sorted order. */
  | { readonly kind: 'found'; readonly files: readonly string[]; readonly trouble: readonly TreeTrouble[] }

/** Whether anything stands where the tree should be (ATT-500). */
export function treeExists(projectDir: string): boolean {
  return lstatSync(join(projectDir, treeRoot), { throwIfNoEntry: false }) !== undefined
}

/** Every `*.jsonl` below the tree root, at any depth, sorted; links are trouble wherever they are (ATT-500). */
export function findTreeFiles(projectDir: string): TreeFiles {
  const root = lstatSync(join(projectDir, treeRoot), { throwIfNoEntry: false })
  if (root === undefined) return { kind: 'missing' }
  if (!root.isDirectory())
    return { kind: 'found', files: [], trouble: [{ path: treeRoot, why: 'the root is no directory' }] }
  const files: string[] = []
  const trouble: TreeTrouble[] = []
  const waiting = [treeRoot]
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of entriesOf(projectDir, folder, trouble)) {
      const path = `${folder}/${entry.name}`
      if (entry.isSymbolicLink()) trouble.push({ path, why: 'symbolic link' })
      else if (entry.isDirectory()) waiting.push(path)
      else if (!entry.name.endsWith('.jsonl')) continue
      else if (entry.isFile()) files.push(path)
      else trouble.push({ path, why: 'no regular file' })
    }
  }
  return { kind: 'found', files: files.sort(), trouble }
}

/** The whole of a regular file, links not followed. Throws the system's error or `attestation-tree-symlink` (ATT-500). */
export function readRegular(path: string): Buffer {
  const descriptor = openRegular(path, constants.O_RDONLY)
  try {
    return readFileSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function entriesOf(projectDir: string, folder: string, trouble: TreeTrouble[]) {
  try {
    return readdirSync(join(projectDir, folder), { withFileTypes: true })
  } catch (error) {
    trouble.push({ path: folder, why: messageOf(error) })
    return []
  }
}
