import {
  closeSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import { systemCodeOf } from '../../lib/error.ts'
import { syncFolder } from '../../platform/atomic-file.ts'

/** The steps a grid write is made of, so that a test can stop between any two. All throw the system's error. */
export interface GridDisk {
  makeFolder(path: string): void
  remove(path: string): void
  /** Creates the file, which must not be there, with its whole content and mode 0644; leaves nothing when that fails. */
  create(path: string, content: string): void
  syncFile(path: string): void
  /** Gives the file its final name; fails with EEXIST when that is taken. */
  publish(from: string, to: string): void
  /** Gives the file its final name in place of what bears it. */
  replace(from: string, to: string): void
  syncFolder(path: string): void
}

/** The steps on the disk this program runs on (INIT-82). */
export const systemDisk: GridDisk = {
  makeFolder(path) {
    mkdirSync(path, { mode: 0o755 })
  },
  remove: (path) => rmSync(path, { force: true }),
  create(path, content) {
    const descriptor = openSync(path, 'wx', 0o644)
    try {
      writeFileSync(descriptor, content)
      fchmodSync(descriptor, 0o644) // the umask took bits off at creation
    } catch (error) {
      rmSync(path, { force: true })
      throw error
    } finally {
      closeSync(descriptor)
    }
  },
  syncFile(path) {
    const descriptor = openSync(path, 'r')
    try {
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  },
  publish(from, to) {
    try {
      linkSync(from, to)
    } catch (error) {
      if (!withoutHardLinks.has(systemCodeOf(error) ?? '')) throw error
      if (lstatSync(to, { throwIfNoEntry: false }) !== undefined) throw new NameTaken(to)
      renameSync(from, to)
      return
    }
    rmSync(from)
  },
  replace: renameSync,
  syncFolder
}

class NameTaken extends Error {
  override readonly name = 'NameTaken'
  readonly code = 'EEXIST'
}

const withoutHardLinks: ReadonlySet<string> = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'])
