import { createHash, randomBytes } from 'node:crypto'
import type { Stats } from 'node:fs'
import { access, constants, type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncFolder } from '../../platform/atomic-file.ts'
import { ToolFailure } from './errors.ts'

const tempPrefix = '.ghyll-edit-'
const dayMs = 24 * 60 * 60 * 1000

/** Digest of a file's content, lower-case hex, by which a change in the meantime is noticed. */
export const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

export type Replacement = {
  /** Final target, no symbolic link. */
  readonly target: string
  /** What is there now, or null for a new file. */
  readonly existing: Stats | null
  readonly bytes: Buffer
  /** Hash the present content must still have just before it is replaced; otherwise `file modified during edit`. */
  readonly expected?: string
  readonly signal: AbortSignal
  readonly onStaged?: ((path: string) => Promise<void>) | undefined
}

/**
 * Puts new content in place of a file in one step (TOOL-040, TOOL-045): a temporary file in the same folder gets content, owner and
 * mode and is synced, the present content is compared once more, then comes the rename. Whatever fails before that, the signal
 * included, leaves the original as it was and no temporary file behind. A hard-linked file is written in place (TOOL-044).
 */
export async function replaceFile(replacement: Replacement): Promise<void> {
  const { target, existing, bytes, signal } = replacement
  // A rename would replace even a file its owner has marked read-only.
  if (existing !== null) await access(target, constants.W_OK)
  const temp = join(dirname(target), `${tempPrefix}${randomBytes(8).toString('hex')}`)
  try {
    await stage(temp, bytes, existing)
    await replacement.onStaged?.(target)
    await assertUnchanged(replacement)
    signal.throwIfAborted()
    if (existing !== null && existing.nlink > 1) await overwrite(target, bytes)
    else await rename(temp, target)
    syncFolder(dirname(target))
  } finally {
    await rm(temp, { force: true })
  }
}

async function stage(temp: string, bytes: Buffer, existing: Stats | null): Promise<void> {
  // Exclusive and with an unpredictable name (TOOL-107); a new file's mode is 0644 without the umask.
  const handle = await open(temp, 'wx', existing === null ? 0o644 : 0o600)
  try {
    await handle.writeFile(bytes)
    if (existing !== null) await takeOver(handle, existing)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function takeOver(handle: FileHandle, existing: Stats): Promise<void> {
  const own = await handle.stat()
  if (own.uid !== existing.uid || own.gid !== existing.gid) {
    try {
      await handle.chown(existing.uid, existing.gid)
    } catch {
      // Only the superuser may give files away; keeping the owner is tried, not promised.
    }
  }
  // After the owner, because a change of owner takes mode bits away.
  await handle.chmod(existing.mode & 0o7777)
}

async function assertUnchanged({ target, expected }: Replacement): Promise<void> {
  if (expected === undefined) return
  const present = await readFile(target).catch(() => null)
  if (present === null || sha256(present) !== expected)
    throw new ToolFailure('changed', 'file modified during edit\nfile unchanged by this edit; read it again')
}

async function overwrite(target: string, bytes: Buffer): Promise<void> {
  const handle = await open(target, 'r+')
  try {
    await handle.write(bytes, 0, bytes.length, 0)
    await handle.truncate(bytes.length)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Makes the folders above `target` (TOOL-040). */
export const makeParents = (target: string) => mkdir(dirname(target), { recursive: true })

/** Deletes temporary files a crash left in the working directory more than a day ago (TOOL-107). */
export async function removeLeftovers(workdir: string, now: number): Promise<void> {
  try {
    for (const name of await readdir(workdir)) {
      if (!name.startsWith(tempPrefix)) continue
      const path = join(workdir, name)
      if (now - (await stat(path)).mtimeMs > dayMs) await rm(path, { force: true })
    }
  } catch {
    // Tidying up is never worth stopping for; the next start tries again.
  }
}
