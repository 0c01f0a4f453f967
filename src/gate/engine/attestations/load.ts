import { join } from 'node:path'
import { messageOf } from '../../../lib/error.ts'
import type { Attestation } from '../../runner/index.ts'
import { AttestationFailure } from '../errors.ts'
import { type ChainedLine, chainProblems } from './chain.ts'
import { recordProblems } from './check.ts'
import { findTreeFiles, readRegular } from './files.ts'
import { readLine } from './line.ts'
import { lineText, splitLines } from './lines.ts'
import { treeRoot } from './paths.ts'
import { sameRecord } from './same.ts'

/** A last line without its newline: where the file has to be cut, in bytes. `file` is relative to the project. */
export type TornTail = { readonly file: string; readonly offset: number }

export type LoadedTree = {
  /** In the order of the sorted files and their lines, each id once. */
  readonly records: readonly Attestation[]
  readonly torn: readonly TornTail[]
  /** Whole lines of each file in bytes, which is its length once the torn tails are cut. */
  readonly lengths: ReadonlyMap<string, number>
  /** Lines that do not follow from the line before them (ATT-460): something in front of them was changed or taken out. */
  readonly broken: readonly string[]
}

/**
 * Reads the truth about verdicts back (ATT-500): the union of all lines of all files, whatever their paths. Throws
 * `attestation-audit-lost` for anything that cannot be explained by a crash in the middle of a write. `cachedRows`: whether the
 * table that caches the records has any.
 */
export function loadTree(projectDir: string, cachedRows: boolean): LoadedTree {
  const found = findTreeFiles(projectDir)
  if (found.kind === 'missing') {
    if (cachedRows) throw lost(treeRoot, `tree ${treeRoot} missing but engine has rows`)
    return { records: [], torn: [], lengths: new Map(), broken: [] }
  }
  const [trouble] = found.trouble
  if (trouble !== undefined) throw lost(trouble.path, `${trouble.path}: ${trouble.why}`)

  const records = new Map<string, Attestation>()
  const torn: TornTail[] = []
  const lengths = new Map<string, number>()
  const broken: string[] = []
  for (const file of found.files) {
    const content = readOrLose(projectDir, file)
    const { lines, wholeBytes } = splitLines(content)
    if (wholeBytes < content.length) torn.push({ file, offset: wholeBytes })
    lengths.set(file, wholeBytes)
    let before: ChainedLine | null = null
    for (const { number, bytes } of lines) {
      const { record, prevSha256 } = recordOf(bytes, file, number)
      for (const problem of chainProblems(prevSha256, before)) broken.push(`${file} line ${number}: ${problem}`)
      before = { number, bytes, prevSha256 }
      const known = records.get(record.id)
      if (known === undefined) records.set(record.id, record)
      else if (!sameRecord(known, record))
        throw lost(
          file,
          `${file} line ${number}: attestation-duplicate: "${record.id}" was recorded with other content`
        )
    }
  }
  return { records: [...records.values()], torn, lengths, broken }
}

type LoadedLine = { readonly record: Attestation; readonly prevSha256: string | null }

function recordOf(bytes: Buffer, file: string, number: number): LoadedLine {
  const text = lineText(bytes)
  if (text === null) throw lost(file, `${file} line ${number}: not valid UTF-8`)
  const { record, prevSha256, problems } = readLine(text)
  const all = record === null ? problems : [...problems, ...recordProblems(record)]
  if (record === null || all.length > 0) throw lost(file, `${file} line ${number}: ${all.join('; ')}`)
  return { record, prevSha256 }
}

function readOrLose(projectDir: string, file: string): Buffer {
  try {
    return readRegular(join(projectDir, file))
  } catch (error) {
    throw lost(file, `${file}: ${messageOf(error)}`, error)
  }
}

function lost(path: string, detail: string, cause?: unknown): AttestationFailure {
  const hint =
    'restore the file from version control or a backup; `ghyll engine verify-attestations` lists everything that is wrong'
  return new AttestationFailure('attestation-audit-lost', detail, { path, hint, cause })
}
