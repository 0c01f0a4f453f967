import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, realpath, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll } from 'vitest'
import { loadCatalogue, readBinding } from '../../../src/gate/catalogue/index.ts'
import { createRegistry, type Machine } from '../../../src/gate/evaluators/index.ts'
import { runConfined } from '../../../src/platform/confined.ts'
import type { EvaluationContext, GateQueries } from '../../../src/protocol/evaluation.ts'
import type { EvaluationResult } from '../../../src/protocol/gate.ts'
import type { Args, Binding } from '../../../src/protocol/grid.ts'

/** A temporary project to evaluate clauses on. Values of `files` are texts or bytes. */
export type Project = {
  readonly dir: string
  write(path: string, content: string | Uint8Array): Promise<void>
  link(path: string, target: string): Promise<void>
}

export type Request = {
  readonly state?: Partial<GateQueries>
  readonly signal?: AbortSignal
  readonly passId?: string
  /** Declarations as a grid file holds them, by key. */
  readonly bindings?: Readonly<Record<string, unknown>>
  readonly machine?: Partial<Machine>
}

export const catalogue = loadCatalogue()

/** No store attached at all. */
export const noState: GateQueries = {
  findings: () => null,
  requirements: () => null,
  passes: () => null,
  arrows: () => null,
  contexts: () => null
}

export const machine: Machine = {
  confine: runConfined,
  env: process.env,
  graceMs: 200,
  profile: async () => 'greenfield'
}

/** Projects of one test file; removed after its last test. */
export function projects(): (files?: Readonly<Record<string, string | Uint8Array>>) => Promise<Project> {
  const made: string[] = []
  afterAll(() => {
    // Unlike Node's own, this one also removes what lies deeper than a path may be long.
    if (made.length > 0) execFileSync('rm', ['-rf', ...made])
  })
  return async (files = {}) => {
    const dir = await realpath(await mkdtemp(join(tmpdir(), 'ghyll-gate-')))
    made.push(dir)
    const project: Project = {
      dir,
      async write(path, content) {
        await mkdir(dirname(join(dir, path)), { recursive: true })
        await writeFile(join(dir, path), content)
      },
      async link(path, target) {
        await mkdir(dirname(join(dir, path)), { recursive: true })
        await symlink(target, join(dir, path))
      }
    }
    for (const [path, content] of Object.entries(files)) await project.write(path, content)
    return project
  }
}

/** A binding as the grid would hold it. */
export function bindingOf(key: string, declared: unknown): Binding {
  const read = readBinding(catalogue, key, declared)
  if ('problem' in read) throw new Error(read.problem.message)
  return read.binding
}

/** Evaluates one clause as the kernel does: through the registry, by its key. */
export async function evaluate(
  dir: string,
  concept: string,
  args: Args,
  {
    state = {},
    signal = new AbortController().signal,
    passId = 'p-1',
    bindings = {},
    machine: parts = {}
  }: Request = {}
): Promise<EvaluationResult> {
  const declared = Object.fromEntries(Object.entries(bindings).map(([key, value]) => [key, bindingOf(key, value)]))
  const registry = createRegistry(catalogue, { ...machine, ...parts }, declared)
  const registration = registry.lookUp(registry.keyOf(concept, args))
  if (registration === null) throw new Error(`evaluator-unknown: ${registry.keyOf(concept, args)}`)
  const context: EvaluationContext = {
    projectDir: dir,
    clauseId: 'C1',
    passId,
    arrowId: 'analyst→architect/checkout',
    concept,
    args,
    signal,
    state: { ...noState, ...state }
  }
  return registration.evaluate(context)
}
