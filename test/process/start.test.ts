import { mkdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { expect, onTestFinished, test } from 'vitest'
import { ghyllPath, runGhyll } from '../support/ghyll.ts'
import { makePlace, type Place } from '../support/place.ts'
import { program } from '../support/processes.ts'

async function place(): Promise<Place> {
  const made = await makePlace()
  onTestFinished(made.remove)
  return made
}

test('ghyll version answers without loading React, Ink or SQLite (TERM-70)', async () => {
  const { env, at, project } = await place()
  const list = at('loaded.txt')
  const { stdout } = await execa(process.execPath, ['--import', program('log-loaded.mjs'), ghyllPath, 'version'], {
    cwd: project,
    env: { ...env, LOADED_LIST: list },
    extendEnv: false
  })
  expect(stdout).toMatch(/^ghyll \d+\.\d+\.\d+$/)
  const loaded = (await readFile(list, 'utf8')).trimEnd().split('\n')
  expect(loaded.some((url) => url.endsWith('/ghyll.js'))).toBe(true)
  for (const url of loaded.filter((each) => each.startsWith('file:'))) {
    expect(url).not.toMatch(/better-sqlite3|onnxruntime/)
    // The bundle keeps these strings of the libraries, whatever its chunks are called.
    expect(await readFile(fileURLToPath(url), 'utf8'), url).not.toMatch(/react\.transitional\.element|ink-box|Yoga/)
  }
})

test('the first run writes a private template and exits 0; nothing else is created (CFG-030)', async () => {
  const made = await place()
  const first = await runGhyll(made, ['run'])
  expect(first.code).toBe(0)
  expect(first.stdout + first.stderr).toContain(
    `ℹ wrote default config at ${made.configPath}; edit the model endpoints and re-run`
  )
  expect(await made.git('status', '--porcelain', '--ignored')).toBe('')
})

test('run without a terminal exits 2 and names exec and --no-tui (TERM-61)', async () => {
  const made = await place()
  await runGhyll(made, ['run'])
  const ran = await runGhyll(made, ['run'])
  expect(ran.code).toBe(2)
  expect(ran.stderr).toContain('ghyll exec')
  expect(ran.stderr).toContain('--no-tui')
})

test.each([
  [[], 2, /usage/i],
  [['nonsense'], 2, /^ghyll: unknown command "nonsense"$/m],
  [['version', '--nonsense'], 2, /^ghyll: unknown option "--nonsense"$/m],
  [['config', 'check'], 1, /^ghyll: no config found at .*config\.toml; run "ghyll run" once to create it$/m]
])('ghyll %j exits %i and says why on standard error (CLI-001…003, CFG-032)', async (args, code, why) => {
  const ran = await runGhyll(await place(), args)
  expect(ran).toMatchObject({ code, stdout: '' })
  expect(ran.stderr).toMatch(why)
})

test('the guided tour plays by itself and every step holds (CLI-035)', async () => {
  const made = await place()
  const ran = await runGhyll(made, ['demo', '--auto'])
  expect(ran.stdout).toMatch(/^all \d+ steps did what they should$/m)
  expect(ran.code).toBe(0)
  expect(await made.git('status', '--porcelain', '--ignored')).toBe('')
})

test('in a folder that was removed, what needs no folder works and the rest says so', async () => {
  const made = await place()
  const removed = made.at('removed')
  await mkdir(removed)
  const at = (command: string) =>
    execa('sh', ['-c', `rmdir ../removed 2> /dev/null; "${ghyllPath}" ${command}`], {
      cwd: removed,
      env: made.env,
      extendEnv: false,
      reject: false
    })
  const exec = await at('exec hello')
  expect(exec.exitCode).toBe(1)
  expect(exec.stderr).toContain('ghyll: the working directory does not exist any more\n')
  expect(exec.stderr).not.toContain('    at ')
  await mkdir(removed)
  expect((await at('version')).exitCode).toBe(0)
})
