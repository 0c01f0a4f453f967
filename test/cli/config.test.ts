import { describe, expect, test } from 'vitest'
import { homeWith, minimal } from '../config/support.ts'
import { cli } from './support.ts'

const secret = 'SENTINEL'.padEnd(977, 'x')
const env = (text: string | null, more: Record<string, string> = {}, mode?: number) => {
  const { home, path } = homeWith(text, mode)
  return { env: { HOME: home, ...more }, path }
}

describe('CLI-011', () => {
  test('config show prints every value with its origin', async () => {
    const world = env(`${minimal}dialect = "glm5"\n[tools]\nbash_timeout_seconds = 30\n[keys]\nhelp = ["f1"]`)
    const { code, out, err } = await cli(['config', 'show'], world)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const lines = out.split('\n').map((line) => line.replace(/ {2,}/, ' | '))
    expect(lines).toContain(`config: ${world.path}`)
    expect(lines).toContain('models.m25.endpoint: http://127.0.0.1:9/v1 | file')
    expect(lines).toContain('models.m25.model: glm5 | default')
    expect(lines).toContain('models.m25.api_key: <unset>')
    expect(lines).toContain('tools.bash_timeout_seconds: 30 | file')
    expect(lines).toContain('tools.file_timeout_seconds: 5 | default')
    expect(lines).toContain('routing.deep_model: <unset> | default')
    expect(lines).toContain('keys.help: f1 | file')
  })

  test('--json is one document', async () => {
    const { out } = await cli(['config', 'show', '--json'], env(minimal))
    const shown = JSON.parse(out)
    expect(shown.models.m25.max_context).toEqual({ value: 128000, origin: 'default' })
    expect(shown.sections.routing.default_model).toEqual({ value: 'm25', origin: 'default' })
  })

  test('warnings go to standard error', async () => {
    const { code, err } = await cli(['config', 'show'], env(`${minimal}dialect = "glm"\n[nowhere]`))
    expect({ code, err }).toEqual({ code: 0, err: '⚠ config: unknown key nowhere\n' })
  })
})

describe('CLI-012', () => {
  test('config ok, or every problem', async () => {
    expect(await cli(['config', 'check'], env(`${minimal}dialect = "glm"`))).toMatchObject({
      code: 0,
      out: 'config ok\n',
      err: ''
    })
    const bad = `${minimal}[tools]\nbash_timeout_seconds = 0\n[routing]\ndeep_model = "y"`
    expect(await cli(['config', 'check'], env(bad))).toMatchObject({
      code: 1,
      out: '',
      err: "ghyll: config: tools.bash_timeout_seconds: must be between 1 and 3600, got 0\nghyll: deep model 'y' has no endpoint configured\n"
    })
  })

  test('[keys] is checked against the key map of the screen', async () => {
    const keyCheck = async () => () => [{ kind: 'unknown-action', action: 'nope' } as const]
    expect(await cli(['config', 'check'], { ...env(minimal), handlers: { keyCheck } })).toMatchObject({
      code: 1,
      err: 'ghyll: config: keys.nope: unknown action\n'
    })
  })

  test('CFG-032: without a configuration', async () => {
    const { env: environment, path } = env(null)
    for (const command of ['show', 'check'])
      expect(await cli(['config', command], { env: environment })).toMatchObject({
        code: 1,
        out: '',
        err: `ghyll: no config found at ${path}; run "ghyll run" once to create it\n`
      })
  })

  test('CFG-002: without HOME', async () => {
    expect(await cli(['config', 'check'], { env: {} })).toMatchObject({ code: 1, err: 'ghyll: HOME is not set\n' })
  })
})

describe('CLI-032: no trace of a key', () => {
  const keyed = `${minimal}api_key = "${secret}"\n[vault]\nurl = "https://v.example"\ntoken = "${secret}"\n`
  test.each([
    ['in the file', keyed, {}],
    ['in the environment', keyed, { GHYLL_API_KEY: secret, GHYLL_API_KEY_M25: secret }],
    ['and the file is wrong', `${keyed}listen = 5\n`, {}],
    ['and has the wrong type', `${minimal}api_key = ["${secret}"]\n`, {}],
    ['and a table is a list', `[[models.m25]]\napi_key = "${secret}"\n[[vault]]\ntoken = "${secret}"\n`, {}],
    ['and a table is a text', `vault = "${secret}"\n[models]\n"a.b" = "${secret}"\n`, {}],
    ['and the syntax is wrong', `${minimal}api_key = "${secret}" x\n`, {}],
    ['and the name is misspelt', `${minimal}api_token = "${secret}"\n`, {}]
  ])('%s', async (_, text, more) => {
    for (const argv of [
      ['config', 'show'],
      ['config', 'show', '--json'],
      ['config', 'check']
    ]) {
      const { out, err } = await cli(argv, env(text, more))
      expect(out + err).not.toContain('SENTINEL')
      expect(out + err).not.toMatch(/\b977\b/)
    }
  })
})
