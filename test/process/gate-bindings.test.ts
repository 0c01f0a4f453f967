import { execFileSync } from 'node:child_process'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { evaluate, machine, projects } from '../gate/evaluators/bench.ts'

// Bindings that drive real tools on this repository: its own compiler, linter and test runner.

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
const bindings = join(root, 'test/fixtures/gate/bindings')
const tool = (name: string, ...args: string[]) => `node ${join(bindings, name)} ${args.join(' ')}`
const env = { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` }

function check(dir: string, concept: string, command: string, args: object) {
  return evaluate(
    dir,
    concept,
    { language: 'typescript', ...args },
    { bindings: { [`${concept}.typescript`]: command }, machine: { ...machine, env } }
  )
}

const project = projects()

describe('real bindings', () => {
  test('compiles: the compiler accepts this repository, and names what it does not accept', async () => {
    const own = await check(root, 'compiles', tool('compile.mjs', join(bindings, 'tsconfig.json')), {
      scope: 'src/lib/**'
    })
    expect(own).toMatchObject({ status: 'pass', details: { errors: [] } })
    expect(own.details['scanned-files']).toBeGreaterThan(5)
    const { dir } = await project({
      'src/bad.ts': 'const a = 1\nexport const b: string = a\n',
      'tsconfig.json': '{ "compilerOptions": { "strict": true }, "include": ["src"] }'
    })
    expect(await check(dir, 'compiles', tool('compile.mjs', 'tsconfig.json'), { scope: 'src/**' })).toMatchObject({
      status: 'fail',
      details: { 'scanned-files': 1, errors: [{ file: 'src/bad.ts', line: 2, msg: expect.stringContaining('TS2322') }] }
    })
  })

  test('lint-clean: the linter has nothing against this repository, and something against worse code', async () => {
    expect(await check(root, 'lint-clean', tool('lint.mjs', 'src/lib'), { scope: 'src/lib/**' })).toMatchObject({
      status: 'pass',
      details: { findings: [] }
    })
    const { dir } = await project({
      'src/bad.ts': 'export const f = (a: number) => {\n  debugger\n  return a == 1\n}\n'
    })
    await cp(join(root, 'biome.json'), join(dir, 'biome.json'))
    execFileSync('git', ['init', '--quiet'], { cwd: dir })
    const bad = await check(dir, 'lint-clean', tool('lint.mjs', 'src'), { scope: 'src/**' })
    expect(bad.status).toBe('fail')
    expect(bad.details.findings).toContainEqual(
      expect.objectContaining({ file: 'src/bad.ts', line: 2, severity: 'high', rule: 'lint/suspicious/noDebugger' })
    )
  })

  test('tests-pass: a test file of this repository runs, and a failing one fails', async () => {
    const command = tool('tests.mjs', '--project', 'fast', 'test/lib/duration.test.ts')
    const own = await check(root, 'tests-pass', command, { scope: 'test/lib/duration.test.ts' })
    expect(own).toMatchObject({ status: 'pass', details: { failed: 0, failures: [] } })
    expect(own.details.passed).toBeGreaterThan(5)
    const { dir, link } = await project({
      'bad.test.ts': "import { expect, test } from 'vitest'\ntest('adds', () => expect(1 + 1).toBe(3))\n"
    })
    await link('node_modules', join(root, 'node_modules'))
    expect(await check(dir, 'tests-pass', tool('tests.mjs', '--root', dir), { scope: '*.test.ts' })).toMatchObject({
      status: 'fail',
      details: { passed: 0, failed: 1, failures: [{ name: 'adds', message: expect.stringContaining('3') }] }
    })
  })

  test('mutation-score: a test of this repository notices changes of what it tests', async () => {
    const files = ['src/lib/duration.ts', 'test/lib/duration.test.ts', 'test/support/laws.ts']
    const command = tool('mutate.mjs', root, ...files)
    const args = { scope: 'src/lib/duration.ts', 'test-scope': 'test/lib/duration.test.ts', threshold: 0.7 }
    const result = await check(root, 'mutation-score', command, args)
    expect(result).toMatchObject({ status: 'pass', details: { threshold: 0.7 } })
    expect(Number(result.details.killed) + Number(result.details.survived)).toBeGreaterThan(3)
  })
})
