import type { GhyllEvent } from '../../src/protocol/event.ts'
import { boundedText, trimmed } from './bound.ts'
import { olderRows, placed, replyRow, toolRow, toolRowId } from './entries.ts'
import { isFoldable, type ReplyRow, type Row, rowChars, type ToolRow, type TranscriptState } from './model.ts'

const TOLD_MAX = 200

/**
 * The transcript's share of an event; an event that is none of its business gives the same state back. Transient text must arrive
 * before the durable event that follows it, so whoever gathers deltas lets them through first.
 */
export function foldTranscript(state: TranscriptState, event: GhyllEvent): TranscriptState {
  switch (event.kind) {
    case 'input-submitted':
      return { ...state, pending: [...state.pending, event.row] }
    case 'input-dropped':
      return withoutPending(state, [event.seq])
    case 'input-taken-back':
      return withoutPending(state, [event.seq])
    case 'input-promoted':
      return appended(
        withoutPending(state, event.seqs),
        event.entries.map((entry) => ({
          kind: 'operator',
          id: entry.id,
          at: event.at,
          text: entry.text,
          spaced: true,
          unfolded: false
        }))
      )
    case 'reply-opened':
      return changed(state, event.entry.id, (known) =>
        known?.kind === 'reply'
          ? withText(
              { ...known, model: event.entry.model },
              longer(known.text, event.entry.text),
              longer(known.reasoning, event.entry.reasoning)
            )
          : replyRow(event.entry, event.at)
      )
    case 'reply-delta':
      return changed(state, event.entry, (known) => {
        const row = known?.kind === 'reply' ? known : emptyReply(event.entry, event.at)
        return event.channel === 'text'
          ? { ...row, text: row.text + event.text }
          : { ...row, reasoning: row.reasoning + event.text }
      })
    case 'reply-reclassified':
      return changed(state, event.entry, (known) => {
        if (known?.kind !== 'reply') return known
        const at = Math.max(0, known.text.length - event.count)
        return withText(known, known.text.slice(0, at), known.reasoning + known.text.slice(at))
      })
    case 'reply-updated':
      return changed(state, event.entry, (known) =>
        known?.kind === 'reply' ? withText(known, event.text, event.reasoning) : known
      )
    case 'reply-settled':
      return changed(state, event.entry, (known) =>
        known?.kind === 'reply'
          ? // The session's own text instead of one put together here: a long one is held once (TERM-73).
            {
              ...withText(known, event.text, event.reasoning),
              text: event.text,
              reasoning: event.reasoning,
              status: event.status
            }
          : known
      )
    case 'tool-started':
      return changed(state, toolRowId(event.message, event.call.id), (known) => known ?? startedTool(event))
    case 'tool-progressed':
      return changedTool(state, event.call, (row) => ({
        ...row,
        text: event.progress.tail,
        elapsedMs: event.progress.elapsedMs
      }))
    case 'sub-agent-told':
      return changedTool(state, event.call, (row) => ({ ...row, told: toldMore(row.told, event.text) }))
    case 'tool-ended':
      return changed(state, toolRowId(event.entry.message, event.entry.call.id), (known) => {
        const row = toolRow(event.entry, known?.at ?? event.at)
        return known?.kind === 'tool' ? { ...row, told: known.told, unfolded: known.unfolded } : row
      })
    case 'shell-started':
      return changed(state, event.id, () => ({
        ...startedTool({ message: '', call: { id: event.id, name: 'bash', arguments: event.command }, at: event.at }),
        id: event.id,
        origin: 'operator'
      }))
    case 'shell-ended':
      return changed(state, event.id, (known) =>
        known?.kind === 'tool'
          ? { ...known, status: event.status, text: boundedText(event.text), elapsedMs: event.durationMs }
          : known
      )
    case 'note-added':
      return appended(state, [
        {
          kind: 'note',
          id: event.entry.id,
          at: event.at,
          sub: event.entry.sub,
          text: event.entry.text,
          // Where the last session stood is what whoever resumes it wants to read first.
          unfolded: event.entry.sub === 'resume'
        }
      ])
    case 'anchored':
      return appended(state, [
        {
          kind: 'anchor',
          id: event.entry.id,
          at: event.at,
          sub: event.entry.kind,
          tokens: event.tokens,
          summary: event.entry.notes.map((note) => note.text).join('\n\n'),
          unfolded: false
        }
      ])
    case 'checkpoint-created': {
      const { hash, index, turn, summary, at } = event
      return appended(state, [
        { kind: 'checkpoint', id: `checkpoint/${hash}`, at, hash, index, turn, summary, unfolded: false }
      ])
    }
    case 'notice':
      return numbered(state, (id) => ({
        kind: 'notice',
        id,
        at: event.at,
        level: event.level,
        text: event.text,
        hint: event.hint
      }))
    case 'command-output':
      if (event.typed === true) return withTyped(state, event.lines.join('\n'), event.at)
      return numbered(state, (id) => ({ kind: 'output', id, at: event.at, command: event.command, lines: event.lines }))
    case 'waiting-changed':
      return { ...state, waiting: event.waiting }
    case 'older-loaded':
      return withOlder(state, olderRows(event.entries), event.complete)
    default:
      return state
  }
}

/** The lines a sub-agent has told so far with more of its text; the last one is still open and may be empty. */
function toldMore(told: readonly string[], text: string): readonly string[] {
  const lines = `${told.at(-1) ?? ''}${text}`.split('\n')
  const whole = lines.slice(0, -1).filter((each) => each.trim() !== '')
  return [...told.slice(0, -1), ...whole, lines.at(-1) ?? ''].slice(-TOLD_MAX)
}

/** The line of a command in the transcript, so that what came of it stands under what was asked. */
export function withTyped(state: TranscriptState, text: string, at: number): TranscriptState {
  return numbered(state, (id) => ({ kind: 'command', id, at, text, spaced: true }))
}

/** Folds or unfolds one row: arguments and output of a tool, reasoning, a summary. */
export function toggleRow(state: TranscriptState, id: string): TranscriptState {
  return changed(state, id, (row) => (row !== undefined && isFoldable(row) ? { ...row, unfolded: !row.unfolded } : row))
}

/** Folds or unfolds every row of a kind: all reasoning, all tool calls. Unfolds when any of them is folded. */
export function toggleRows(state: TranscriptState, kind: Row['kind']): TranscriptState {
  const concerned = (row: Row) => row.kind === kind && isFoldable(row)
  const unfolded = state.rows.some((row) => concerned(row) && isFoldable(row) && !row.unfolded)
  return {
    ...state,
    rows: state.rows.map((row) =>
      concerned(row) && isFoldable(row) && row.unfolded !== unfolded ? { ...row, unfolded } : row
    )
  }
}

/** Lets go of what was read back on scroll, once the reader is at the end again (TERM-15). */
export function releaseOlder(state: TranscriptState): TranscriptState {
  return state.extra === 0 ? state : trimmed({ ...state, extra: 0 })
}

function withoutPending(state: TranscriptState, seqs: readonly number[]): TranscriptState {
  const pending = state.pending.filter((row) => !seqs.includes(row.seq))
  return pending.length === state.pending.length ? state : { ...state, pending }
}

function appended(state: TranscriptState, added: readonly Row[]): TranscriptState {
  const rows = state.rows.slice()
  for (const row of added) rows.push(placed(row, rows))
  return trimmed({ ...state, rows, chars: added.reduce((sum, row) => sum + rowChars(row), state.chars) })
}

function numbered(state: TranscriptState, make: (id: string) => Row): TranscriptState {
  return appended({ ...state, next: state.next + 1 }, [make(`row/${state.next}`)])
}

/** Replaces the row of this id, or appends what `change` makes of undefined. What changes is nearly always among the last rows. */
function changed(
  state: TranscriptState,
  id: string,
  change: (row: Row | undefined) => Row | undefined
): TranscriptState {
  const index = state.rows.findLastIndex((row) => row.id === id)
  const before = state.rows[index]
  const after = change(before)
  if (after === undefined || after === before) return state
  if (before === undefined) return appended(state, [after])
  const rows = state.rows.slice()
  rows[index] = after
  return { ...state, rows, chars: state.chars - rowChars(before) + rowChars(after) }
}

function changedTool(state: TranscriptState, call: string, change: (row: ToolRow) => ToolRow): TranscriptState {
  const running = state.rows.findLast(
    (row): row is ToolRow => row.kind === 'tool' && row.call === call && row.status === 'running'
  )
  return running === undefined ? state : changed(state, running.id, () => change(running))
}

function withOlder(state: TranscriptState, read: readonly Row[], complete: boolean): TranscriptState {
  const held = new Set(state.rows.map((row) => row.id))
  const rows = read.filter((row) => !held.has(row.id))
  return {
    ...state,
    rows: [...rows, ...state.rows],
    chars: rows.reduce((sum, row) => sum + rowChars(row), state.chars),
    extra: state.extra + rows.length,
    older: complete ? 'none' : 'some'
  }
}

/** The row with these texts; a new epoch unless they only continue what was there. */
function withText(row: ReplyRow, text: string, reasoning: string): ReplyRow {
  if (row.text === text && row.reasoning === reasoning) return row
  const continues = text.startsWith(row.text) && reasoning.startsWith(row.reasoning)
  return { ...row, text, reasoning, epoch: continues ? row.epoch : row.epoch + 1 }
}

function longer(known: string, told: string): string {
  return told.length > known.length ? told : known
}

function emptyReply(id: string, at: number): ReplyRow {
  return {
    kind: 'reply',
    id,
    at,
    model: '',
    text: '',
    reasoning: '',
    status: 'open',
    epoch: 0,
    labelled: true,
    unfolded: false
  }
}

function startedTool(started: {
  readonly message: string
  readonly call: { readonly id: string; readonly name: string; readonly arguments: string }
  readonly at: number
}): ToolRow {
  const { message, call, at } = started
  return {
    kind: 'tool',
    id: toolRowId(message, call.id),
    at,
    call: call.id,
    name: call.name,
    arguments: call.arguments,
    origin: 'model',
    status: 'running',
    text: '',
    elapsedMs: null,
    meta: {},
    told: [],
    unfolded: false
  }
}
