import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { z } from 'zod'
import { systemCodeOf } from '../../lib/error.ts'
import { seconds, withDeadline } from './deadline.ts'
import { fileFailure, isDirectory, notRegular } from './errors.ts'
import { type FileDiff, fileDiff } from './file-diff.ts'
import { encodeLike, isBinary, styleOf } from './file-text.ts'
import { withFile } from './open-file.ts'
import { finalTarget, gitMark, inRepository, resolvePath } from './paths.ts'
import { makeParents, replaceFile } from './replace-file.ts'
import { defineTool, type ToolYield } from './tool.ts'
import description from './write-file.md'

/** A larger file's style is judged by its first bytes, and it is not compared. */
const maxComparedBytes = 10 * 1024 * 1024

/** Puts the whole content of a file in place (TOOL-040…045). */
export const writeFile = defineTool({
  name: 'write_file',
  description,
  schema: z.object({
    path: z.string().describe('File to write, relative to the working directory or absolute'),
    content: z.string().describe('The whole new content')
  }),
  bind: (host) => (args, run) => {
    const path = resolvePath(args.path, host)
    const limit = host.config.fileTimeoutSeconds
    return withDeadline(
      { seconds: limit, signal: run.signal, timeoutText: `file write timed out after ${seconds(limit)}` },
      async (signal): Promise<ToolYield> => {
        const target = await finalTarget(path, args.path)
        const existing = await present(target, args.path)
        const before = existing === null ? null : await start(target, args.path)
        const isText = before !== null && !isBinary(before)
        const bytes = isText ? encodeLike(styleOf(before), args.content) : Buffer.from(args.content)
        try {
          await makeParents(target)
          await replaceFile({ target, existing, bytes, signal, onStaged: host.onStaged })
        } catch (thrown) {
          throw fileFailure(thrown, args.path)
        }
        const change: FileDiff =
          (before !== null && !isText) || (existing?.size ?? 0) > maxComparedBytes
            ? { summary: 'replaced' }
            : fileDiff(args.path, before ?? Buffer.alloc(0), bytes)
        return {
          output: `wrote ${bytes.length} bytes to ${args.path} (${existing === null ? 'created' : 'replaced'})`,
          meta: {
            ...change,
            filesWritten: inRepository(path, host),
            ...gitMark(path, target)
          }
        }
      }
    )
  }
})

/** The regular file at `target`, or null; anything else is no place to write to (TOOL-041). */
async function present(target: string, shown: string): Promise<Stats | null> {
  let stats: Stats
  try {
    stats = await stat(target)
  } catch (thrown) {
    if (systemCodeOf(thrown) === 'ENOENT') return null
    throw fileFailure(thrown, shown)
  }
  if (stats.isDirectory()) throw isDirectory(shown)
  if (!stats.isFile()) throw notRegular(shown)
  return stats
}

/** What the file holds, of a large one the beginning: enough to keep its line endings and mark (TOOL-043). */
function start(target: string, shown: string): Promise<Buffer> {
  return withFile(target, shown, async (handle, stats) => {
    const bytes = Buffer.alloc(Math.min(stats.size, maxComparedBytes))
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0)
    return bytes.subarray(0, bytesRead)
  })
}
