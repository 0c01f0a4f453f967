import { existsSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { parse } from 'smol-toml'
import { expect, onTestFinished, test } from 'vitest'
import { type DemoPlace, makeDemoPlace } from '../../src/demo/sample.ts'
import { cartWithTax, files, taxedTest } from '../../src/demo/sample-files.ts'

async function place(inherited: NodeJS.ProcessEnv = process.env): Promise<DemoPlace> {
  const made = await makeDemoPlace('http://127.0.0.1:9/v1', inherited)
  onTestFinished(made.remove)
  return made
}

const runTests = ({ project, env }: DemoPlace) =>
  execa('node', ['--test'], { cwd: project, env, extendEnv: false, reject: false })

test('the sample project is a clean git repository whose tests pass (CLI-035)', async () => {
  const made = await place()
  const { stdout } = await execa('git', ['status', '--porcelain'], {
    cwd: made.project,
    env: made.env,
    extendEnv: false
  })
  expect(stdout).toBe('')
  expect(await runTests(made)).toMatchObject({ exitCode: 0 })
})

test('taxing the cart breaks the test, and the taxed test mends it: what the tour shows', async () => {
  const made = await place()
  await writeFile(join(made.project, 'src/cart.js'), cartWithTax)
  const broken = await runTests(made)
  expect(broken.exitCode).not.toBe(0)
  expect(broken.stdout).toMatch(/\b610\b/)
  const taxed = files['test/cart.test.js'].replace(taxedTest.before, taxedTest.after)
  await writeFile(join(made.project, 'test/cart.test.js'), taxed)
  expect(await runTests(made)).toMatchObject({ exitCode: 0 })
})

test('the configuration is private and names only scripted models', async () => {
  const made = await place()
  expect((await stat(made.configPath)).mode & 0o777).toBe(0o600)
  const config = parse(await readFile(made.configPath, 'utf8')) as { models: Record<string, { endpoint: string }> }
  expect(Object.keys(config.models)).toEqual(['scripted-fast', 'scripted-deep'])
  for (const model of Object.values(config.models)) expect(model.endpoint).toBe('http://127.0.0.1:9/v1')
})

test('nothing of the visitor reaches it: not their home, their keys, their git', async () => {
  const made = await place({
    ...process.env,
    HOME: '/nowhere',
    GHYLL_CONFIG: '/nowhere/config.toml',
    GHYLL_API_KEY: 'sk-sentinel',
    GIT_DIR: '/nowhere/.git'
  })
  expect(made.env).toMatchObject({ HOME: made.home })
  expect(JSON.stringify(made.env)).not.toMatch(/nowhere|sentinel/)
})

test('removing it leaves nothing', async () => {
  const made = await place()
  await made.remove()
  expect(existsSync(made.root)).toBe(false)
})
