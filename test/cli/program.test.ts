import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Failure } from '../../src/lib/error.ts'
import { version } from '../../src/lib/version.ts'
import { cli } from './support.ts'

describe('CLI-001: wrong usage', () => {
  test.each([
    [['run', '--bogus'], 'unknown option "--bogus"', 'ghyll run'],
    [['run', '--bogus=secret'], 'unknown option "--bogus"', 'ghyll run'],
    [['run', '-x'], 'unknown option "-x"', 'ghyll run'],
    [['--bogus'], 'unknown option "--bogus"', 'ghyll'],
    [['--bogus', 'run'], 'unknown option "--bogus"', 'ghyll'],
    [['version', '--json'], 'unknown option "--json"', 'ghyll version'],
    [['config', 'show', '--bogus'], 'unknown option "--bogus"', 'ghyll config show'],
    [['run', '.', 'more'], 'unexpected argument "more"', 'ghyll run'],
    [['exec', 'a', 'b', 'c'], 'unexpected argument "b"', 'ghyll exec'],
    [['config', 'check', 'x'], 'unexpected argument "x"', 'ghyll config check'],
    [['doctor', 'x'], 'unexpected argument "x"', 'ghyll doctor'],
    [['run', '--model'], 'option "--model" needs a value', 'ghyll run'],
    [['run', '--resume=yes'], 'unknown option "--resume"', 'ghyll run'],
    [
      ['exec', 'a', '--max-turns', '0'],
      'option "--max-turns" needs a whole number of at least 1, got "0"',
      'ghyll exec'
    ],
    [['exec', 'a', '--max-turns=x'], 'option "--max-turns" needs a whole number of at least 1, got "x"', 'ghyll exec'],
    [['exec'], 'no prompt, neither as an argument nor on standard input', 'ghyll exec'],
    [['exec', '  '], 'no prompt, neither as an argument nor on standard input', 'ghyll exec'],
    [['demo', '--port', '1'], 'option "--port" goes with "--serve"', 'ghyll demo'],
    [['demo', '--auto', '--serve'], 'options "--auto" and "--serve" exclude each other', 'ghyll demo'],
    [
      ['demo', '--serve', '--port', '65536'],
      'option "--port" needs a whole number from 0 to 65535, got "65536"',
      'ghyll demo'
    ]
  ])('%j', async (argv, text, command) => {
    const { code, out, err, calls } = await cli(argv)
    expect(err.split('\n')[0]).toBe(`ghyll: ${text}`)
    expect(err).toMatch(new RegExp(`\nUsage: ${command} [[]`))
    expect({ code, out, calls }).toEqual({ code: 2, out: '', calls: [] })
  })

  test.each([[['bogus']], [['bogus', '--model', 'x']], [['help', 'bogus']], [['config', 'bogus']]])(
    '%j is an unknown command',
    async (argv) => {
      const { code, out, err } = await cli(argv)
      expect(err.split('\n')[0]).toBe('ghyll: unknown command "bogus"')
      expect({ code, out }).toEqual({ code: 2, out: '' })
    }
  )

  test('control characters of the command line do not reach the terminal', async () => {
    expect((await cli(['\u001b[2Jx'])).err).not.toContain('\u001b')
  })
})

describe('CLI-001: right usage', () => {
  const run = { dir: process.cwd(), model: null, resume: false, tui: true, screenReader: false }
  const exec = { prompt: 'hi', dir: process.cwd(), model: null, resume: false, json: false, maxTurns: null }
  test.each([
    [['run'], ['run', run]],
    [
      ['run', '.'],
      ['run', run]
    ],
    [
      ['run', 'src', '--model', 'm', '--resume'],
      ['run', { ...run, dir: join(process.cwd(), 'src'), model: 'm', resume: true }]
    ],
    [
      ['run', '--model=m=1', '--no-tui', '--screen-reader'],
      ['run', { ...run, model: 'm=1', tui: false, screenReader: true }]
    ],
    [
      ['exec', 'hi'],
      ['exec', exec]
    ],
    [
      ['exec', '--json', 'hi', '--max-turns=3', '--resume'],
      ['exec', { ...exec, json: true, maxTurns: 3, resume: true }]
    ],
    [
      ['exec', '--dir', 'src', '--model', 'm', 'hi'],
      ['exec', { ...exec, dir: join(process.cwd(), 'src'), model: 'm' }]
    ],
    [
      ['exec', '--', '--hi'],
      ['exec', { ...exec, prompt: '--hi' }]
    ],
    [
      ['exec', '--json', '--', '-h'],
      ['exec', { ...exec, prompt: '-h', json: true }]
    ],
    [
      ['exec', '/status'],
      ['exec', { ...exec, prompt: '/status' }]
    ],
    [['demo'], ['demo', { kind: 'tour', auto: false }]],
    [
      ['demo', '--auto'],
      ['demo', { kind: 'tour', auto: true }]
    ],
    [
      ['demo', '--serve'],
      ['demo', { kind: 'serve', port: null }]
    ],
    [
      ['demo', '--serve', '--port=8123'],
      ['demo', { kind: 'serve', port: 8123 }]
    ]
  ])('%j', async (argv, call) => {
    expect(await cli(argv)).toEqual({ code: 0, out: '', err: '', calls: [call] })
  })

  test('CLI-034: the prompt may come on standard input, whole but for its last line end', async () => {
    expect((await cli(['exec'], { stdin: 'two\n lines\r\n' })).calls).toEqual([
      ['exec', { ...exec, prompt: 'two\n lines' }]
    ])
    expect((await cli(['exec', 'hi'], { stdin: 'ignored' })).calls).toEqual([['exec', exec]])
    expect((await cli(['exec'], { stdin: '\n' })).code).toBe(2)
  })

  test('the exit code is the handler’s', async () => {
    expect((await cli(['run'], { handlers: { run: async () => 130 } })).code).toBe(130)
    expect((await cli(['exec', 'x'], { handlers: { exec: async () => 3 } })).code).toBe(3)
  })

  test('CLI-010: a folder that is none', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'ghyll-cli-')), 'file')
    writeFileSync(file, '')
    for (const argv of [
      ['run', file],
      ['exec', 'hi', '--dir', file],
      ['run', `${file}/below`]
    ]) {
      const { code, err, calls } = await cli(argv)
      expect({ code, err, calls }).toEqual({ code: 1, err: `ghyll: not a directory: ${argv.at(-1)}\n`, calls: [] })
    }
  })
})

describe('CLI-002: a failure', () => {
  class Trouble extends Failure {
    readonly code = 'trouble'
  }
  test('is told line by line on standard error with its hint, and ends in 1', async () => {
    const run = () => Promise.reject(new Trouble('first\nsecond', { hint: 'try again' }))
    expect(await cli(['run'], { handlers: { run } })).toMatchObject({
      code: 1,
      out: '',
      err: 'ghyll: first\nghyll: second\nghyll: try again\n'
    })
  })

  test('a bug is not taken for one', async () => {
    const run = () => Promise.reject(new TypeError('bug'))
    await expect(cli(['run'], { handlers: { run } })).rejects.toThrow('bug')
  })
})

describe('CLI-003: help', () => {
  test('no arguments, and a group without one: usage on standard error, exit 2', async () => {
    for (const argv of [[], ['config']]) {
      const { code, out, err } = await cli(argv)
      expect({ code, out }).toEqual({ code: 2, out: '' })
      expect(err).toMatch(/^Usage: ghyll/)
    }
  })

  test.each([
    [['help'], 'ghyll '],
    [['--help'], 'ghyll '],
    [['-h'], 'ghyll '],
    [['run', '--help'], 'ghyll run '],
    [['run', '-h', '--bogus'], 'ghyll run '],
    [['config', '--help'], 'ghyll config '],
    [['config', 'help'], 'ghyll config '],
    [['config', 'show', '-h'], 'ghyll config show '],
    [['help', 'exec'], 'ghyll exec '],
    [['help', 'config', 'show'], 'ghyll config show ']
  ])('%j: usage on standard output, exit 0', async (argv, command) => {
    const { code, out, err } = await cli(argv)
    expect(out.startsWith(`Usage: ${command}`)).toBe(true)
    expect({ code, err }).toEqual({ code: 0, err: '' })
  })

  test('the usage names every command', async () => {
    const { out } = await cli(['help'])
    for (const name of ['run', 'exec', 'demo', 'config', 'doctor', 'version', 'help'])
      expect(out).toMatch(new RegExp(`^  ${name}\\b`, 'm'))
  })

  test('CFG-054, TOOL-016: help sandbox names the wrappers, the variables and what tools see', async () => {
    const { code, out } = await cli(['help', 'sandbox'])
    expect(code).toBe(0)
    for (const word of [
      'Docker',
      'Podman',
      'bubblewrap',
      'sandbox-exec',
      'Firejail',
      'Kubernetes',
      'GHYLL_REQUIRE_SANDBOX',
      'inherit the environment unfiltered'
    ])
      expect(out).toContain(word)
  })
})

describe('CLI-021', () => {
  test.each([[['version']], [['--version']]])('%j', async (argv) => {
    expect(await cli(argv)).toEqual({ code: 0, out: `ghyll ${version}\n`, err: '', calls: [] })
  })
})
