import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { systemCodeOf } from '../../lib/error.ts'

const keptFiles = 50

/** Keeps whole outputs of truncated results, the last 50 (TOOL-012). */
export type OutputFiles = {
  /** Path of the file that now holds `text`, or null where it cannot be kept. */
  keep(call: string, text: string): Promise<string | null>
}

/** Files under `folder`, made when first needed: folder 0700, files 0600. */
export function createOutputFiles(folder: string): OutputFiles {
  return {
    async keep(call, text) {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        const path = await writeNew(folder, fileName(call), text)
        await prune(folder)
        return path
      } catch {
        // Without a place for it the result is merely cut; the call itself succeeded.
        return null
      }
    }
  }
}

/** The call's id comes from a model; only harmless letters of it reach the file system. */
function fileName(call: string): string {
  const name = call.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 80)
  return name === '' ? 'call' : name
}

async function writeNew(folder: string, name: string, text: string): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    const path = join(folder, attempt === 1 ? `${name}.txt` : `${name}-${attempt}.txt`)
    try {
      await writeFile(path, text, { flag: 'wx', mode: 0o600 })
      return path
    } catch (thrown) {
      // Call ids may repeat across sessions; what an earlier marker names stays what it was.
      if (systemCodeOf(thrown) !== 'EEXIST') throw thrown
    }
  }
}

async function prune(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.txt'))
  if (names.length <= keptFiles) return
  const aged = await Promise.all(
    names.map(async (name) => ({ path: join(folder, name), at: (await stat(join(folder, name))).mtimeMs }))
  )
  aged.sort((a, b) => b.at - a.at)
  await Promise.all(aged.slice(keptFiles).map(({ path }) => rm(path, { force: true })))
}
