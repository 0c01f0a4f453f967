import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { Failure } from '../lib/error.ts'
import type { CliIo } from './io.ts'

/** The folder a session is asked to work in is none (CLI-010). */
class NotADirectory extends Failure {
  readonly code = 'not-a-directory'
  constructor(dir: string) {
    super(`not a directory: ${dir}`)
  }
}

/** The absolute path of a folder given on the command line. Throws `NotADirectory`. */
export function folderOf(dir: string, io: CliIo): string {
  const path = resolve(io.cwd, dir)
  let isFolder = false
  try {
    isFolder = statSync(path).isDirectory()
  } catch {
    // missing or out of reach: no folder either way
  }
  if (!isFolder) throw new NotADirectory(dir)
  return path
}
