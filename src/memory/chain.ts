import { zeroHash } from './record.ts'

/** What a chain looks at in a checkpoint: its link, and whether its content has the hash it is stored under. */
export type Link = { readonly hash: string; readonly parent: string; readonly intact: boolean }

export type ChainFindings = {
  /** Where the line of descent of a checkpoint is broken: the hash of the record at fault. Sound ones are not in it (MEM-053). */
  readonly broken: ReadonlyMap<string, string>
  /** Records that start a chain although an earlier one exists (MEM-052), in order. */
  readonly restarts: readonly string[]
  /** Parents with more than one child (MEM-054), in order of the second child. */
  readonly forks: readonly string[]
}

/** The line an operator reads about a chain (MEM-052…054), without glyph. */
export function chainNotice(what: 'broken' | 'forks' | 'starts again', hash: string, device: string): string {
  return `checkpoint chain ${what} at ${hash.slice(0, 12)} from @${device}`
}

/**
 * Looks at all links that one device has in one repository, by time. A record is sound when a line of known, intact records leads from
 * it to one that starts a segment; what descends from an altered record, or hangs on an unknown one, is on a broken stretch
 * (MEM-051…054). Signatures are no matter of the chain.
 */
export function examineChain(links: readonly Link[]): ChainFindings {
  const byHash = new Map(links.map((link) => [link.hash, link]))
  const verdicts = new Map<string, string | null>()
  for (const { hash } of links) judge(hash, byHash, verdicts)

  const children = new Map<string, number>()
  const forks: string[] = []
  const restarts: string[] = []
  for (const [n, { hash, parent }] of links.entries()) {
    if (parent === zeroHash) {
      if (n > 0) restarts.push(hash)
      continue
    }
    const count = (children.get(parent) ?? 0) + 1
    children.set(parent, count)
    if (count === 2) forks.push(parent)
  }
  const broken = new Map([...verdicts].flatMap(([hash, fault]) => (fault === null ? [] : [[hash, fault] as const])))
  return { broken, restarts, forks }
}

/** Follows the parents of `hash` to something decided and writes the verdict down for every record on the way. */
function judge(hash: string, byHash: ReadonlyMap<string, Link>, verdicts: Map<string, string | null>): void {
  const path: string[] = []
  let verdict: string | null = null
  for (let at = hash; ; ) {
    const known = verdicts.get(at)
    if (known !== undefined) {
      verdict = known
      break
    }
    const link = byHash.get(at)
    // Beyond the last known record: what hangs on it is at fault.
    if (link === undefined) {
      verdict = path.at(-1) ?? hash
      break
    }
    path.push(at)
    // Altered records can name each other; the walk is marked so that it ends.
    verdicts.set(at, at)
    if (!link.intact) {
      verdict = at
      break
    }
    if (link.parent === zeroHash) break
    at = link.parent
  }
  for (const each of path) verdicts.set(each, verdict)
}
