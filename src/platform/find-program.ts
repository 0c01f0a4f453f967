import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

/** Full path of the first executable file `name` in the PATH of `env`, or null. */
export async function findProgram(name: string, env: NodeJS.ProcessEnv = process.env): Promise<string | null> {
  for (const folder of (env.PATH ?? '').split(delimiter)) {
    const path = join(folder === '' ? '.' : folder, name)
    if (await isExecutable(path)) return path
  }
  return null
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    // Absent or not ours to run: the next folder may have it.
    return false
  }
}
