import type { EvaluationContext } from '../../protocol/evaluation.ts'
import type { EvaluationResult } from '../../protocol/gate.ts'
import type { Binding } from '../../protocol/grid.ts'
import { staysInside } from '../catalogue/index.ts'
import { textArg } from './args.ts'
import { parseArtifactRef, type TargetIndex, targetIndex } from './artifact-ref.ts'
import { notRunnable, reportOf } from './binding-report.ts'
import { runBinding } from './binding-run.ts'
import { commandOf, protocolOf, scopeOf } from './bound-check.ts'
import type { Machine } from './machine.ts'
import { recordedText } from './mask.ts'
import { captureCount, compileNonEmpty, type Patterns, withPatterns } from './patterns.ts'
import { linesOf, readText } from './read-text.ts'
import { type Details, evaluator, failed, listed, Undecided, unevaluated } from './result.ts'
import { conclude, type Scan } from './scan.ts'
import type { Skipped } from './walk.ts'

/** Lines above a declaration that a `regex:` mapper looks at (CONC-55). */
const linesAbove = 8

type Entity = { readonly id: string; readonly location: string }
/** Entity id → the targets it names. */
type Mapping = ReadonlyMap<string, readonly string[]>

/** Every entity maps to an entry of the specification index (CONC-55…57). */
export const noOrphanSymbol = (machine: Machine, binding: Binding) =>
  evaluator(async (context) => {
    const scan = await scopeOf(context)
    const ref = textArg(context.args, 'spec-index')
    const index = await targetIndex(context, parseArtifactRef(ref), { withContent: true })
    if (index.absent)
      throw new Undecided('no-rule-selectable-locations', `no specification index at ${ref}`, {
        'files-in-scope': scan.fileCount
      })
    const { extractor, mapper } = binding
    if (extractor === null || mapper === null) return byCommand(machine, binding, context, scan)

    const extracted = await runLines(machine, binding, context, extractor)
    if ('status' in extracted) return withFiles(extracted, scan)
    const entities = extracted.map(entityOf)
    const pattern = mapper.startsWith('regex:') ? mapper.slice('regex:'.length) : null
    const mapped =
      pattern !== null
        ? await withPatterns(context, (patterns) => mapByPattern(context, pattern, entities, patterns))
        : await mapByCommand(machine, binding, context, mapper)
    if ('status' in mapped) return withFiles(mapped, scan)
    const skipped = [...scan.skipped, ...index.scan.skipped, ...mapped.skipped]
    return judge({ ...scan, skipped }, entities, mapped.mapping, index)
  })

function judge(scan: Scan, entities: readonly Entity[], mapping: Mapping, { targets }: TargetIndex): EvaluationResult {
  const orphans: Details[] = []
  const missing: Details[] = []
  for (const { id, location } of entities) {
    const named = mapping.get(id) ?? []
    if (named.length === 0) orphans.push({ 'entity-id': id, location })
    for (const target of named)
      if (!targets.has(target)) missing.push({ 'referenced-id': target, 'found-in': location === '' ? id : location })
  }
  const details = {
    'entity-count': entities.length,
    ...listed('orphans', orphans),
    ...listed('missing-targets', missing)
  }
  return conclude(scan, { fails: orphans.length + missing.length > 0, vacuous: entities.length === 0, details })
}

/** A plain command does the whole check and reports by JSON. */
async function byCommand(
  machine: Machine,
  binding: Binding,
  context: EvaluationContext,
  scan: Scan
): Promise<EvaluationResult> {
  protocolOf(binding, ['auto', 'json'])
  const run = await runBinding(machine, context, { command: commandOf(binding), binding, timeoutMs: binding.timeoutMs })
  const report = reportOf(run, 'json')
  if ('status' in report) return withFiles(report, scan)
  const { orphans, 'missing-targets': missing, 'entity-count': entities } = report.details
  const found = [orphans, missing].some((list) => Array.isArray(list) && list.length > 0)
  return conclude(scan, { fails: !report.pass || found, vacuous: entities === 0, details: report.details })
}

/** Lines with content of a command that has to succeed. */
async function runLines(
  machine: Machine,
  binding: Binding,
  context: EvaluationContext,
  command: string
): Promise<readonly string[] | EvaluationResult> {
  const run = await runBinding(machine, context, { command, binding, timeoutMs: binding.timeoutMs })
  if ('settled' in run) return run.settled
  if (run.code === 0) return run.stdout.split(/\r?\n/).filter((line) => line.trim() !== '')
  const details = { 'exit-code': run.code, stderr: recordedText(run.stderr) }
  const missing = notRunnable(run.code)
  const detail = missing ?? `command failed: ${recordedText(command)}`
  return unevaluated('evaluator-error', { error: 'evaluator-error', detail, ...details })
}

function entityOf(line: string): Entity {
  const [id = '', location = ''] = line.split('\t')
  return { id: id.trim(), location: location.trim() }
}

type Mapped = { readonly mapping: Mapping; readonly skipped: readonly Skipped[] }

async function mapByCommand(
  machine: Machine,
  binding: Binding,
  context: EvaluationContext,
  command: string
): Promise<Mapped | EvaluationResult> {
  const lines = await runLines(machine, binding, context, command)
  if ('status' in lines) return lines
  const mapping = new Map<string, string[]>()
  for (const line of lines) {
    const [id, targets, ...more] = line.split('\t')
    if (id === undefined || targets === undefined || more.length > 0)
      return failed({ error: 'evaluator-output-malformed', output: recordedText(line) })
    const named = targets.split(',').map((target) => target.trim())
    mapping.set(id.trim(), [...(mapping.get(id.trim()) ?? []), ...named.filter((target) => target !== '')])
  }
  return { mapping, skipped: [] }
}

/** The first capture on the declaration's line, else on the nearest of the lines above it. */
async function mapByPattern(
  context: EvaluationContext,
  pattern: string,
  entities: readonly Entity[],
  patterns: Patterns
): Promise<Mapped> {
  compileNonEmpty(pattern)
  if (captureCount(pattern) === 0) throw new Undecided('evaluator-error', 'mapper has no capture group')
  const files = new Map<string, readonly string[] | null>()
  const skipped: Skipped[] = []
  const mapping = new Map<string, readonly string[]>()
  for (const { id, location } of entities) {
    const [, named, lineText] = /^(.+?):(\d+)(?::\d+)?$/.exec(location) ?? []
    const file = named === undefined ? null : relativeFile(context, named)
    if (file === null) continue
    if (!files.has(file)) {
      const read = await readText(context.projectDir, file)
      if (read.kind === 'skipped') skipped.push({ file, reason: read.reason })
      files.set(file, read.kind === 'text' ? linesOf(read.text) : null)
    }
    const line = Number(lineText)
    const lines = files.get(file)?.slice(Math.max(0, line - 1 - linesAbove), line) ?? []
    const { matches } = await patterns.search({ pattern, lines: lines.toReversed(), mode: 'all', limit: 1000 })
    const nearest = matches.filter((match) => match.line === matches[0]?.line)
    const targets = nearest.flatMap(({ groups }) => (groups[1] === null || groups[1] === '' ? [] : [groups[1] ?? '']))
    if (targets.length > 0) mapping.set(id, targets)
  }
  return { mapping, skipped }
}

/** An extractor may print absolute paths; what lies outside of the project is not looked at (CONC-34). */
function relativeFile({ projectDir }: EvaluationContext, path: string): string | null {
  const relative = path.startsWith(`${projectDir}/`) ? path.slice(projectDir.length + 1) : path
  return staysInside(relative) ? relative : null
}

function withFiles(result: EvaluationResult, { fileCount }: Scan): EvaluationResult {
  return { ...result, details: { 'files-in-scope': fileCount, ...result.details } }
}
