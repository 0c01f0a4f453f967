import { describe, expect, test } from 'vitest'
import type { BranchSync, SyncOutcome } from '../../src/memory/branch/sync.ts'
import { createRound, type Which } from '../../src/memory/round.ts'
import type { MemoryStore } from '../../src/memory/store.ts'

/** What the operator and the log are told of one round with that outcome. */
async function toldOf(outcome: Partial<SyncOutcome>, which: Which) {
  const told: string[] = []
  const logged: string[] = []
  const imported = { count: 0, authors: new Set<string>() }
  const whole: SyncOutcome = { imported, fetched: 'done', pushed: 'nothing', problem: null, ...outcome }
  const sync: BranchSync = { tick: async () => whole, write: async () => undefined, close: async () => undefined }
  const round = createRound({
    store: {} as MemoryStore,
    repo: 'r',
    autoSync: true,
    sync: () => sync,
    vault: () => null,
    embedder: () => null,
    tell: (level, text) => void told.push(`${level}: ${text}`),
    log: (line) => void logged.push(line)
  })
  await round(new AbortController().signal, which)
  return { told, logged }
}

describe('the operator hears of a sync at the start, the log alone later (MEM-083, MEM-085)', () => {
  const came = { imported: { count: 3, authors: new Set(['ann', 'bob']) } }
  test.each<[string, Partial<SyncOutcome>, readonly string[]]>([
    ['others wrote', came, ['info: synced 3 checkpoints from 2 developers']],
    ['nothing new', {}, []],
    ['nobody there', { fetched: 'failed', problem: 'no route' }, ['warning: initial sync failed: no route']],
    ['what came is of no use', { pushed: 'failed', problem: 'bad' }, ['warning: initial sync failed: bad']]
  ])('%s', async (_, outcome, lines) => {
    expect((await toldOf(outcome, 'first')).told).toEqual(lines)
    expect((await toldOf(outcome, 'regular')).told).toEqual([])
  })

  test('what comes later', async () => {
    expect((await toldOf(came, 'regular')).logged).toEqual(['memory: synced 3 checkpoints from 2 developers'])
  })
})
