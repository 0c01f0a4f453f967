import { join } from 'node:path'
import { messageOf, systemCodeOf } from '../../../lib/error.ts'
import { type Attestation, objectOf, unitProblem, validateOpId, verdictUnits } from '../../runner/index.ts'
import { AttestationFailure } from '../errors.ts'
import { chainProblems } from './chain.ts'
import { recordProblems } from './check.ts'
import { findTreeFiles, readRegular } from './files.ts'
import { type ReadLine, readLine } from './line.ts'
import { lineText, type SourceLine, splitLines } from './lines.ts'
import { encodePath } from './path.ts'
import { flatFile, treeRoot } from './paths.ts'
import { sameRecord } from './same.ts'

// The audit reads every line of both places and never stops early (ATT-600…604). It changes nothing.

type VerifyIssue = {
  /** Relative to the project. */
  readonly file: string
  /** From 1; 0 for what concerns the file as a whole. */
  readonly line: number
  readonly reason: string
  readonly snippet: string
}

export type VerifyReport = {
  /** Records, not lines: each flat line, and each tree line whose id the flat file does not have (OPUI-640). */
  readonly records: number
  readonly failed: number
  readonly issues: readonly VerifyIssue[]
  readonly divergence: { readonly onlyInFlat: number; readonly onlyInTree: number; readonly divergent: number }
  readonly warnings: readonly string[]
}

/**
 * `table`: the records of the engine's table, null without one. `residueMaxBytes`: the grid's cap. `check` runs between files
 * (ATT-600…604).
 */
export function verifyAttestations(
  projectDir: string,
  options: {
    readonly table: readonly Attestation[] | null
    readonly residueMaxBytes: number
    readonly check?: () => void
  }
): VerifyReport {
  const read = (file: string) => readLines(projectDir, file, options.residueMaxBytes)
  const flat = read(flatFile)
  const found = findTreeFiles(projectDir)
  const files = found.kind === 'found' ? found.files : []
  const tree = files.flatMap((file) => {
    options.check?.()
    return read(file)
  })
  const trouble: readonly Line[] =
    found.kind === 'found' ? found.trouble.map(({ path, why }) => lineOfTrouble(path, why)) : []

  const all = [...flat, ...tree, ...trouble]
  const flatById = firstById(flat)
  const treeById = firstById(tree)
  const issues = [...all.flatMap((line) => line.issues), ...duplicates(flat, flatById), ...duplicates(tree, treeById)]
  const counted = [...flat, ...trouble, ...tree.filter(({ record }) => record === null || !flatById.has(record.id))]
  const recordOf = new Map(tree.map((line) => [placeOf(line.file, line.number), line.record]))
  const failed = new Set(issues.map(({ file, line }) => countedAs(placeOf(file, line), recordOf, flatById)))
  return {
    records: counted.length,
    failed: failed.size,
    issues,
    divergence: divergenceOf(flatById, treeById),
    warnings: [...all.flatMap(({ warnings }) => warnings), ...tableWarnings(treeById, options.table)]
  }
}

type Line = {
  readonly file: string
  readonly number: number
  readonly record: Attestation | null
  readonly issues: readonly VerifyIssue[]
  readonly warnings: readonly string[]
}

function readLines(projectDir: string, file: string, residueMaxBytes: number): readonly Line[] {
  let content: Buffer
  try {
    content = readRegular(join(projectDir, file))
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return []
    if (error instanceof AttestationFailure || systemCodeOf(error) !== undefined)
      return [lineOfTrouble(file, messageOf(error))]
    throw error
  }
  const { lines, wholeBytes } = splitLines(content)
  const torn = wholeBytes < content.length
  const all = torn ? [...lines, { number: countNewlines(content) + 1, bytes: content.subarray(wholeBytes) }] : lines
  const parsed = all.map((source) => ({ source, text: lineText(source.bytes), read: parse(source) }))
  return parsed.map((line, n) => {
    const checked = checkLine(file, line, parsed[n - 1] ?? null, residueMaxBytes)
    const isTail = torn && n === all.length - 1
    return isTail ? { ...checked, warnings: [...checked.warnings, `torn tail: ${file} at ${wholeBytes}`] } : checked
  })
}

type Parsed = { readonly source: SourceLine; readonly text: string | null; readonly read: ReadLine }

function parse({ bytes }: SourceLine): ReadLine {
  const text = lineText(bytes)
  if (text !== null) return readLine(text)
  return { record: null, prevSha256: null, problems: ['json-unmarshal: not valid UTF-8'] }
}

function checkLine(file: string, line: Parsed, before: Parsed | null, residueMaxBytes: number): Line {
  const { record, problems, prevSha256 } = line.read
  const { number, bytes } = line.source
  const reasons = [
    ...problems,
    ...(record === null
      ? []
      : [
          ...recordProblems(record),
          ...contentProblems(record, residueMaxBytes),
          ...chainProblems(
            prevSha256,
            before === null ? null : { ...before.source, prevSha256: before.read.prevSha256 }
          ),
          ...opIdProblems(record)
        ])
  ]
  const snippet = cut(line.text ?? bytes.toString('latin1'))
  return {
    file,
    number,
    record,
    issues: reasons.map((reason) => ({ file, line: number, reason, snippet })),
    warnings: record === null ? [] : misplaced(file, number, record)
  }
}

/** Unit, payload and hint; a legacy line has none of them (ATT-601). */
function contentProblems(record: Attestation, residueMaxBytes: number): readonly string[] {
  const problems: string[] = []
  if (record.adversaryRole.includes('__')) problems.push('adversary_role must not contain "__" (reserved separator)')
  if (record.unit !== '') {
    if (record.passId.trim() === '') problems.push('pass_id is empty')
    problems.push(...unitProblems(record.unit, record.unitPayloadJson, residueMaxBytes))
  }
  if (record.hintJson !== '' && objectOf(record.hintJson) === null)
    problems.push(`hint_json malformed: ${cut(record.hintJson)}`)
  return problems
}

function unitProblems(unit: string, payload: string, residueMaxBytes: number): readonly string[] {
  if (!verdictUnits.some((known) => known === unit)) return [`unit "${unit}" not in {${verdictUnits.join(', ')}}`]
  if (objectOf(payload) === null) return [`unit_payload_json malformed: ${cut(payload)}`]
  const problem = unitProblem(unit, payload, residueMaxBytes)
  return problem === null ? [] : [`unit_payload_json fails validation: ${problem.text}`]
}

function opIdProblems({ opId }: Attestation): readonly string[] {
  if (opId.trim() === '') return [] // told as empty
  const checked = validateOpId(opId)
  return 'refused' in checked ? [`op_id invalid: ${checked.refused.text}`] : []
}

/** ATT-604; the flat file has no place of its own, and a legacy line none in the tree. */
function misplaced(file: string, number: number, record: Attestation): readonly string[] {
  if (file === flatFile || record.passId === '') return []
  const place = `${treeRoot}/${encodePath(record).segments.join('/')}`
  return place === file ? [] : [`misplaced: ${file} line ${number}: belongs in ${place}`]
}

function lineOfTrouble(file: string, reason: string): Line {
  return { file, number: 0, record: null, issues: [{ file, line: 0, reason, snippet: '' }], warnings: [] }
}

type Identified = Line & { readonly record: Attestation }

function firstById(lines: readonly Line[]): ReadonlyMap<string, Identified> {
  const first = new Map<string, Identified>()
  for (const line of lines) if (isIdentified(line) && !first.has(line.record.id)) first.set(line.record.id, line)
  return first
}

function isIdentified(line: Line): line is Identified {
  return line.record !== null && line.record.id.trim() !== ''
}

/** One id, two contents: what loading would refuse (ATT-500). */
function duplicates(lines: readonly Line[], first: ReadonlyMap<string, Identified>): readonly VerifyIssue[] {
  return lines.flatMap((line) => {
    const known = line.record === null ? undefined : first.get(line.record.id)
    if (known === undefined || line.record === null || sameRecord(known.record, line.record)) return []
    const reason = `attestation-duplicate: differs from ${known.file} line ${known.number}`
    return [{ file: line.file, line: line.number, reason, snippet: cut(line.record.id) }]
  })
}

const placeOf = (file: string, line: number) => `${file} ${line}`

/** What is counted as failed: a tree line of an id the flat file has is the flat line's record (OPUI-640). */
function countedAs(
  place: string,
  treeRecords: ReadonlyMap<string, Attestation | null>,
  flat: ReadonlyMap<string, Identified>
): string {
  const counted = flat.get(treeRecords.get(place)?.id ?? '')
  return counted === undefined ? place : placeOf(counted.file, counted.number)
}

function divergenceOf(flat: ReadonlyMap<string, Identified>, tree: ReadonlyMap<string, Identified>) {
  const both = [...flat].filter(([id]) => tree.has(id))
  const differ = both.filter(([id, line]) => !sameRecord(line.record, tree.get(id)?.record ?? line.record))
  return { onlyInFlat: flat.size - both.length, onlyInTree: tree.size - both.length, divergent: differ.length }
}

/** The table is a cache: what it has otherwise than the tree is worth a warning (ATT-603). */
function tableWarnings(tree: ReadonlyMap<string, Identified>, table: readonly Attestation[] | null): readonly string[] {
  if (table === null) return []
  const rows = new Map(table.map((record) => [record.id, record]))
  const missing = [...tree.keys()].filter((id) => !rows.has(id))
  const extra = [...rows.keys()].filter((id) => !tree.has(id))
  const differing = [...rows].flatMap(([id, row]) => {
    const line = tree.get(id)
    return line === undefined || sameRecord(line.record, row) ? [] : [id]
  })
  return Object.entries({
    'not in the table': missing,
    'only in the table': extra,
    'different in the table': differing
  })
    .filter(([, ids]) => ids.length > 0)
    .map(([what, ids]) => `engine table: ${what}: ${ids.join(', ')}`)
}

function countNewlines(content: Buffer): number {
  let count = 0
  for (const byte of content) if (byte === 0x0a) count += 1
  return count
}

/** ATT-601 */
function cut(text: string): string {
  return [...text].slice(0, 200).join('')
}
