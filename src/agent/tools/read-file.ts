import { type FileHandle, realpath } from 'node:fs/promises'
import { z } from 'zod'
import { lineCutBefore } from '../../lib/cap-text.ts'
import { countText } from '../../lib/count-text.ts'
import { seconds, withDeadline } from './deadline.ts'
import { ToolFailure } from './errors.ts'
import { binaryType, bomOf, decodeText, isBinary } from './file-text.ts'
import { withFile } from './open-file.ts'
import { gitMark, inRepository, resolvePath } from './paths.ts'
import description from './read-file.md'
import { countLines, defineTool, type ToolHost, type ToolYield } from './tool.ts'

/** Above this a file is only read in part (TOOL-032); it also bounds what one part may hold. */
const maxBytes = 10 * 1024 * 1024
const newline = 0x0a

const schema = z.object({
  path: z.string().describe('File to read, relative to the working directory or absolute'),
  offset: z.int().min(1).optional().describe('First line to read, counted from 1'),
  limit: z.int().min(1).optional().describe('How many lines to read')
})

/** The text of a file or a part of its lines (TOOL-030…034). */
export const readFile = defineTool({
  name: 'read_file',
  description,
  schema,
  bind: (host) => (args, run) => {
    const path = resolvePath(args.path, host)
    const limit = host.config.fileTimeoutSeconds
    return withDeadline(
      { seconds: limit, signal: run.signal, timeoutText: `file read timed out after ${seconds(limit)}` },
      async (signal): Promise<ToolYield> => {
        const part = await readPart(path, args, signal)
        const fitted = fitToLimit(part, host)
        return {
          output: fitted,
          cap: 'own',
          meta: {
            summary: countText(part.lines, 'line'),
            filesRead: inRepository(path, host),
            ...gitMark(path, await realPath(path))
          }
        }
      }
    )
  }
})

/** Where the file really lies; should it be gone by now, the path it was read by. */
const realPath = (path: string) => realpath(path).catch(() => path)

type Part = {
  readonly text: string
  /** Number of the first line in `text`, how many it has, and how many the file has. */
  readonly first: number
  readonly lines: number
  readonly total: number
  /** The model asked for a part, so that it is told which it got (TOOL-030). */
  readonly isPart: boolean
}

// The text stays as it is, control characters included: an edit has to match it (TOOL-030, TOOL-046).
function readPart(path: string, args: z.output<typeof schema>, signal: AbortSignal): Promise<Part> {
  return withFile(path, args.path, async (handle, stats) => {
    const isPart = args.offset !== undefined || args.limit !== undefined
    const first = args.offset ?? 1
    const last = args.limit === undefined ? Number.POSITIVE_INFINITY : first + args.limit - 1
    const start = Buffer.alloc(8192)
    const { bytesRead } = await handle.read(start, 0, start.length, 0)
    const head = start.subarray(0, bytesRead)
    if (isBinary(head))
      throw new ToolFailure('binary', `binary file (${stats.size} bytes, ${binaryType(head, path)}); not shown`)
    const isWide = bomOf(head) === 'utf-16le' || bomOf(head) === 'utf-16be'
    if (stats.size > maxBytes && (!isPart || isWide))
      throw new ToolFailure('failed', `file too large: ${stats.size} bytes; use offset and limit, or grep`)

    const part =
      stats.size > maxBytes
        ? await scanLines(handle, first, last, signal)
        : selectLines(decodeText(await wholeFile(handle)), first, last)
    if (part.lines === 0 && first > 1)
      throw new ToolFailure(
        'invalid-args',
        `offset ${first} is beyond the end of the file (${countText(part.total, 'line')})`
      )
    return { ...part, first, isPart }
  })
}

/** All of it, also where a file such as those in /proc says it has no size. */
async function wholeFile(handle: FileHandle): Promise<Buffer> {
  const chunks: Buffer[] = []
  for (let at = 0; at <= maxBytes; ) {
    const chunk = Buffer.alloc(256 * 1024)
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, at)
    if (bytesRead === 0) break
    chunks.push(chunk.subarray(0, bytesRead))
    at += bytesRead
  }
  return Buffer.concat(chunks)
}

type Selected = Pick<Part, 'text' | 'lines' | 'total'>

function selectLines(text: string, first: number, last: number): Selected {
  const total = countLines(text)
  const from = lineStart(text, first)
  const to = last === Number.POSITIVE_INFINITY ? text.length : lineStart(text, last + 1)
  const selected = text.slice(from, to)
  return { text: selected, lines: countLines(selected), total }
}

function lineStart(text: string, line: number): number {
  let at = 0
  for (let number = 1; number < line; number += 1) {
    const end = text.indexOf('\n', at)
    if (end === -1) return text.length
    at = end + 1
  }
  return at
}

/** The same for a file too large to hold: one pass over its bytes that keeps the wanted lines and counts all. */
async function scanLines(handle: FileHandle, first: number, last: number, signal: AbortSignal): Promise<Selected> {
  const kept: Buffer[] = []
  let keptBytes = 0
  let line = 1
  let isLineOpen = false
  const chunk = Buffer.alloc(1024 * 1024)
  for (let at = 0; ; ) {
    signal.throwIfAborted()
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, at)
    if (bytesRead === 0) break
    at += bytesRead
    for (let from = 0; from < bytesRead; ) {
      const end = chunk.subarray(0, bytesRead).indexOf(newline, from)
      const to = end === -1 ? bytesRead : end + 1
      if (line >= first && line <= last && keptBytes < maxBytes) {
        kept.push(Buffer.from(chunk.subarray(from, to)))
        keptBytes += to - from
      }
      isLineOpen = end === -1
      if (end !== -1) line += 1
      from = to
    }
  }
  const text = decodeText(Buffer.concat(kept))
  return { text, lines: countLines(text), total: isLineOpen ? line : line - 1 }
}

/** Keeps the head of a text beyond the result limit and says where to read on (TOOL-011). */
function fitToLimit(part: Part, { config }: Pick<ToolHost, 'config'>): string {
  const limit = config.maxResultBytes
  const bytes = Buffer.from(part.text)
  if (limit < 0 || bytes.length + Buffer.byteLength(header(part, part.lines)) <= limit)
    return header(part, part.lines) + part.text
  const overhead =
    Buffer.byteLength(header(part, part.lines)) + Buffer.byteLength(marker(bytes.length, bytes.length, part.total)) + 1
  const shown = bytes.subarray(0, lineCutBefore(bytes, Math.max(0, limit - overhead))).toString()
  const lines = countLines(shown)
  const gap = shown.endsWith('\n') || shown === '' ? '' : '\n'
  return `${header(part, lines)}${shown}${gap}${marker(Buffer.byteLength(shown), bytes.length, part.first + lines)}`
}

function header({ isPart, first, total }: Part, lines: number): string {
  return isPart && lines > 0 ? `[lines ${first}-${first + lines - 1} of ${total}]\n` : ''
}

function marker(kept: number, total: number, next: number): string {
  return `[… ${kept} of ${total} bytes shown, limit tools.max_result_bytes; continue with offset ${next} …]`
}
