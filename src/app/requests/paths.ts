import { execa } from 'execa'
import { glob } from 'tinyglobby'

const maxAnswers = 50
const listingKeptMs = 5_000
const listingLimit = 200_000

/** Answers which paths could complete what was typed (TERM-42); what git ignores is left out. */
export interface PathFinder {
  find(prefix: string): Promise<readonly string[]>
}

/** A finder over `workdir`; the listing is kept for a few seconds, so that typing does not start a process per key. */
export function createPathFinder(workdir: string, now: () => number): PathFinder {
  let listing: Promise<readonly string[]> | null = null
  let listedAt = 0
  return {
    async find(prefix) {
      if (listing === null || now() - listedAt > listingKeptMs) {
        listedAt = now()
        listing = list(workdir)
      }
      return rank(await listing, prefix)
    }
  }
}

/**
 * Best first: what starts with the text, then what has a segment that does, then what contains it; short paths before long ones. The
 * text itself is no completion of it, so that behind a folder its content comes first.
 */
export function rank(paths: readonly string[], prefix: string): readonly string[] {
  const wanted = prefix.toLowerCase()
  const scored: { readonly path: string; readonly score: number }[] = []
  for (const path of paths) {
    const text = path.toLowerCase()
    const at = text.indexOf(wanted)
    if (at < 0 || path === prefix) continue
    const score = at === 0 ? 0 : text[at - 1] === '/' ? 1 : 2
    scored.push({ path, score })
  }
  scored.sort((a, b) => a.score - b.score || a.path.length - b.path.length || (a.path < b.path ? -1 : 1))
  return scored.slice(0, maxAnswers).map((each) => each.path)
}

async function list(workdir: string): Promise<readonly string[]> {
  const result = await execa('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: workdir,
    reject: false,
    timeout: 5_000,
    stripFinalNewline: false
  })
  const files =
    result.exitCode === 0
      ? result.stdout.split('\0').filter((path) => path !== '')
      : await glob('**/*', { cwd: workdir, dot: true, ignore: ['**/node_modules/**', '**/.git/**'] })
  return withFolders(files.slice(0, listingLimit))
}

/** Files and the folders they lie in, folders with a closing slash. */
function withFolders(files: readonly string[]): readonly string[] {
  const folders = new Set<string>()
  for (const file of files) {
    for (let at = file.lastIndexOf('/'); at > 0; at = file.lastIndexOf('/', at - 1)) {
      const folder = file.slice(0, at + 1)
      if (folders.has(folder)) break
      folders.add(folder)
    }
  }
  return [...folders, ...files]
}
