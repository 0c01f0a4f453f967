import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openEventLog } from '../../../src/gate/engine/event-log.ts'
import { temporaryFolder } from '../../support/temporary.ts'

function place() {
  const projectDir = temporaryFolder()
  const at = (name: string) => join(projectDir, '.ghyll', name)
  return {
    at,
    open: (session = 'dev-1', rotateAt?: number) =>
      openEventLog({ projectDir, session, ...(rotateAt === undefined ? {} : { rotateAt }) }),
    lines: (name = 'events.jsonl') =>
      readFileSync(at(name), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>)
  }
}

const event = { kind: 'pass-opened', timestamp: 't', pass_id: 'p-1', payload: { context: 'c', grid_version: '1' } }

describe('the event log (PERS-700…703)', () => {
  it('holds one object per line, with the session and a number that goes on across sessions', () => {
    const { open, lines, at } = place()
    const first = open()
    first.event(event)
    first.event(event, { phase: 'recovery' })
    first.close()
    first.close()
    const second = open('dev-2')
    second.record('adversarial-cycle-report', { rounds: 2 })
    second.close()
    expect(lines()).toEqual([
      { ...event, session: 'dev-1', seq: 1 },
      { ...event, phase: 'recovery', session: 'dev-1', seq: 2 },
      { record: 'adversarial-cycle-report', rounds: 2, session: 'dev-2', seq: 3 }
    ])
    expect(statSync(at('events.jsonl')).mode & 0o777).toBe(0o600)
    expect(() => second.event(event)).toThrow('closed')
  })

  it('cuts a torn tail when it opens', () => {
    const { open, lines, at } = place()
    open().event(event)
    appendFileSync(at('events.jsonl'), '{"kind":"half')
    open().event(event)
    expect(lines().map(({ seq }) => seq)).toEqual([1, 2])
  })

  it('puts a full file aside, keeps eight, and counts on', () => {
    const { open, lines, at } = place()
    const log = open('dev-1', 300)
    for (let n = 0; n < 60; n++) log.event(event)
    const names = readdirSync(at('')).toSorted()
    expect(names).toEqual([...[1, 2, 3, 4, 5, 6, 7, 8].map((n) => `events.${n}.jsonl`), 'events.jsonl'])
    const kept = [8, 7, 6, 5, 4, 3, 2, 1].flatMap((n) => lines(`events.${n}.jsonl`)).concat(lines())
    const seqs = kept.map(({ seq }) => seq as number)
    expect(seqs).toEqual(seqs.map((_, n) => 60 - seqs.length + n + 1))
  })

  it('goes on counting after the last line was put aside', () => {
    const { open, lines } = place()
    const log = open('dev-1', 1)
    log.event(event)
    log.event(event)
    expect(lines().map(({ seq }) => seq)).toEqual([2])
  })

  it('holds no secret and no long text', () => {
    const { open, lines } = place()
    const secret = `Bearer ${'x'.repeat(40)}`
    open().event({ ...event, detail: `${secret} ${'ü'.repeat(5000)}`, payload: { reason: secret } })
    const [line] = lines()
    expect(Buffer.byteLength(line?.detail as string)).toBeLessThanOrEqual(4096)
    expect(JSON.stringify(line)).not.toContain('xxxx')
  })

  it('refuses a link; its target stays', () => {
    const { open, at } = place()
    mkdirSync(at(''))
    writeFileSync(at('kept'), 'as it was')
    symlinkSync(at('kept'), at('events.jsonl'))
    expect(() => open()).toThrow('no regular file')
    expect(readFileSync(at('kept'), 'utf8')).toBe('as it was')
  })
})
