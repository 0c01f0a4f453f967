import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Args } from '../../../src/protocol/grid.ts'
import { evaluate, projects } from './bench.ts'

const project = projects()
const check = (dir: string, path: string, more: Args = {}) =>
  evaluate(dir, 'arrow-artifact-present', { 'artifact-path': path, ...more })

describe('arrow-artifact-present (CONC-79, CONC-80)', () => {
  it('passes for a real file of the size it should have', async () => {
    const { dir } = await project({ 'specs/claim.md': 'covered\n' })
    expect(await check(dir, 'specs/claim.md')).toEqual({
      status: 'pass',
      reason: null,
      details: { exists: true, 'size-bytes': 8 }
    })
    expect(await check(dir, './specs/claim.md', { 'min-size-bytes': 8 })).toMatchObject({ status: 'pass' })
    expect(await check(dir, 'specs/claim.md', { 'min-size-bytes': 9 })).toMatchObject({
      status: 'fail',
      details: { error: 'smaller than 9 bytes' }
    })
  })

  it('fails for everything else, and says why', async () => {
    const { dir, link } = await project({ 'empty.md': '', 'real/a.md': 'x' })
    await link('link.md', 'real/a.md')
    await link('linked', 'real')
    execFileSync('mkfifo', [join(dir, 'fifo')])
    const errors: [string, string][] = []
    for (const path of [
      'empty.md',
      'absent.md',
      'link.md',
      'linked/a.md',
      'real',
      'fifo',
      '../x',
      '/etc/passwd',
      'a/../../x',
      ' '
    ]) {
      const { status, details } = await check(dir, path)
      expect(status, path).toBe('fail')
      errors.push([path, String(details.error)])
    }
    expect(errors).toEqual([
      ['empty.md', 'smaller than 1 bytes'],
      ['absent.md', 'does not exist'],
      ['link.md', 'is a symbolic link'],
      ['linked/a.md', 'path leads through a symbolic link'],
      ['real', 'is not a regular file'],
      ['fifo', 'is not a regular file'],
      ['../x', 'path outside the project'],
      ['/etc/passwd', 'path outside the project'],
      ['a/../../x', 'path outside the project'],
      [' ', 'path outside the project']
    ])
  })

  it('runs the schema check with the quoted path', async () => {
    const { dir } = await project({ "it's $(here).md": 'hello' })
    const path = "it's $(here).md"
    expect(await check(dir, path, { 'schema-check': 'grep -q hello' })).toMatchObject({
      status: 'pass',
      details: { 'schema-valid': true }
    })
    expect(await check(dir, path, { 'schema-check': 'echo TOKEN=abc; grep -q other' })).toMatchObject({
      status: 'fail',
      details: { 'schema-valid': false, error: 'schema-check failed', 'exit-code': 1, output: 'TOKEN=<redacted>\n' }
    })
  })

  it('fails a check that floods, and keeps the environment small (CONC-19)', async () => {
    const { dir } = await project({ a: 'x' })
    expect(await check(dir, 'a', { 'schema-check': 'yes; true' })).toMatchObject({
      status: 'fail',
      details: { error: 'schema-check failed', ended: 'overflowed' }
    })
    const env = { ...process.env, GHYLL_X: '1', OPENAI_API_KEY: 'k' }
    const result = await evaluate(
      dir,
      'arrow-artifact-present',
      { 'artifact-path': 'a', 'schema-check': 'test -z "$GHYLL_X$OPENAI_API_KEY" && test -f' },
      { machine: { env } }
    )
    expect(result).toMatchObject({ status: 'pass' })
  })
})
