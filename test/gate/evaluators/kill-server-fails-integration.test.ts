import { execFileSync } from 'node:child_process'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { runConfined } from '../../../src/platform/confined.ts'
import type { Args } from '../../../src/protocol/grid.ts'
import { evaluate, projects } from './bench.ts'

const project = projects()
const fixture = fileURLToPath(new URL('../../fixtures/gate/kill-server', import.meta.url))
const node = process.execPath
const concept = 'kill-server-fails-integration'

const running: string[] = []
afterEach(() => {
  for (const dir of running.splice(0))
    execFileSync('sh', ['-c', 'kill -9 "$(cat server.pid)" 2>/dev/null || true'], { cwd: dir })
})

/** A project whose server is up, and the arguments that know how to end and start it. */
async function withServer(): Promise<{ readonly dir: string; readonly args: Args }> {
  const { dir } = await project()
  await cp(fixture, join(dir, 'tests'), { recursive: true })
  await cp(join(fixture, 'server.mjs'), join(dir, 'server.mjs'))
  execFileSync('sh', ['tests/start.sh'], { cwd: dir, env: { ...process.env, NODE: node }, stdio: 'ignore' })
  running.push(dir)
  return {
    dir,
    args: {
      'test-suite': 'tests/*.mjs',
      'critical-deps': ['stock'],
      'test-command': `${node} tests/integration.mjs`,
      'kill-commands': { stock: 'sh tests/stop.sh' },
      'restore-commands': { stock: `NODE=${node} sh tests/start.sh` }
    }
  }
}

/** A project in which the dependency is the file `dep`. */
async function withFile(more: Args = {}) {
  const { dir } = await project({ dep: 'up', 'tests/a': '' })
  const args: Args = {
    'test-suite': 'tests/*',
    'critical-deps': ['dep'],
    'test-command': 'test -e dep',
    'kill-cmd.dep': 'mv dep gone',
    'unkill-cmd.dep': 'mv gone dep',
    ...more
  }
  return { dir, result: await evaluate(dir, concept, args) }
}

describe('kill-server-fails-integration with a server that runs (CONC-65, CONC-66)', () => {
  it('passes when the suite notices that the server is gone, and leaves the server running', async () => {
    const { dir, args } = await withServer()
    expect(await evaluate(dir, concept, args)).toEqual({
      status: 'pass',
      reason: null,
      details: {
        'files-in-scope': 2,
        'kill-strategy': 'block-network',
        'suite-passes-with-deps': true,
        'dep-results': [
          { dep: 'stock', killed: true, 'suite-failed': true, 'kill-exit': 0, 'test-exit': 1, 'restore-exit': 0 }
        ],
        'mocked-deps': []
      }
    })
    execFileSync(node, ['tests/integration.mjs'], { cwd: dir })
  })

  it('fails for a suite that does not need the server', async () => {
    const { dir, args } = await withServer()
    const result = await evaluate(dir, concept, { ...args, 'test-command': 'true' })
    expect(result).toMatchObject({ status: 'fail', details: { 'mocked-deps': ['stock'] } })
  })

  it('finds out that the server was not brought back', async () => {
    const { dir, args } = await withServer()
    const result = await evaluate(dir, concept, { ...args, 'restore-commands': {} })
    expect(result).toMatchObject({
      status: 'unevaluated',
      reason: 'restore-failed',
      details: { 'suite-passes-with-deps': false }
    })
  })

  it('brings the server back after a cancellation too', async () => {
    const { dir, args } = await withServer()
    const control = new AbortController()
    let runs = 0
    const result = await evaluate(dir, concept, args, {
      signal: control.signal,
      machine: {
        async confine(request) {
          runs += 1
          // The third command is the suite without the server.
          if (runs === 3) control.abort()
          return runConfined(request)
        }
      }
    })
    expect(result).toMatchObject({ status: 'unevaluated', reason: 'evaluator-cancelled' })
    expect(runs).toBe(4)
    execFileSync(node, ['tests/integration.mjs'], { cwd: dir })
  })
})

describe('kill-server-fails-integration, row by row (CONC-64, CONC-66)', () => {
  it('folds the flat spellings', async () => {
    expect((await withFile()).result.status).toBe('pass')
  })

  it.each<[Args, object]>([
    [{ 'test-command': null }, { missing: ['test-command'], 'missing-kill-cmds': [] }],
    [{ 'critical-deps': [] }, { missing: ['critical-deps'] }],
    [{ 'critical-deps': ['dep', 'db', 'constructor'] }, { missing: [], 'missing-kill-cmds': ['db', 'constructor'] }]
  ])('names what is missing: %j', async (more, details) => {
    expect((await withFile(more)).result).toMatchObject({ status: 'unevaluated', reason: 'args-unbound', details })
  })

  it('does not begin without a baseline', async () => {
    const { dir, result } = await withFile({ 'test-command': 'echo red; exit 1' })
    expect(result).toMatchObject({ reason: 'baseline-failed', details: { 'test-exit': 1, output: 'red\n' } })
    execFileSync('test', ['-e', 'dep'], { cwd: dir })
  })

  it('does not count what was not removed', async () => {
    const { result } = await withFile({ 'kill-cmd.dep': 'exit 4', 'unkill-cmd.dep': 'true' })
    expect(result).toMatchObject({
      reason: 'evaluator-error',
      details: { 'dep-results': [{ killed: false, 'kill-exit': 4 }] }
    })
  })

  it('takes nothing further away when a restore failed', async () => {
    const { result } = await withFile({
      'critical-deps': ['dep', 'other'],
      'unkill-cmd.dep': 'exit 9',
      'kill-cmd.other': 'true'
    })
    expect(result).toMatchObject({ reason: 'restore-failed', details: { 'not-restored': ['dep'] } })
    expect(result.details['dep-results']).toHaveLength(1)
  })

  it('goes through the dependencies in order and names the mocked ones', async () => {
    const { dir, result } = await withFile({
      'critical-deps': ['dep', 'other'],
      'kill-cmd.other': 'echo other >> order',
      'unkill-cmd.other': 'echo back >> order'
    })
    expect(result).toMatchObject({ status: 'fail', details: { 'mocked-deps': ['other'] } })
    expect(execFileSync('cat', ['order'], { cwd: dir }).toString()).toBe('other\nback\n')
  })
})
