import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { LogFailure, type LogOptions, logSettings, openLog } from '../../src/platform/log.ts'

let folder = ''
let path = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ghyll-log-'))
  path = join(folder, '.ghyll', 'ghyll.log')
})
const options: LogOptions = {
  level: 'info',
  format: 'text',
  session: 's-1',
  redact: (text) => text.replaceAll('SENTINEL', '[redacted]'),
  now: () => Date.parse('2026-03-01T12:00:00.000Z')
}
const content = () => readFileSync(path, 'utf8')

describe('CFG-040', () => {
  test('one line per entry with time, level, session and text; mode 0600', () => {
    const log = openLog(path, options)
    log.info('opened\nand more')
    log.forSession('s-2').error('bad \u001b[31m')
    log.close()
    expect(content()).toBe(
      '2026-03-01T12:00:00.000Z info s-1 opened\\nand more\n2026-03-01T12:00:00.000Z error s-2 bad \\u001b[31m\n'
    )
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  test('appends to what is there', () => {
    openLog(path, options).warn('one')
    openLog(path, options).warn('two')
    expect(content().trim().split('\n')).toHaveLength(2)
  })

  test('entries below the level are left out', () => {
    const log = openLog(path, { ...options, level: 'warn' })
    log.debug('d')
    log.info('i')
    log.warn('w')
    log.error('e')
    expect(content().match(/ (warn|error) /g)).toHaveLength(2)
  })

  test('json format is one object per line', () => {
    openLog(path, { ...options, format: 'json' }).info('a\nb')
    expect(JSON.parse(content())).toEqual({
      time: '2026-03-01T12:00:00.000Z',
      level: 'info',
      session: 's-1',
      text: 'a\nb'
    })
  })

  test('every text passes the redaction, in both formats', () => {
    openLog(path, options).info('key=SENTINEL')
    openLog(path, { ...options, format: 'json' })
      .forSession('x')
      .info('key=SENTINEL')
    expect(content()).not.toContain('SENTINEL')
    expect(content().match(/\[redacted\]/g)).toHaveLength(2)
  })

  test('is rotated to .1 when the next entry would pass the limit, keeping one old file', () => {
    const log = openLog(path, { ...options, rotateAtBytes: 200 })
    for (let n = 0; n < 20; n++) log.info(`entry ${n}`)
    expect(readdirSync(join(folder, '.ghyll')).sort()).toEqual(['ghyll.log', 'ghyll.log.1'])
    expect(statSync(path).size).toBeLessThanOrEqual(200)
    expect(content()).toContain('entry 19')
    expect(readFileSync(`${path}.1`, 'utf8')).toContain('entry 1')
  })

  test('a log that cannot be opened is a failure that names it; a symbolic link is not followed', () => {
    writeFileSync(join(folder, '.ghyll'), 'a file in the way')
    expect(() => openLog(path, options)).toThrow(LogFailure)
    expect(() => openLog(path, options)).toThrow(`cannot open ${path}: `)
    const other = join(folder, 'other')
    mkdirSync(other)
    symlinkSync(join(folder, 'target'), join(other, 'ghyll.log'))
    expect(() => openLog(join(other, 'ghyll.log'), options)).toThrow(LogFailure)
  })

  test('a named pipe in its place holds nobody up', () => {
    mkdirSync(join(folder, '.ghyll'))
    execFileSync('mkfifo', [path])
    expect(() => openLog(path, options)).toThrow(LogFailure)
  })

  test('after close nothing is written', () => {
    const log = openLog(path, options)
    log.close()
    log.error('late')
    log.close()
    expect(content()).toBe('')
  })
})

describe('GHYLL_LOG_LEVEL and GHYLL_LOG_FORMAT', () => {
  test.each([
    [{}, 'warn', 'text'],
    [{ GHYLL_LOG_LEVEL: '' }, 'warn', 'text'],
    [{ GHYLL_LOG_LEVEL: 'DEBUG' }, 'debug', 'text'],
    [{ GHYLL_LOG_LEVEL: 'Info', GHYLL_LOG_FORMAT: 'JSON' }, 'info', 'json'],
    [{ GHYLL_LOG_LEVEL: 'error', GHYLL_LOG_FORMAT: 'xml' }, 'error', 'text']
  ])('%o', (env, level, format) => {
    expect(logSettings(env)).toEqual({ level, format, warning: null })
  })

  test('an unknown level falls back to warn and says so', () => {
    expect(logSettings({ GHYLL_LOG_LEVEL: 'loud' })).toEqual({
      level: 'warn',
      format: 'text',
      warning: 'ghyll: GHYLL_LOG_LEVEL="loud" not recognized; using warn'
    })
  })
})
