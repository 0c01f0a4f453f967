import { canonicalString } from './canonical.ts'
import { parseExactJson } from './exact-json.ts'
import { type Checkpoint, isHash } from './record.ts'

// The two file formats of the memory branch (MEM-062, MEM-063).

/** A record as its file `<hash>.json`: two spaces, fixed key order, no newline at the end (MEM-062). */
export function recordFile(record: Checkpoint): string {
  const { resumedFrom, injections } = record
  const members: readonly (readonly [string, string] | null)[] = [
    ['v', `${record.v}`],
    ['hash', canonicalString(record.hash)],
    ['parent', canonicalString(record.parent)],
    ['device', canonicalString(record.device)],
    ['author', canonicalString(record.author)],
    ['ts', `${record.ts}`],
    ['repo', canonicalString(record.repo)],
    ['branch', canonicalString(record.branch)],
    ['session', canonicalString(record.session)],
    ['turn', `${record.turn}`],
    ['model', canonicalString(record.model)],
    record.planMode ? ['plan_mode', 'true'] : null,
    resumedFrom === null
      ? null
      : [
          'resumed_from',
          block('{}', [
            `"session": ${canonicalString(resumedFrom.session)}`,
            `"hash": ${canonicalString(resumedFrom.hash)}`
          ])
        ],
    ['summary', canonicalString(record.summary)],
    ['emb', record.emb === null ? 'null' : block('[]', Array.from(record.emb, shortestFloat))],
    ['files', list(record.files)],
    ['tools', list(record.tools)],
    injections.length === 0 ? null : ['injections', list(injections)],
    ['sig', canonicalString(record.sig)]
  ]
  const lines = members.flatMap((member) => (member === null ? [] : [`  "${member[0]}": ${member[1]}`]))
  return `{\n${lines.join(',\n')}\n}`
}

export type ChainLine = { readonly hash: string; readonly parent: string; readonly ts: bigint }

/** One line of a chain file with its line feed (MEM-063). */
export function chainLine({ hash, parent, ts }: ChainLine): string {
  return `{"hash":"${hash}","parent":"${parent}","ts":${ts}}\n`
}

/** The entries of a chain file in its order, and how many lines were malformed or too long (MEM-065). */
export function readChainFile(text: string): { readonly lines: readonly ChainLine[]; readonly skipped: number } {
  const lines: ChainLine[] = []
  let skipped = 0
  for (const raw of text.split('\n')) {
    if (raw.trim() === '') continue
    const line = raw.length > chainLineCap ? null : readChainLine(raw)
    if (line === null) skipped += 1
    else lines.push(line)
  }
  return { lines, skipped }
}

/** MEM-065 */
export const recordFileCapBytes = 1024 * 1024
/** MEM-065 */
export const chainFileCapBytes = 64 * 1024 * 1024
const chainLineCap = 1024

function readChainLine(text: string): ChainLine | null {
  const parsed = parseExactJson(text)
  if ('malformed' in parsed || typeof parsed.value !== 'object' || parsed.value === null) return null
  const { hash, parent, ts } = parsed.value as Record<string, unknown>
  if (typeof hash !== 'string' || typeof parent !== 'string' || !isHash(hash) || !isHash(parent)) return null
  if (typeof ts === 'bigint') return { hash, parent, ts }
  return typeof ts === 'number' && Number.isSafeInteger(ts) ? { hash, parent, ts: BigInt(ts) } : null
}

function list(items: readonly string[] | null): string {
  return items === null ? 'null' : block('[]', items.map(canonicalString))
}

/** Members of a nested object or list, one per line; an empty one stays on its line. */
function block(brackets: '[]' | '{}', members: readonly string[]): string {
  const [open, close] = brackets
  return members.length === 0 ? brackets : `${open}\n    ${members.join(',\n    ')}\n  ${close}`
}

/** The fewest digits that give back the same float32 (MEM-062). */
function shortestFloat(value: number): string {
  for (let digits = 1; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits))
    if (Math.fround(short) === value) return String(short)
  }
  return String(Number(value.toPrecision(9)))
}
