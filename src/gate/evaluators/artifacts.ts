import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { byCodeUnit } from '../../lib/compare.ts'
import type { EvaluationContext } from '../../protocol/evaluation.ts'
import type { ArgValue, Arrow, Clause, Dependency } from '../../protocol/grid.ts'
import { type Catalogue, checkArguments, skippedAtRoot } from '../catalogue/index.ts'
import type { ArtifactReader } from '../runner/adversary/index.ts'
import type { Artifacts } from '../runner/ports.ts'
import { eachEntry, parseArtifactRef } from './artifact-ref.ts'
import { contentDigest, dependencyDigest, filesDigest } from './dependency-digest.ts'
import { commandEnvironment } from './environment.ts'
import type { Machine } from './machine.ts'
import { readText } from './read-text.ts'
import { Undecided, undecidedByCancel } from './result.ts'
import { listFiles } from './walk.ts'

type Walk = Pick<EvaluationContext, 'projectDir' | 'signal'>

/** Where a role keeps its work (ROLE-9). */
const roleRoots: Readonly<Record<string, string>> = {
  analyst: 'specs',
  architect: 'architecture',
  implementer: 'implementation',
  integrator: 'integration'
}

const gitTimeoutMs = 60_000
const gitOutputBytes = 64 * 1024 * 1024

export type ArtifactOptions = {
  readonly projectDir: string
  readonly catalogue: Catalogue
  readonly machine: Machine
  /** Globs beyond clauses, dependencies and root: the implementer's sources and tests (ROLE-14). */
  readonly moreGlobs: (arrow: Arrow) => readonly string[]
}

/**
 * What an arrow's artifact and its declared dependencies are right now, on the real tree (RUN-232, GATE-87…89), as a digest and file by
 * file for those who read it (RUN-620).
 */
export function createArtifacts({
  projectDir,
  catalogue,
  machine,
  moreGlobs
}: ArtifactOptions): Artifacts & ArtifactReader {
  const filesIn = async (context: Walk, arrow: Arrow) => {
    const files = new Set<string>()
    for (const ref of scopeOf(arrow, catalogue, moreGlobs(arrow)))
      for (const file of await filesOf(context, ref)) if (!isOfTools(file)) files.add(file)
    const ignored = await ignoredByGit(context, machine, [...files])
    return [...files].filter((file) => !ignored.has(file))
  }
  return {
    async take(arrow, signal) {
      const context = { projectDir, signal }
      const digest = await filesDigest(context, await filesIn(context, arrow))
      return { digest, dependencies: await dependenciesOf(context, arrow.dependencies) }
    },
    async changedSince(arrow, since, signal) {
      const files = await filesIn({ projectDir, signal }, arrow)
      const times = await Promise.all(files.map((file) => changeTime(join(projectDir, file))))
      return times.filter((time) => time > Date.parse(since)).length
    },
    async list(arrow, signal) {
      const files = await filesIn({ projectDir, signal }, arrow)
      return Promise.all(files.toSorted(byCodeUnit).map((path) => fileFacts(projectDir, path)))
    },
    async text(path) {
      const read = await readText(projectDir, path)
      return read.kind === 'text' ? read.text : null
    }
  }
}

/** When a file last changed or came to its place, in milliseconds since the epoch; 0 for one that is gone. */
async function changeTime(path: string): Promise<number> {
  const stats = await lstat(path).catch(() => null) // gone meanwhile
  return stats?.ctimeMs ?? 0
}

async function fileFacts(projectDir: string, path: string) {
  const full = join(projectDir, path)
  const stats = await lstat(full).catch(() => null) // gone meanwhile: its digest says so
  return { path, bytes: stats?.size ?? 0, sha256: await contentDigest(full) }
}

async function dependenciesOf(context: Walk, dependencies: readonly Dependency[] | null) {
  if (dependencies === null) return null
  const digests: Record<string, string> = {}
  for (const dependency of dependencies) digests[dependency.artifact] = await dependencyDigest(context, dependency)
  return digests
}

/** Everything that selects a part of the artifact, once each. */
function scopeOf(arrow: Arrow, catalogue: Catalogue, more: readonly string[]): ReadonlySet<string> {
  const root = roleRoots[arrow.sourceRole]
  return new Set([
    ...arrow.clauses.flatMap((clause) => refsOf(clause, catalogue)),
    ...(arrow.dependencies ?? []).map(({ artifact }) => artifact),
    ...(root === undefined ? [] : [`${root}/${arrow.context}/**`]),
    ...more
  ])
}

/** Arguments of a clause that name files. */
function refsOf({ concept, args }: Clause, catalogue: Catalogue): readonly string[] {
  if (concept === null) return []
  const checked = checkArguments(catalogue, concept, args, { allowMissing: true })
  const values: Readonly<Record<string, ArgValue>> = 'args' in checked ? checked.args : {}
  return (catalogue.get(concept)?.arguments ?? []).flatMap(({ name, type, values: literals }) => {
    const value = values[name]
    if (typeof value !== 'string') return []
    if (type === 'path-glob' || type === 'artifact-ref' || name === 'artifact-path') return [value]
    if (type === 'enum-or-path') return literals?.includes(value) === true ? [] : [value]
    return name === 'rule' && value.startsWith('file:') ? [value.slice('file:'.length).trim()] : []
  })
}

async function filesOf(context: Walk, ref: string): Promise<readonly string[]> {
  const parsed = parseArtifactRef(ref)
  if (parsed.kind === 'glob') return (await listFiles(context, parsed.glob)).files
  if (parsed.kind === 'section') return (await listFiles(context, parsed.path)).files
  const files: string[] = []
  await eachEntry(context, parsed, ({ file }) => void files.push(file))
  // A word without path or glob letters may be the name of a file as well.
  return [...files, ...(await listFiles(context, ref)).files]
}

/** In a folder of CONC-27, here at any depth, so that running a tool changes nothing. */
function isOfTools(file: string): boolean {
  return file
    .split('/')
    .slice(0, -1)
    .some((name) => skippedAtRoot.has(name))
}

/** Files that git ignores; none where there is no repository. */
async function ignoredByGit(
  { projectDir, signal }: Walk,
  machine: Machine,
  files: readonly string[]
): Promise<ReadonlySet<string>> {
  if (files.length === 0) return new Set()
  const { end, stdout } = await machine.confine({
    file: 'git',
    args: ['check-ignore', '-z', '--stdin'],
    cwd: projectDir,
    env: commandEnvironment(machine.env, projectDir),
    input: files.map((file) => `${file}\0`).join(''),
    timeoutMs: gitTimeoutMs,
    stdoutBytes: gitOutputBytes,
    stderrBytes: 1024,
    signal
  })
  if (end.kind === 'interrupted') throw undecidedByCancel()
  // 0: some are, 1: none is, 128: no repository; without git nothing is ignored either.
  const isAnswer = (end.kind === 'exited' && [0, 1, 128].includes(end.code)) || end.kind === 'not-started'
  if (!isAnswer) throw new Undecided('evaluator-error', `git check-ignore: ${end.kind}`)
  return new Set(
    stdout.bytes
      .toString()
      .split('\0')
      .filter((file) => file !== '')
  )
}
