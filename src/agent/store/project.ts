import type { Database, Statement } from 'better-sqlite3'
import { assert, unreachable } from '../../lib/assert.ts'
import type { HistoryEntry, ToolEntry } from '../../protocol/entry.ts'
import type { DurableEvent } from '../../protocol/event.ts'
import type { EntryId } from '../../protocol/ids.ts'
import { encodeEntry } from './rows.ts'

type Event<K extends DurableEvent['kind']> = Extract<DurableEvent, { kind: K }>

/**
 * Writes one durable event into the tables and its place into the journal. Called inside the transaction of the whole change
 * (SESS-025). An event that contradicts the tables is a bug: it throws, and nothing of the change is kept.
 */
export function createProjection(db: Database): (event: DurableEvent) => void {
  const history = historyWriter(db)
  const tools = toolWriter(db)
  const inbox = inboxWriter(db)
  const session = sessionWriter(db)
  const addStep = db.prepare('INSERT INTO step (id, session, turn) VALUES (?, ?, ?)')
  const retryStep = db.prepare('UPDATE step SET retries_used = ?, compacted = ? WHERE id = ?')
  const endStep = db.prepare('UPDATE step SET outcome = ? WHERE id = ?')
  const addToJournal = db.prepare('INSERT INTO journal (session, at, kind, body) VALUES (?, ?, ?, ?)')
  /** What a replay cannot read from the other tables. */
  const keep = (event: DurableEvent, body: object) =>
    addToJournal.run(event.session, event.at, event.kind, JSON.stringify(body))

  return (event) => {
    switch (event.kind) {
      case 'session-opened':
        session.open(event)
        return keep(event, { workdir: event.workdir, model: event.model })
      case 'session-closed':
        session.close(event)
        return keep(event, {})
      case 'input-submitted':
        inbox.add(event)
        return keep(event, { row: event.row.seq })
      case 'input-dropped':
        inbox.drop(event)
        return keep(event, { seq: event.seq })
      case 'input-promoted':
        inbox.promote(event)
        for (const entry of event.entries) history.add(event.session, entry)
        return keep(event, { seqs: event.seqs, entries: event.entries.map((entry) => entry.id) })
      case 'hold-changed':
        session.set('held', event.session, event.held)
        return keep(event, { held: event.held })
      case 'turn-started':
        session.set('turn', event.session, event.turn)
        return keep(event, { turn: event.turn })
      case 'step-opened':
        addStep.run(event.step, event.session, event.turn)
        return keep(event, { step: event.step, turn: event.turn, model: event.model })
      case 'step-retried': {
        const { step, retriesUsed, compacted } = event
        retryStep.run(retriesUsed, Number(compacted), step)
        return keep(event, { step, retriesUsed, compacted })
      }
      case 'step-ended':
        endStep.run(event.outcome, event.step)
        return keep(event, { step: event.step, outcome: event.outcome })
      case 'turn-ended':
        return keep(event, { turn: event.turn, outcome: event.outcome, code: event.code })
      case 'reply-opened':
        assert(event.entry.status === 'open', 'a reply starts as an open row')
        history.add(event.session, event.entry)
        return keep(event, { entry: event.entry.id })
      case 'reply-updated':
        // The open row carries the text so far; a replay finds it there.
        return history.change(event.entry, 'open', { text: event.text, reasoning: event.reasoning })
      case 'reply-settled': {
        const { entry, status, text, reasoning, toolCalls } = event
        history.change(entry, status, { text, reasoning, toolCalls })
        return keep(event, { entry })
      }
      case 'tool-started':
        tools.start(event)
        return keep(event, { message: event.message, call: event.call })
      case 'tool-ended':
        tools.end(event.entry, event.at)
        history.add(event.session, event.entry)
        return keep(event, { entry: event.entry.id })
      case 'note-added':
        history.add(event.session, event.entry)
        return keep(event, { entry: event.entry.id })
      case 'anchored':
        assert(!history.hasOpen(event.session), 'no anchor while a reply is open (SESS-052)')
        history.add(event.session, event.entry)
        return keep(event, { entry: event.entry.id, tokens: event.tokens })
      case 'model-switched': {
        const { from, to, reason, checkpoint } = event
        // A fallback serves one turn and leaves the session's model alone (MODEL-061).
        if (reason !== 'fallback') session.set('model', event.session, to)
        return keep(event, { from, to, reason, checkpoint })
      }
      case 'plan-mode-changed':
        session.set('plan_mode', event.session, event.on)
        return keep(event, { on: event.on })
      case 'deep-override-changed':
        session.set('deep_override', event.session, event.on)
        return keep(event, { on: event.on })
      case 'checkpoint-created': {
        const { hash, index, turn, summary } = event
        return keep(event, { hash, index, turn, summary })
      }
      case 'usage-counted': {
        const { model, purpose, usage, estimated } = event
        session.addUsage(event)
        return keep(event, { model, purpose, usage, estimated })
      }
      default:
        return unreachable(event)
    }
  }
}

function sessionWriter(db: Database) {
  const open = db.prepare(
    "INSERT INTO session (id, workdir, state, model, started_at) VALUES (@session, @workdir, 'active', @model, @at)"
  )
  const close = db.prepare("UPDATE session SET state = 'closed', closed_at = ? WHERE id = ?")
  const columns = ['held', 'turn', 'model', 'plan_mode', 'deep_override', 'usage'] as const
  type Column = (typeof columns)[number]
  const setters = Object.fromEntries(
    columns.map((column) => [column, db.prepare(`UPDATE session SET ${column} = ? WHERE id = ?`)])
  ) as Record<Column, Statement>
  const usageOf = db.prepare<[string], string>('SELECT usage FROM session WHERE id = ?').pluck()

  const set = (column: Column, session: string, value: string | number | boolean) => {
    setters[column].run(typeof value === 'boolean' ? Number(value) : value, session)
  }
  return {
    set,
    open: ({ session, workdir, model, at }: Event<'session-opened'>) => open.run({ session, workdir, model, at }),
    close: ({ session, at }: Event<'session-closed'>) => close.run(at, session),
    addUsage({ session, model, purpose, usage }: Event<'usage-counted'>) {
      const totals = JSON.parse(usageOf.get(session) ?? '{}') as UsageTotals
      const old = totals[model]?.[purpose] ?? { prompt: 0, completion: 0, total: 0, cached: 0 }
      const sum = {
        prompt: old.prompt + usage.prompt,
        completion: old.completion + usage.completion,
        total: old.total + usage.total,
        cached: old.cached + (usage.cached ?? 0)
      }
      set('usage', session, JSON.stringify({ ...totals, [model]: { ...totals[model], [purpose]: sum } }))
    }
  }
}

/** `session.usage`: tokens by model, then purpose (WB-047). */
type UsageTotals = Record<string, Record<string, { prompt: number; completion: number; total: number; cached: number }>>

function historyWriter(db: Database) {
  const add = db.prepare(
    `INSERT INTO history (session, id, kind, body, turn, step, status)
     VALUES (@session, @id, @kind, @body, @turn, @step, @status)`
  )
  const openBody = db.prepare<[string], string>("SELECT body FROM history WHERE id = ? AND status = 'open'").pluck()
  const change = db.prepare('UPDATE history SET body = ?, status = ? WHERE id = ?')
  const seqById = db.prepare<[string], number>('SELECT seq FROM history WHERE id = ?').pluck()
  const anyOpen = db.prepare("SELECT 1 FROM history WHERE session = ? AND status = 'open'")
  const seqOf = (id: EntryId) => {
    const seq = seqById.get(id)
    assert(seq !== undefined, `an anchor keeps ${id}, which is not in the history`)
    return seq
  }
  return {
    add(session: string, entry: HistoryEntry) {
      add.run({ session, ...encodeEntry(entry, seqOf) })
    },
    /** Changes an open row, and with another status than `open` ends it (SESS-025). */
    change(id: EntryId, status: string, parts: object) {
      const body = openBody.get(id)
      assert(body !== undefined, `${id} is not an open history row`)
      change.run(JSON.stringify({ ...JSON.parse(body), ...parts }), status, id)
    },
    hasOpen: (session: string) => anyOpen.get(session) !== undefined
  }
}

function toolWriter(db: Database) {
  const start = db.prepare(
    "INSERT INTO tool_call (id, message, name, args, status, started_at) VALUES (?, ?, ?, ?, 'running', ?)"
  )
  const end = db.prepare(
    "UPDATE tool_call SET status = ?, ended_at = ? WHERE message = ? AND id = ? AND status = 'running'"
  )
  const settle = db.prepare(
    'INSERT INTO tool_call (id, message, name, args, status, ended_at) VALUES (?, ?, ?, ?, ?, ?)'
  )
  return {
    start({ message, call, at }: Event<'tool-started'>) {
      start.run(call.id, message, call.name, call.arguments, at)
    },
    /** A call that never started gets its row here; a second result breaks the key. */
    end({ message, call, status }: ToolEntry, at: number) {
      if (end.run(status, at, message, call.id).changes === 1) return
      settle.run(call.id, message, call.name, call.arguments, status, at)
    }
  }
}

function inboxWriter(db: Database) {
  const add = db.prepare(
    `INSERT INTO inbox (seq, session, kind, delivery, origin, text, created_at)
     VALUES (@seq, @session, @kind, @delivery, @origin, @text, @at)`
  )
  const pending = 'session = ? AND seq = ? AND promoted_at IS NULL AND dropped_at IS NULL'
  const drop = db.prepare(`UPDATE inbox SET dropped_at = ? WHERE ${pending}`)
  const promote = db.prepare(`UPDATE inbox SET promoted_at = ? WHERE ${pending}`)
  const barrier = db
    .prepare<[string], number>(
      `SELECT min(seq) FROM inbox
       WHERE session = ? AND kind = 'compaction' AND promoted_at IS NULL AND dropped_at IS NULL`
    )
    .pluck()
  return {
    add: ({ session, at, row }: Event<'input-submitted'>) => add.run({ ...row, session, at }),
    drop({ session, at, seq }: Event<'input-dropped'>) {
      assert(drop.run(at, session, seq).changes === 1, `inbox row ${seq} is not pending`)
    },
    /** No row behind a pending compaction leaves the inbox before it (SESS-034). */
    promote({ session, at, seqs }: Event<'input-promoted'>) {
      for (const seq of seqs) {
        assert((barrier.get(session) ?? seq) >= seq, `inbox row ${seq} is behind a pending compaction`)
        assert(promote.run(at, session, seq).changes === 1, `inbox row ${seq} is not pending`)
      }
    }
  }
}
