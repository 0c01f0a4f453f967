import { execFileSync } from 'node:child_process'
import { rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createArtifacts } from '../../../src/gate/evaluators/index.ts'
import type { Arrow, Clause, Dependency } from '../../../src/protocol/grid.ts'
import { catalogue, machine, type Project, projects } from './bench.ts'

const project = projects()
const signal = new AbortController().signal

function clause(concept: string, args: Clause['args']): Clause {
  const base = { description: '', layers: [], eval: 'machine', depth: 'depth-robust', minTier: 0, cost: 0 } as const
  return { ...base, id: 'C1', source: 'role-default', concept, args, modified: [], missing: [] }
}

function arrow(clauses: readonly Clause[], dependencies: readonly Dependency[] | null = []): Arrow {
  return {
    id: 'analyst→architect/checkout',
    sourceRole: 'analyst',
    targetRole: 'architect',
    producerRole: 'analyst',
    context: 'checkout',
    stratum: 'L0',
    severityThreshold: null,
    clauses,
    requirements: [],
    dependencies
  }
}

const on = (artifact: string, granularity: Dependency['granularity'] = 'file'): Dependency => ({
  artifact,
  granularity,
  onChange: 'invalidate'
})

function take({ dir }: Project, declared: Arrow, moreGlobs: readonly string[] = []) {
  return createArtifacts({ projectDir: dir, catalogue, machine, moreGlobs: () => moreGlobs }).take(declared, signal)
}

/** Whether the digest of `dependency` changes when `path` gets `content`. */
async function changes(files: Record<string, string>, dependency: Dependency, path: string, content: string | null) {
  const place = await project(files)
  const declared = arrow([], [dependency])
  const before = (await take(place, declared)).dependencies?.[dependency.artifact]
  if (content === null) await rm(join(place.dir, path))
  else await place.write(path, content)
  return (await take(place, declared)).dependencies?.[dependency.artifact] !== before
}

describe('a file whose name is not UTF-8 (GATE-87, RUN-232)', () => {
  it.runIf(process.platform === 'linux')('is a change when its bytes change, and none while they do not', async () => {
    const place = await project({ 'specs/checkout/a.md': 'a' })
    const named = (byte: number) =>
      Buffer.concat([Buffer.from(join(place.dir, 'specs/checkout/')), Buffer.from([byte]), Buffer.from('.md')])
    await writeFile(named(0xe9), 'one')
    await writeFile(named(0xea), 'two')
    const declared = arrow([], [on('specs/checkout/*.md')])
    const before = await take(place, declared)
    expect(await take(place, declared)).toEqual(before)
    for (const byte of [0xe9, 0xea]) {
      const previous = await take(place, declared)
      await writeFile(named(byte), 'changed')
      const next = await take(place, declared)
      expect(next.digest).not.toBe(previous.digest)
      expect(next.dependencies).not.toEqual(previous.dependencies)
    }
  })
})

describe('how many files moved (RUN-252)', () => {
  it('counts those of the scope that were written or came to their place since', async () => {
    const place = await project({ 'specs/checkout/a.md': 'a', 'specs/checkout/b.md': 'b', 'other.md': 'c' })
    const artifacts = createArtifacts({ projectDir: place.dir, catalogue, machine, moreGlobs: () => [] })
    const since = (millis: number) => artifacts.changedSince?.(arrow([]), new Date(millis).toISOString(), signal)
    expect(await since(0)).toBe(2)
    const { ctimeMs } = await stat(join(place.dir, 'specs/checkout/b.md'))
    const later = Math.ceil(ctimeMs) + 1
    expect(await since(later)).toBe(0)
    await expect.poll(() => Date.now()).toBeGreaterThan(later)
    await place.write('specs/checkout/a.md', 'changed')
    expect(await since(later)).toBe(1)
  })
})

describe('the artifact of an arrow (RUN-232)', () => {
  const declared = arrow(
    [
      clause('no-todo-marker', { scope: 'lib/*.ts' }),
      clause('trace-link-present', { from: 'map.md#Map', to: 'if/*.md', 'link-rule': '(x)' }),
      clause('arrow-artifact-present', { 'artifact-path': 'claim.md' }),
      clause('cardinality-check', { query: 'x', 'query-target': 'ledger.md', expected: 0 }),
      clause('cardinality-check', { query: 'contexts[id=a]', 'query-target': 'project-state', expected: 0 })
    ],
    [on('dep.md')]
  )
  const files = { 'lib/a.ts': 'a', 'specs/checkout/x.md': 'b', 'other.md': 'c' }

  it.each([
    'lib/a.ts',
    'lib/new.ts',
    'map.md',
    'if/x.md',
    'claim.md',
    'ledger.md',
    'dep.md',
    'specs/checkout/x.md',
    'src/more.ts'
  ])('changes with %s', async (path) => {
    const place = await project(files)
    const before = await take(place, declared, ['src/**'])
    await place.write(path, 'changed')
    expect((await take(place, declared, ['src/**'])).digest).not.toBe(before.digest)
  })

  it.each(['other.md', 'specs/stock/x.md', 'lib/sub/a.ts', 'src/more.ts'])('does not change with %s', async (path) => {
    const place = await project(files)
    const before = await take(place, declared)
    await place.write(path, 'changed')
    expect(await take(place, declared)).toMatchObject({ digest: before.digest })
  })

  it('leaves out what tools make and what git ignores', async () => {
    const place = await project({ ...files, '.gitignore': '*.log\n' })
    execFileSync('git', ['init', '--quiet'], { cwd: place.dir })
    const before = await take(place, declared)
    await place.write('specs/checkout/out.log', 'x')
    await place.write('specs/checkout/node_modules/x.md', 'x')
    await place.link('specs/checkout/link.md', '../../other.md')
    expect((await take(place, declared)).digest).toBe(before.digest)
    await place.write('specs/checkout/y.md', 'x')
    expect((await take(place, declared)).digest).not.toBe(before.digest)
  })

  it('file by file it is the same artifact, sorted, with sizes and digests; what is no text has none (RUN-620)', async () => {
    const place = await project({ ...files, 'claim.md': 'x', 'lib/b.ts': new Uint8Array([0, 1, 2]) })
    const artifacts = createArtifacts({ projectDir: place.dir, catalogue, machine, moreGlobs: () => [] })
    const listed = await artifacts.list(declared, signal)
    expect(listed.map(({ path, bytes }) => [path, bytes])).toEqual([
      ['claim.md', 1],
      ['lib/a.ts', 1],
      ['lib/b.ts', 3],
      ['specs/checkout/x.md', 1]
    ])
    expect(listed[1]?.sha256).toBe('ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb')
    expect(await artifacts.text('lib/a.ts', signal)).toBe('a')
    expect(await artifacts.text('lib/b.ts', signal)).toBeNull()
    expect(await artifacts.text('gone.md', signal)).toBeNull()
  })

  it('stops when it is cancelled', async () => {
    const { dir } = await project(files)
    const artifacts = createArtifacts({ projectDir: dir, catalogue, machine, moreGlobs: () => [] })
    await expect(artifacts.take(declared, AbortSignal.abort())).rejects.toMatchObject({ reason: 'evaluator-cancelled' })
  })
})

describe('declared dependencies (GATE-87…90)', () => {
  const text = '# A\none  \n## Sub\ntwo\n# B\nthree\n'

  it.each<[string, Record<string, string>, Dependency, string, string | null, boolean]>([
    ['bytes of a file', { 'a.md': 'x' }, on('a.md'), 'a.md', 'y', true],
    ['the same bytes', { 'a.md': 'x' }, on('a.md'), 'a.md', 'x', false],
    ['another file', { 'a.md': 'x' }, on('a.md'), 'b.md', 'y', false],
    ['the set of matches', { 'd/a.md': 'x' }, on('d/**'), 'd/b.md', '', true],
    ['a match that goes', { 'd/a.md': 'x', 'd/b.md': 'y' }, on('d/**'), 'd/b.md', null, true],
    ['an empty set that stays empty', {}, on('d/**'), 'b.md', 'x', false],
    ['a missing file, which always counts', {}, on('a.md'), 'b.md', 'x', true],
    ['text of a section', { 'a.md': text }, on('a.md#A', 'section'), 'a.md', text.replace('two', '2'), true],
    ['white space at its ends', { 'a.md': text }, on('a.md#A', 'section'), 'a.md', text.replace('one  ', 'one'), false],
    ['text behind it', { 'a.md': text }, on('a.md#A', 'section'), 'a.md', text.replace('three', '3'), false],
    ['a missing section', { 'a.md': text }, on('a.md#C', 'section'), 'b.md', 'x', true],
    [
      'an entry with a manual id',
      { 'a.md': '- id: INV-1 x\n- y' },
      on('INV-1', 'clause-id'),
      'a.md',
      '- id: INV-1 z\n- y',
      true
    ],
    ['another entry', { 'a.md': '- id: INV-1 x\n- y' }, on('INV-1', 'clause-id'), 'a.md', '- id: INV-1 x\n- z', false],
    ['a missing id', { 'a.md': '- y' }, on('INV-1', 'clause-id'), 'b.txt', 'x', true]
  ])('%s', async (_, files, dependency, path, content, expected) => {
    expect(await changes(files, dependency, path, content)).toBe(expected)
  })

  it('are null when undeclared and empty when declared none', async () => {
    const place = await project()
    expect((await take(place, arrow([], null))).dependencies).toBeNull()
    expect((await take(place, arrow([], []))).dependencies).toEqual({})
  })
})
