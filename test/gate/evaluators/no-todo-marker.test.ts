import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { foldCase } from '../../../src/gate/evaluators/no-todo-marker.ts'
import { fc } from '../../support/laws.ts'
import { evaluate, projects } from './bench.ts'

const project = projects()
const scope = { scope: 'src/**' }

describe('no-todo-marker (CONC-46…49)', () => {
  it('passes when no line carries a marker', async () => {
    const { dir } = await project({ 'src/a.ts': 'const a = 1\n', 'docs/b.md': 'TODO elsewhere' })
    expect(await evaluate(dir, 'no-todo-marker', scope)).toEqual({
      status: 'pass',
      reason: null,
      details: { 'files-in-scope': 1, hits: [] }
    })
  })

  it('finds markers anywhere in a line, without word boundaries and in any case, as they are written', async () => {
    const { dir } = await project({ 'src/a.ts': 'ok\r\n// Fixme later\nconst herd = "mastodons"\nwhy???\n' })
    const result = await evaluate(dir, 'no-todo-marker', scope)
    expect(result.status).toBe('fail')
    expect(result.details.hits).toEqual([
      { file: 'src/a.ts', line: 2, marker: 'Fixme', 'surrounding-text': '// Fixme later' },
      { file: 'src/a.ts', line: 3, marker: 'todo', 'surrounding-text': 'const herd = "mastodons"' },
      { file: 'src/a.ts', line: 4, marker: '???', 'surrounding-text': 'why???' }
    ])
  })

  it('reports one hit per line: the earliest, of two at one place the longest', async () => {
    const { dir } = await project({ 'src/a': 'xx TODO-NOW and FIXME\n' })
    const result = await evaluate(dir, 'no-todo-marker', { ...scope, markers: ['TODO', 'FIXME', 'TODO-NOW'] })
    expect(result.details.hits).toMatchObject([{ marker: 'TODO-NOW' }])
  })

  it('minds the case when asked to', async () => {
    const { dir } = await project({ 'src/a': 'todo\n' })
    expect(await evaluate(dir, 'no-todo-marker', { ...scope, 'case-sensitive': true })).toMatchObject({
      status: 'pass'
    })
  })

  it('folds letters whose lower case is longer without moving what is reported', async () => {
    const { dir } = await project({ 'src/a': 'İİİ ÄÖ-todo 😀 end\n' })
    const result = await evaluate(dir, 'no-todo-marker', { ...scope, markers: ['äö-TODO'] })
    expect(result.details.hits).toMatchObject([{ marker: 'ÄÖ-todo' }])
  })

  it('passes over lines that begin with an excluded prefix', async () => {
    const { dir } = await project({ 'src/a.md': '  > TODO is a marker\nTODO: this\n' })
    const result = await evaluate(dir, 'no-todo-marker', { ...scope, 'exclude-prefixes': ['>'] })
    expect(result.details.hits).toMatchObject([{ line: 2 }])
  })

  it('cuts what surrounds a hit to 500 characters and keeps the marker in it', async () => {
    const { dir } = await project({ 'src/a': `${'z'.repeat(3000)}TODO${'y'.repeat(3000)}\n` })
    const [hit] = (await evaluate(dir, 'no-todo-marker', scope)).details.hits as { 'surrounding-text': string }[]
    expect(hit?.['surrounding-text']).toHaveLength(500)
    expect(hit?.['surrounding-text']).toContain('TODO')
  })

  it('masks a secret that stands beside a marker (CONC-24)', async () => {
    const { dir } = await project({ 'src/a': '# TODO rotate API_KEY=hunter2hunter2\n' })
    const result = await evaluate(dir, 'no-todo-marker', scope)
    expect(JSON.stringify(result)).not.toContain('hunter2')
  })

  it('passes vacuously over an empty scope (CONC-35)', async () => {
    const { dir } = await project({ 'lib/a': 'TODO' })
    expect(await evaluate(dir, 'no-todo-marker', scope)).toMatchObject({ status: 'pass', details: { vacuous: true } })
  })

  it.each([[[]], [['TODO', '']]])('leaves the clause open for the markers %j', async (markers) => {
    const { dir } = await project({ 'src/a': 'x' })
    expect(await evaluate(dir, 'no-todo-marker', { ...scope, markers })).toMatchObject({
      status: 'unevaluated',
      reason: 'evaluator-error'
    })
  })

  it('counts long lists of hits and keeps their beginning', async () => {
    const { dir } = await project({ 'src/a': 'TODO\n'.repeat(1200) })
    const { details } = await evaluate(dir, 'no-todo-marker', scope)
    expect(details.hits).toHaveLength(500)
    expect(details['hits-total']).toBe(1200)
  })
})

describe('files of a scan', () => {
  it('skips the root folders of tools and scans deeper ones of the same name (CONC-27)', async () => {
    const { dir } = await project({
      'node_modules/x.js': 'TODO',
      'build/x.ts': 'TODO',
      '.git/config': 'TODO',
      'src/cli/build/x.ts': 'TODO'
    })
    const result = await evaluate(dir, 'no-todo-marker', { scope: '**' })
    expect(result.details.hits).toMatchObject([{ file: 'src/cli/build/x.ts' }])
  })

  it('follows no link, neither to a file nor to a folder (CONC-28)', async () => {
    const { dir, link } = await project({ 'other/x.ts': 'TODO' })
    await link('src/x.ts', '../other/x.ts')
    await link('src/folder', '../other')
    expect(await evaluate(dir, 'no-todo-marker', scope)).toMatchObject({
      status: 'pass',
      details: { 'files-in-scope': 0, vacuous: true }
    })
  })

  it('ignores binary files and says so (CONC-29)', async () => {
    const { dir } = await project({ 'src/logo.png': Buffer.from('TODO\0'), 'src/a': 'fine' })
    expect(await evaluate(dir, 'no-todo-marker', scope)).toMatchObject({
      status: 'pass',
      details: { 'files-in-scope': 2, skipped: [{ file: 'src/logo.png', reason: 'binary' }] }
    })
  })

  it.each<[string, string | Uint8Array, string]>([
    ['a text over 4 MiB', 'x\n'.repeat(2.1 * 1024 * 1024), 'too-large'],
    ['a line over 1 MiB', 'x'.repeat(1024 * 1024 + 1), 'line-too-long']
  ])('leaves the clause open over %s (CONC-30)', async (_, content, reason) => {
    const { dir } = await project({ 'src/big': content, 'src/a': 'fine' })
    expect(await evaluate(dir, 'no-todo-marker', scope)).toMatchObject({
      status: 'unevaluated',
      reason: 'scan-incomplete',
      details: { skipped: [{ file: 'src/big', reason }] }
    })
  })

  it('takes a file over 4 MiB that is binary for what it is', async () => {
    const { dir } = await project({ 'src/big': Buffer.alloc(5 * 1024 * 1024) })
    expect(await evaluate(dir, 'no-todo-marker', scope)).toMatchObject({ status: 'pass' })
  })

  it('fails all the same when something was found elsewhere (CONC-30)', async () => {
    const { dir } = await project({ 'src/big': 'x'.repeat(1024 * 1024 + 1), 'src/a': 'TODO' })
    expect(await evaluate(dir, 'no-todo-marker', scope)).toMatchObject({
      status: 'fail',
      details: { skipped: [{ reason: 'line-too-long' }] }
    })
  })

  it('notes a folder that cannot be read (CONC-31)', async () => {
    const { dir } = await project({ 'src/b': 'y' })
    // Deeper than a path may be long, which nobody can list, the superuser included: two halves, one moved into the other.
    const half = Array.from({ length: 10 }, () => 'd'.repeat(250)).join('/')
    await mkdir(join(dir, 'src', half), { recursive: true })
    await mkdir(join(dir, 'other', half), { recursive: true })
    await rename(join(dir, 'other'), join(dir, 'src', half, 'other'))
    const result = await evaluate(dir, 'no-todo-marker', scope)
    expect(result).toMatchObject({ reason: 'scan-incomplete', details: { skipped: [{ reason: 'unreadable' }] } })
  })

  it('reads what is no UTF-8, drops a byte order mark, and ends lines at CRLF (CONC-32)', async () => {
    const { dir } = await project({ 'src/a': Buffer.from('\ufeffTODO a\r\n\xff TODO b\r\n', 'latin1') })
    const { details } = await evaluate(dir, 'no-todo-marker', scope)
    expect(details.hits).toMatchObject([{ line: 1 }, { line: 2, 'surrounding-text': '\ufffd TODO b' }])
  })

  it('refuses a scope outside of the project (CONC-34)', async () => {
    const { dir } = await project()
    for (const outside of ['../x/**', '/etc/*'])
      expect(await evaluate(dir, 'no-todo-marker', { scope: outside })).toMatchObject({ reason: 'evaluator-error' })
  })

  it('stops when it is cancelled (CONC-23, CONC-31)', async () => {
    const { dir } = await project({ 'src/a': 'TODO' })
    expect(await evaluate(dir, 'no-todo-marker', scope, { signal: AbortSignal.abort() })).toEqual({
      status: 'unevaluated',
      reason: 'evaluator-cancelled',
      details: { error: 'evaluator-cancelled' }
    })
  })

  it('folds every text to one of the same length', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => foldCase(text).length === text.length))
  })
})
