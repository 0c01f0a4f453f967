import { describe, expect, it } from 'vitest'
import { gone } from '../../support/processes.ts'
import { evaluate, projects } from './bench.ts'

const project = projects()
const args = { scope: 'src/**', language: 'go' }

/** Evaluates `compiles`, whose verdict is the binding's own, with this declaration. */
async function run(declared: unknown, signal?: AbortSignal, dir?: string) {
  const place = dir ?? (await project({ 'src/a.go': 'x', 'src/b.go': 'y' })).dir
  return evaluate(place, 'compiles', args, { bindings: { 'compiles.go': declared }, ...(signal ? { signal } : {}) })
}

describe('protocols of a binding (CONC-21, CONC-22)', () => {
  it('exit: the exit code decides, and the output tail is kept', async () => {
    expect(await run({ command: 'echo fine', protocol: 'exit' })).toEqual({
      status: 'pass',
      reason: null,
      details: { 'scanned-files': 2 }
    })
    expect(await run({ command: 'echo src/a.go:1 broken; echo why >&2; exit 2', protocol: 'exit' })).toEqual({
      status: 'fail',
      reason: null,
      details: { 'scanned-files': 2, 'exit-code': 2, output: 'src/a.go:1 broken\n', stderr: 'why\n' }
    })
  })

  it('json: the object decides, whatever the exit code', async () => {
    const object = '{"pass": true, "details": {"errors": []}}'
    expect(await run({ command: `echo '${object}'; exit 1`, protocol: 'json' })).toMatchObject({
      status: 'pass',
      details: { 'scanned-files': 2, errors: [] }
    })
    const failing = '{"pass":false,"details":{"errors":[{"file":"a","line":1,"msg":"API_KEY=abc"}]}}'
    expect(await run({ command: `echo '${failing}'`, protocol: 'json' })).toMatchObject({
      status: 'fail',
      details: { errors: [{ file: 'a', line: 1, msg: 'API_KEY=<redacted>' }] }
    })
  })

  it.each([
    ['nothing', 'true'],
    ['no JSON', 'echo ok'],
    ['half an object', `echo '{"pass": true'`],
    ['two objects', `echo '{"pass":true}{"pass":true}'`],
    ['a list', 'echo "[]"'],
    ['no verdict', `echo '{"details":{}}'`],
    ['a verdict in words', `echo '{"pass":"true"}'`],
    ['details that are no map', `echo '{"pass":true,"details":[1]}'`],
    ['nine levels of details', `echo '{"pass":true,"details":{"a":[[[[[[[[1]]]]]]]]}}'`]
  ])('json: %s is malformed', async (_, command) => {
    expect(await run({ command, protocol: 'json' })).toMatchObject({
      status: 'fail',
      details: { error: 'evaluator-output-malformed' }
    })
  })

  it('json: eight levels of details are fine', async () => {
    const command = `echo '{"pass":true,"details":{"a":[[[[[[[1]]]]]]]}}'`
    expect(await run({ command, protocol: 'json' })).toMatchObject({ status: 'pass' })
  })

  it('auto: a brace first means json, anything else the exit code', async () => {
    expect(await run(`printf '\\n  {"pass": false}'`)).toMatchObject({ status: 'fail' })
    expect(await run(`echo '{oops'`)).toMatchObject({ details: { error: 'evaluator-output-malformed' } })
    expect(await run('echo all {good}')).toMatchObject({ status: 'pass' })
    expect(await run('echo bad; false')).toMatchObject({ status: 'fail', details: { 'exit-code': 1 } })
  })
})

describe('a run (CONC-18, CONC-19, CONC-23)', () => {
  it('gets one JSON object on standard input and the environment it may have', async () => {
    const { dir } = await project({ 'src/a.go': 'x' })
    const command = `printf '{"pass":true,"details":{"in":%s,"pwd":"%s","extra":"%s"}}' "$(cat)" "$PWD" "$EXTRA"`
    const result = await evaluate(dir, 'compiles', args, {
      bindings: { 'compiles.go': { command, env: ['EXTRA'] } },
      machine: { env: { ...process.env, EXTRA: 'yes' } }
    })
    expect(result.details).toMatchObject({
      in: { 'clause-id': 'C1', 'pass-id': 'p-1', concept: 'compiles', args, 'project-dir': dir },
      pwd: dir,
      extra: 'yes'
    })
  })

  it('over its time is unevaluated', async () => {
    expect(await run({ command: 'sleep 60', timeout: '200ms' })).toMatchObject({
      status: 'unevaluated',
      reason: 'evaluator-timeout',
      details: { error: 'evaluator-timeout', 'timed-out-after': '200ms', 'scanned-files': 2 }
    })
  })

  it('that is cancelled is unevaluated, and its children are gone', async () => {
    const { dir } = await project({ 'src/a.go': 'x' })
    const control = new AbortController()
    let leader = 0
    const { runConfined } = await import('../../../src/platform/confined.ts')
    const result = await evaluate(dir, 'compiles', args, {
      bindings: { 'compiles.go': 'sleep 60 & sleep 60' },
      signal: control.signal,
      machine: {
        confine: (request) =>
          runConfined(request, (pid) => {
            leader = pid
            control.abort()
          })
      }
    })
    expect(result).toMatchObject({ status: 'unevaluated', reason: 'evaluator-cancelled' })
    await gone(-leader)
  })

  it('killed by somebody else fails with the signal', async () => {
    expect(await run('kill -9 $$')).toMatchObject({
      status: 'fail',
      details: { error: 'evaluator-killed-by-signal', signal: 'SIGKILL' }
    })
  })

  it('that floods fails at once (CONC-23)', async () => {
    expect(await run('yes')).toMatchObject({
      status: 'fail',
      details: { error: 'evaluator-output-oversized', 'stdout-oversize': true }
    })
  })

  it('nobody could start fails', async () => {
    const { dir } = await project({ 'src/a.go': 'x' })
    const { runConfined } = await import('../../../src/platform/confined.ts')
    const result = await evaluate(dir, 'compiles', args, {
      bindings: { 'compiles.go': 'true' },
      machine: { confine: (request) => runConfined({ ...request, file: 'no-such-shell' }) }
    })
    expect(result).toMatchObject({ status: 'fail', details: { error: 'evaluator-spawn-failed' } })
  })

  it.each([
    ['no-such-command-here', 'command not found'],
    ['./src/a.go', 'command not executable']
  ])('%s is unevaluated: %s', async (command, detail) => {
    expect(await run(command)).toMatchObject({ status: 'unevaluated', reason: 'evaluator-error', details: { detail } })
  })

  it('keeps the beginning of standard error, which is never a failure', async () => {
    const result = await run('yes noise | head -c 100000 >&2')
    expect(result.status).toBe('pass')
    expect(String(result.details.stderr)).toHaveLength(16 * 1024)
  })

  it('does not happen when nothing is in scope (CONC-41)', async () => {
    const { dir } = await project({ 'lib/a.go': 'x' })
    expect(await run('false', undefined, dir)).toEqual({
      status: 'pass',
      reason: null,
      details: { 'scanned-files': 0, vacuous: true }
    })
  })
})
