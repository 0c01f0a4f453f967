import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openSessionStore, type StoreFailure, sessionStorePath } from '../../src/agent/store/index.ts'
import type { DurableEvent } from '../../src/protocol/event.ts'
import { sessionId } from '../../src/protocol/ids.ts'
import { numbersOf } from '../support/numbers.ts'
import { sessionScript } from '../support/session-script.ts'

const program = fileURLToPath(new URL('../fixtures/programs/record-loop.ts', import.meta.url))

const quiet = {
  onListenerError: () => undefined,
  onTrouble(failure: StoreFailure | null) {
    throw failure ?? new Error('trouble that nobody expected')
  },
  onRewritten() {
    throw new Error('the file was taken away')
  }
}

describe('a process killed while it records (SESS-025)', () => {
  it('leaves everything it acknowledged, whole changes only, in a sound file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ghyll-kill-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const path = sessionStorePath(folder)
    for (let run = 1; run <= 5; run++) {
      const session = sessionId(`dev-${run}`)
      const acknowledged = await killAfter(run * 23, [path, session, String(run)])
      expect(acknowledged).toBeGreaterThanOrEqual(run * 23)

      const store = openSessionStore(path, { clock: { now: () => 0 }, ...quiet })
      const found = withoutReplies(store.load(session))
      const recorded = batchesOf(session, run, acknowledged + 200)
      const whole = mostBatches(recorded, found.length)
      expect(whole).toBeGreaterThanOrEqual(acknowledged)
      expect(found).toEqual(withoutReplies(recorded.slice(0, whole).flat()))
      expect(store.predecessors(sessionId('next'))[0]).toEqual({ session, state: 'active' })
      store.close()

      const db = new Database(path)
      expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
      db.close()
    }
  })

  it('lets two processes write at once', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ghyll-two-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const path = sessionStorePath(folder)
    const [one, two] = await Promise.all([killAfter(150, [path, 'one', '1']), killAfter(150, [path, 'two', '2'])])
    const store = openSessionStore(path, { clock: { now: () => 0 }, ...quiet })
    for (const [name, seed, count] of [
      ['one', 1, one],
      ['two', 2, two]
    ] as const) {
      const session = sessionId(name)
      const wanted = withoutReplies(batchesOf(session, seed, count).flat())
      expect(withoutReplies(store.load(session)).slice(0, wanted.length)).toEqual(wanted)
    }
    store.close()
  })
})

/** Kills the program with SIGKILL once it acknowledged `count` changes; resolves to how many it did in all. */
async function killAfter(count: number, args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let out = ''
  let errors = ''
  const last = () => Number(out.slice(0, out.lastIndexOf('\n')).split('\n').at(-1) ?? 0)
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  child.stdout.on('data', (chunk) => {
    out += chunk
    if (last() >= count) child.kill('SIGKILL')
  })
  const signal = await new Promise((resolve) => child.on('close', (_code, by) => resolve(by)))
  expect([signal, errors]).toEqual(['SIGKILL', ''])
  return last()
}

function batchesOf(session: ReturnType<typeof sessionId>, seed: number, count: number): DurableEvent[][] {
  const batches: DurableEvent[][] = []
  for (const batch of sessionScript(session, numbersOf(seed), { turns: count, firstSeq: seed * 1_000_000 })) {
    if (batches.length === count) break
    batches.push(batch)
  }
  return batches
}

/** How many whole batches make up `length` events; -1 when none do, for then a change was kept in part. */
function mostBatches(batches: readonly DurableEvent[][], length: number): number {
  return batches.findLastIndex((_, n) => withoutReplies(batches.slice(0, n).flat()).length === length)
}

/** A replay has only the end of a reply's growth. */
function withoutReplies(events: readonly DurableEvent[]): DurableEvent[] {
  return events.filter((event) => event.kind !== 'reply-updated' && event.kind !== 'reply-opened')
}
