import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { messageOf, systemCodeOf } from '../lib/error.ts'
import { createFileExclusive } from '../platform/atomic-file.ts'
import { homeFiles } from './home-files.ts'

export type Seeding = {
  /** Paths below the folder that were created. */
  readonly created: readonly string[]
  /** Information for the operator when something was created, without glyph. */
  readonly notice: string | null
  /** Warning when it could not go on, without glyph; what exists by then stays (SESS-020, step 2). */
  readonly warning: string | null
}

/** Creates what is missing of the user's home files; what is there is never touched (CFG-033). */
export function seedHomeFiles(folder: string): Seeding {
  const created: string[] = []
  let warning: string | null = null
  try {
    for (const [name, text] of Object.entries(homeFiles)) {
      const path = join(folder, name)
      if (existsSync(path)) continue
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      if (createFileExclusive(path, text, 0o600)) created.push(name)
    }
  } catch (error) {
    if (systemCodeOf(error) === undefined) throw error
    warning = `could not create user-home files: ${messageOf(error)}`
  }
  const notice = created.length > 0 ? `seeded ${created.length} user-home files under ${folder}` : null
  return { created, notice, warning }
}
