import type { Dirent } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { z } from 'zod'
import { countText } from '../../lib/count-text.ts'
import { systemCodeOf } from '../../lib/error.ts'
import { visibleLine } from '../../lib/safe-text.ts'
import { seconds } from './deadline.ts'
import { fileFailure, ToolFailure } from './errors.ts'
import description from './glob.md'
import { compileGlob, type GlobPattern } from './glob-pattern.ts'
import { resolvePath } from './paths.ts'
import { defineTool, type ToolYield } from './tool.ts'

const maxPaths = 1000

/** Paths that match a pattern, newest first (TOOL-070…075). */
export const glob = defineTool({
  name: 'glob',
  description,
  schema: z.object({
    pattern: z.string().describe('Pattern, e.g. **/*.test.ts'),
    path: z.string().optional().describe('Folder to search; the working directory when omitted')
  }),
  bind: (host) => async (args, run) => {
    if (args.pattern.trim() === '') throw new ToolFailure('invalid-args', 'empty pattern')
    const shown = args.path ?? '.'
    const base = await realFolder(resolvePath(shown, host), shown)
    const limit = host.config.bashTimeoutSeconds
    const stop = AbortSignal.any([run.signal, AbortSignal.timeout(limit * 1000)])
    const found: Found[] = []
    await walk({ base, pattern: compile(args.pattern, base), stop, found }, '')

    found.sort((a, b) => b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : 1))
    const lines = found.slice(0, maxPaths).map(({ path }) => visibleLine(path))
    if (found.length > maxPaths) lines.push(`[… ${found.length - maxPaths} more]`)
    const summary = countText(found.length, 'file')
    const output = lines.join('\n')
    if (!stop.aborted) return { output, meta: { summary } } satisfies ToolYield
    if (run.signal.aborted) return { output, error: 'interrupted by operator', meta: { kind: 'interrupted', summary } }
    return {
      output,
      error: `glob timed out after ${seconds(limit)}`,
      timedOut: true,
      meta: { kind: 'timeout', summary }
    }
  }
})

type Found = { readonly path: string; readonly mtimeMs: number }
type Walk = {
  /** Real path of the folder the search starts in. */
  readonly base: string
  readonly pattern: GlobPattern
  readonly stop: AbortSignal
  readonly found: Found[]
}

async function realFolder(path: string, shown: string): Promise<string> {
  try {
    const real = await realpath(path)
    if ((await stat(real)).isDirectory()) return real
  } catch (thrown) {
    const code = systemCodeOf(thrown)
    if (code === 'ENOENT') throw new ToolFailure('not-found', `directory not found: ${shown}`, thrown)
    if (code !== 'ENOTDIR') throw fileFailure(thrown, shown)
  }
  throw new ToolFailure('failed', `not a directory: ${shown}`)
}

/** A pattern that begins with the folder itself is meant relative to it. */
function compile(pattern: string, base: string): GlobPattern {
  return compileGlob(pattern.startsWith(`${base}/`) ? pattern.slice(base.length + 1) : pattern)
}

/** Depth first; what was found before the signal stays found (TOOL-075). `folder` is relative to the base, empty for the base. */
async function walk(search: Walk, folder: string): Promise<void> {
  if (search.stop.aborted) return
  let entries: Dirent[]
  try {
    entries = await readdir(join(search.base, folder), { withFileTypes: true })
  } catch {
    // A folder that may not be read, or is gone by now, has no files for us.
    return
  }
  const matching: string[] = []
  for (const entry of entries) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory()) {
      if (!isExcluded(path) && search.pattern.canEnter(path)) await walk(search, path)
    } else if ((entry.isFile() || entry.isSymbolicLink()) && search.pattern.matches(path)) matching.push(path)
  }
  for (const found of await Promise.all(matching.map((path) => look(search.base, path))))
    if (found !== null) search.found.push(found)
}

/** Never entered, at any depth (TOOL-072). */
const isExcluded = (folder: string) => /(?:^|\/)(?:\.git|\.ghyll\/state)$/.test(folder)

/** Time of a regular file whose real path lies inside the base, else null: broken and outward links are left out (TOOL-073). */
async function look(base: string, path: string): Promise<Found | null> {
  try {
    const real = await realpath(join(base, path))
    if (!real.startsWith(base.endsWith(sep) ? base : base + sep)) return null
    const stats = await stat(real)
    return stats.isFile() ? { path, mtimeMs: stats.mtimeMs } : null
  } catch {
    // Broken, looping or just deleted.
    return null
  }
}
