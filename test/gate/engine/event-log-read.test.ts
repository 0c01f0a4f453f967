import { appendFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openEventLog } from '../../../src/gate/engine/event-log.ts'
import { recentEvents } from '../../../src/gate/engine/event-log-read.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const event = (pass: string) => ({ kind: 'pass-opened', timestamp: 't', pass_id: pass, payload: { context: 'c' } })

describe('the events earlier sessions left (OPUI-706, EVT-117)', () => {
  it('are those of the log, oldest first, without what the log adds and without its records', () => {
    const projectDir = temporaryFolder()
    expect(recentEvents(projectDir)).toEqual([])
    const log = openEventLog({ projectDir, session: 's' })
    log.event(event('p-1'))
    log.record('command', { command: 'attestations rebuild' })
    log.event(event('p-2'), { phase: 'recovery' })
    log.close()
    expect(recentEvents(projectDir)).toEqual([event('p-1'), event('p-2')])
  })

  it('are the last 500, over the file that was put aside last', () => {
    const projectDir = temporaryFolder()
    const log = openEventLog({ projectDir, session: 's', rotateAt: 30_000 })
    for (let n = 1; n <= 600; n += 1) log.event(event(`p-${n}`))
    log.close()
    const passes = recentEvents(projectDir).map(({ pass_id }) => pass_id)
    expect(passes.at(-1)).toBe('p-600')
    const first = 601 - passes.length
    expect(passes).toEqual(Array.from({ length: passes.length }, (_, n) => `p-${first + n}`))
    // Two files of some 260 lines: more than one of them holds, and never more than are shown.
    expect(passes.length).toBeGreaterThan(260)
    expect(passes.length).toBeLessThanOrEqual(500)
  })

  it('pass over a torn tail and lines that are no event (PERS-702)', () => {
    const projectDir = temporaryFolder()
    const path = join(projectDir, '.ghyll/events.jsonl')
    mkdirSync(join(projectDir, '.ghyll'))
    writeFileSync(
      path,
      `garbage\n{"kind":7}\n{"kind":"pass-opened","payload":{"n":1}}\n${JSON.stringify(event('p-1'))}\n`
    )
    appendFileSync(path, '{"kind":"pass-cl')
    expect(recentEvents(projectDir)).toEqual([event('p-1')])
  })

  it('of a log that is a link are none', () => {
    const projectDir = temporaryFolder()
    const elsewhere = join(temporaryFolder(), 'events.jsonl')
    writeFileSync(elsewhere, `${JSON.stringify(event('p-1'))}\n`)
    mkdirSync(join(projectDir, '.ghyll'))
    symlinkSync(elsewhere, join(projectDir, '.ghyll/events.jsonl'))
    expect(recentEvents(projectDir)).toEqual([])
  })
})
