import { lineHash, type SourceLine } from './lines.ts'

/** A record line and the hash it names, null where it names none. */
export type ChainedLine = SourceLine & { readonly prevSha256: string | null }

/** Every line names the one before it, from the first that does so on; the first of a file names none (ATT-460). */
export function chainProblems(prevSha256: string | null, before: ChainedLine | null): readonly string[] {
  const isChained = before !== null && before.prevSha256 !== null
  if (prevSha256 === null && !isChained) return []
  if (before !== null && prevSha256 === lineHash(before.bytes)) return []
  return [`chain broken: prev_sha256 does not match line ${before?.number ?? 0}`]
}
