import { closeSync, fstatSync, openSync, readSync, type Stats } from 'node:fs'
import { messageOf, systemCodeOf } from '../../lib/error.ts'
import { MemoryFailure } from '../errors.ts'

/** Nothing larger is downloaded or loaded (MEM-125). */
export const maxModelBytes = 1024 ** 3

/**
 * Looks whether the file can be a model at all, before a runtime is loaded for it: a regular file, not empty, at most 1 GiB, and no
 * web page or pointer in its place. Returns its size in bytes. Throws `MemoryFailure` `embedder-unavailable` (MEM-117), whose message
 * calls the file `name`.
 */
export function checkModelFile(path: string, name = path): number {
  const { stats, beginning } = lookAt(path)
  const refuse = (problem: string) =>
    new MemoryFailure(
      'embedder-unavailable',
      `${name} ${problem}`,
      { path },
      { hint: 'run `ghyll memory fetch-embedder --force`' }
    )
  if (!stats.isFile()) throw refuse('is not a regular file')
  if (stats.size === 0) throw refuse('is empty')
  if (stats.size > maxModelBytes) throw refuse(`has ${stats.size} bytes, more than 1 GiB`)
  if (/^\ufeff?\s*<(!doctype|html|head|body|\?xml|!--)/i.test(beginning)) throw refuse('is a web page, not a model')
  if (beginning.startsWith('version https://git-lfs')) throw refuse('is a Git LFS pointer, not a model')
  return stats.size
}

function lookAt(path: string): { readonly stats: Stats; readonly beginning: string } {
  let descriptor: number
  try {
    descriptor = openSync(path, 'r')
  } catch (error) {
    const missing = systemCodeOf(error) === 'ENOENT'
    throw new MemoryFailure(
      'embedder-unavailable',
      missing ? `no model at ${path}` : `cannot read ${path}: ${messageOf(error)}`,
      { path },
      { cause: error, hint: missing ? 'run `ghyll memory fetch-embedder`' : undefined }
    )
  }
  try {
    const stats = fstatSync(descriptor)
    const bytes = Buffer.alloc(512)
    const count = stats.isFile() ? readSync(descriptor, bytes, 0, bytes.length, 0) : 0
    return { stats, beginning: bytes.toString('utf8', 0, count) }
  } finally {
    closeSync(descriptor)
  }
}
