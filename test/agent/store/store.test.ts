import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { StoreFailure, sessionStorePath } from '../../../src/agent/store/index.ts'
import type { DurableEvent } from '../../../src/protocol/event.ts'
import { entryId, sessionId } from '../../../src/protocol/ids.ts'
import { anchor, assistant, call, note, tool, user } from '../../support/entries.ts'
import { openStore, temporaryRepository } from './open.ts'

const session = sessionId('dev-1')
const at = 1_000
const opened: DurableEvent = { kind: 'session-opened', session, at, workdir: '/repo', model: 'm25' }
const promoted = (id: string): DurableEvent => ({
  kind: 'input-promoted',
  session,
  at,
  seqs: [],
  entries: [user(id)]
})

describe('the database file (SESS-024)', () => {
  it('has the tables and columns that are promised, in WAL mode', () => {
    const repository = temporaryRepository()
    openStore(repository)
    const db = new Database(sessionStorePath(repository), { readonly: true })
    const columns = (table: string) =>
      db.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck().all(table).join(' ')
    expect(columns('session')).toBe(
      'id workdir state model plan_mode deep_override turn held title usage started_at closed_at'
    )
    expect(columns('history')).toBe('seq session id kind body turn step status')
    expect(columns('tool_call')).toBe('id message name args status started_at ended_at')
    expect(columns('inbox')).toBe('seq session kind delivery origin text created_at promoted_at dropped_at')
    expect(columns('step')).toBe('id session turn retries_used compacted outcome')
    expect(db.pragma('journal_mode', { simple: true })).toBe('wal')
    db.close()
  })

  it('is readable by its owner alone, side files included', () => {
    const repository = temporaryRepository()
    const path = sessionStorePath(repository)
    openStore(repository).close()
    chmodSync(path, 0o644)
    openStore(repository).record([opened])
    for (const file of [path, `${path}-wal`, `${path}-shm`]) expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it.each(['', '-wal', '-shm'])('is not opened through a symbolic link at session.db%s', (suffix) => {
    const repository = temporaryRepository()
    const elsewhere = join(repository, 'elsewhere')
    writeFileSync(elsewhere, 'precious')
    mkdirSync(join(repository, '.ghyll'))
    symlinkSync(elsewhere, `${sessionStorePath(repository)}${suffix}`)
    expect(failure(() => openStore(repository)).code).toBe('store-unavailable')
    expect(readFileSync(elsewhere, 'utf8')).toBe('precious')
  })

  it('keeps what a session is in its row', () => {
    const repository = temporaryRepository()
    const store = openStore(repository)
    const usage = { prompt: 10, completion: 5, total: 15, cached: 2 }
    store.record([
      opened,
      { kind: 'turn-started', session, at, turn: 3 },
      { kind: 'plan-mode-changed', session, at, on: true },
      { kind: 'deep-override-changed', session, at, on: true },
      { kind: 'hold-changed', session, at, held: true },
      { kind: 'model-switched', session, at, from: 'm25', to: 'glm5', reason: 'deep-override', checkpoint: 0 },
      { kind: 'model-switched', session, at, from: 'glm5', to: 'm25', reason: 'fallback', checkpoint: null },
      { kind: 'usage-counted', session, at, model: 'glm5', purpose: 'turn', usage, estimated: false },
      { kind: 'usage-counted', session, at, model: 'glm5', purpose: 'turn', usage, estimated: false },
      { kind: 'session-closed', session, at: 2_000 }
    ])
    store.setTitle(session, 'Rename foo')
    const row = rowsOf(repository, 'session')[0]
    expect(row).toMatchObject({ state: 'closed', model: 'glm5', turn: 3, plan_mode: 1, deep_override: 1, held: 1 })
    expect(row).toMatchObject({ title: 'Rename foo', started_at: at, closed_at: 2_000 })
    expect(JSON.parse(String(row?.usage))).toEqual({
      glm5: { turn: { prompt: 20, completion: 10, total: 30, cached: 4 } }
    })
  })
})

describe('one change, one transaction (SESS-025)', () => {
  it('keeps nothing of a change whose last part cannot be', () => {
    const repository = temporaryRepository()
    const store = openStore(repository)
    const heard: string[] = []
    store.record([opened])
    store.subscribe((event) => heard.push(event.kind))
    expect(() => store.record([promoted('u1'), { kind: 'input-dropped', session, at, seq: 77 }])).toThrow('not pending')
    expect(rowsOf(repository, 'history')).toEqual([])
    expect(store.load(session)).toEqual([opened])
    expect(heard).toEqual([])
  })

  it('ends a reply once and never changes it afterwards', () => {
    const store = openStore(temporaryRepository())
    const reply = assistant('a1', { status: 'open' })
    const settled: DurableEvent = {
      kind: 'reply-settled',
      session,
      at,
      entry: reply.id,
      status: 'done',
      text: 'T',
      reasoning: '',
      toolCalls: []
    }
    store.record([opened, { kind: 'reply-opened', session, at, entry: reply }, settled])
    expect(() => store.record([{ ...settled, status: 'superseded' }])).toThrow('not an open history row')
    const late: DurableEvent = { kind: 'reply-updated', session, at, entry: reply.id, text: 'X', reasoning: '' }
    expect(() => store.record([late])).toThrow('not an open history row')
  })

  it('refuses to change a settled row from anywhere', () => {
    const repository = temporaryRepository()
    openStore(repository).record([opened, promoted('u1')])
    const db = new Database(sessionStorePath(repository))
    expect(() => db.exec("UPDATE history SET body = '{}'")).toThrow('never changed')
    db.close()
  })

  it('gives a call one result (SESS-094)', () => {
    const repository = temporaryRepository()
    const store = openStore(repository)
    const made = call('c1')
    store.record([opened, { kind: 'tool-started', session, at, message: entryId('a1'), call: made }])
    store.record([{ kind: 'tool-ended', session, at: 2_000, entry: tool('r1', 'a1', made) }])
    expect(rowsOf(repository, 'tool_call')).toMatchObject([{ status: 'done', started_at: at, ended_at: 2_000 }])
    expect(() => store.record([{ kind: 'tool-ended', session, at, entry: tool('r2', 'a1', made) }])).toThrow()
    // The same id in another message is another call.
    store.record([{ kind: 'tool-ended', session, at, entry: tool('r3', 'a2', made, { status: 'interrupted' }) }])
    expect(rowsOf(repository, 'tool_call')).toHaveLength(2)
  })

  it('sets no anchor while a reply is open, and keeps entries by seq (SESS-052)', () => {
    const repository = temporaryRepository()
    const store = openStore(repository)
    const open: DurableEvent = { kind: 'reply-opened', session, at, entry: assistant('a1', { status: 'open' }) }
    const entry = anchor('x1', [note('n1')], ['u1', { entry: 'a1', text: 'cut' }])
    const anchored: DurableEvent = { kind: 'anchored', session, at, entry, tokens: 5 }
    store.record([opened, promoted('u1'), open])
    expect(() => store.record([anchored])).toThrow('SESS-052')
    const end = { status: 'partial' as const, text: 'T', reasoning: '', toolCalls: [] }
    store.record([{ kind: 'reply-settled', session, at, entry: entryId('a1'), ...end }, anchored])
    expect(JSON.parse(String(rowsOf(repository, 'history').at(-1)?.body)).kept).toEqual([
      { seq: 1 },
      { seq: 2, text: 'cut' }
    ])
    expect(store.load(session).at(-1)).toEqual(anchored)
  })
})

describe('announcements', () => {
  it('come after the commit, in one order for everyone, also when a listener records', () => {
    const repository = temporaryRepository()
    const store = openStore(repository)
    const other = openStore(repository)
    const first: string[] = []
    const second: string[] = []
    store.subscribe((event) => {
      first.push(event.kind)
      expect(other.load(session).some((kept) => kept.kind === event.kind)).toBe(true)
      if (event.kind === 'session-opened') store.record([{ kind: 'hold-changed', session, at, held: true }])
    })
    const leave = store.subscribe((event) => second.push(event.kind))
    store.record([opened, { kind: 'turn-started', session, at, turn: 1 }])
    expect(first).toEqual(['session-opened', 'turn-started', 'hold-changed'])
    expect(second).toEqual(first)
    leave()
    store.record([{ kind: 'hold-changed', session, at, held: false }])
    expect(second).toHaveLength(3)
  })

  it('survive a listener that throws', () => {
    const errors: unknown[] = []
    const store = openStore(temporaryRepository(), { onListenerError: (error) => errors.push(error) })
    const heard: string[] = []
    store.subscribe(() => {
      throw new Error('broken listener')
    })
    store.subscribe((event) => heard.push(event.kind))
    store.record([opened])
    expect(heard).toEqual(['session-opened'])
    expect(errors).toHaveLength(1)
  })
})

describe('trouble with the file', () => {
  it('is `store-corrupt` for a file that is no database, with a hint', () => {
    const repository = temporaryRepository()
    mkdirSync(join(repository, '.ghyll'))
    writeFileSync(sessionStorePath(repository), 'not a database, but long enough to look at '.repeat(40))
    const trouble = failure(() => openStore(repository))
    expect(trouble.code).toBe('store-corrupt')
    expect(trouble.hint).toContain(sessionStorePath(repository))
  })

  it('is `store-corrupt` for rows that contradict each other', () => {
    const repository = temporaryRepository()
    const store = openStore(repository)
    store.record([opened, promoted('u1')])
    const db = new Database(sessionStorePath(repository))
    db.exec('DELETE FROM history')
    db.close()
    expect(failure(() => store.load(session)).code).toBe('store-corrupt')
  })

  it('is `store-too-new` for a later format', () => {
    const repository = temporaryRepository()
    openStore(repository).close()
    const db = new Database(sessionStorePath(repository))
    db.pragma('user_version = 99')
    db.close()
    expect(failure(() => openStore(repository)).code).toBe('store-too-new')
  })

  it('is `store-locked` while another connection holds the write lock, and passes when it lets go', () => {
    const repository = temporaryRepository()
    const store = openStore(repository, { busyTimeoutMs: 20 })
    const db = new Database(sessionStorePath(repository))
    db.exec('BEGIN IMMEDIATE')
    const trouble = failure(() => store.record([opened]))
    expect([trouble.code, trouble.path]).toEqual(['store-locked', sessionStorePath(repository)])
    expect(trouble.hint).toBeDefined()
    db.exec('ROLLBACK')
    db.close()
    store.record([opened])
    expect(store.load(session)).toEqual([opened])
  })
})

describe('a write-ahead log cut short', () => {
  it('loses at most the end, never the file', () => {
    const whole = temporaryRepository()
    const store = openStore(whole)
    store.record([opened])
    for (let n = 0; n < 60; n++) store.record([promoted(`u${n}`)])
    const path = sessionStorePath(whole)
    const [main, log] = [readFileSync(path), readFileSync(`${path}-wal`)]
    const all = store.load(session)
    const lengths: number[] = []
    for (const cut of [
      0,
      20,
      31,
      4_000,
      log.length >> 2,
      log.length >> 1,
      log.length - 5_000,
      log.length - 1,
      log.length
    ]) {
      const copy = temporaryRepository()
      mkdirSync(join(copy, '.ghyll'))
      writeFileSync(sessionStorePath(copy), main)
      writeFileSync(`${sessionStorePath(copy)}-wal`, log)
      truncateSync(`${sessionStorePath(copy)}-wal`, cut)
      const reopened = openStore(copy)
      const found = reopened.load(session)
      expect(found).toEqual(all.slice(0, found.length))
      lengths.push(found.length)
      // The second opening finds what the first left.
      reopened.close()
      expect(integrity(copy)).toBe('ok')
      expect(openStore(copy).load(session)).toEqual(found)
    }
    expect(lengths).toEqual(lengths.toSorted((a, b) => a - b))
    expect(lengths.at(-1)).toBe(all.length)
    expect(existsSync(path)).toBe(true)
  })
})

function failure(work: () => unknown): StoreFailure {
  try {
    work()
  } catch (error) {
    if (error instanceof StoreFailure) return error
    throw error
  }
  throw new Error('nothing failed')
}

function rowsOf(repository: string, table: string): Record<string, unknown>[] {
  const db = new Database(sessionStorePath(repository), { readonly: true })
  try {
    return db.prepare<[], Record<string, unknown>>(`SELECT * FROM ${table} ORDER BY rowid`).all()
  } finally {
    db.close()
  }
}

function integrity(repository: string): unknown {
  const db = new Database(sessionStorePath(repository))
  try {
    return db.pragma('integrity_check', { simple: true })
  } finally {
    db.close()
  }
}
