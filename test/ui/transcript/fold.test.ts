import { describe, expect, it } from 'vitest'
import { entryId, requestId } from '../../../src/protocol/ids.ts'
import { foldTranscript, releaseOlder, toggleRow, toggleRows } from '../../../ui/transcript/fold.ts'
import { emptyTranscript, type Row, type TranscriptState } from '../../../ui/transcript/model.ts'
import { TranscriptView } from '../../../ui/transcript/view.ts'
import {
  assistant,
  notice,
  plainPen,
  reply,
  said,
  shown,
  told,
  toolEntry,
  transcriptOf
} from '../../support/transcript.ts'

const only = <K extends Row['kind']>(rows: readonly Row[], kind: K) =>
  rows.filter((row): row is Extract<Row, { kind: K }> => row.kind === kind)
const input = (seq: number, text: string) =>
  ({ seq, kind: 'input', delivery: 'queue', origin: 'operator', text }) as const

describe('replies', () => {
  it('grow by deltas within one epoch (TERM-14)', () => {
    const state = transcriptOf([
      { kind: 'reply-opened', entry: assistant('a1') },
      { kind: 'reply-delta', entry: entryId('a1'), channel: 'reasoning', text: 'hm' },
      { kind: 'reply-delta', entry: entryId('a1'), channel: 'text', text: 'Hello' },
      { kind: 'reply-delta', entry: entryId('a1'), channel: 'text', text: ' you' }
    ])
    expect(state.rows).toMatchObject([{ id: 'a1', text: 'Hello you', reasoning: 'hm', epoch: 0, status: 'open' }])
  })

  it('take the durable text over, in a new epoch when it is another one', () => {
    const open = transcriptOf([{ kind: 'reply-opened', entry: assistant('a1', { text: 'Hel' }) }])
    const update = (text: string) =>
      foldTranscript(open, told({ kind: 'reply-updated', entry: entryId('a1'), text, reasoning: '' }))
    expect(update('Hello').rows).toMatchObject([{ text: 'Hello', epoch: 0 }])
    expect(update('Other').rows).toMatchObject([{ text: 'Other', epoch: 1 }])
    expect(update('Hel')).toBe(open)
  })

  it('settle with status and text', () => {
    const settled = {
      kind: 'reply-settled',
      entry: entryId('a1'),
      status: 'partial',
      text: 'Hi',
      reasoning: '',
      toolCalls: []
    } as const
    expect(transcriptOf([{ kind: 'reply-opened', entry: assistant('a1') }, settled]).rows).toMatchObject([
      { status: 'partial', text: 'Hi' }
    ])
  })

  it('move reclassified text to the reasoning (MODEL-072)', () => {
    const state = transcriptOf([
      { kind: 'reply-opened', entry: assistant('a1', { text: 'thinking' }) },
      { kind: 'reply-reclassified', entry: entryId('a1'), count: 5 }
    ])
    expect(state.rows).toMatchObject([{ text: 'thi', reasoning: 'nking', epoch: 1 }])
  })

  it('name the model once until somebody else speaks', () => {
    const rows = only(
      transcriptOf([
        said('u1', 'x'),
        reply('a1', 'one'),
        notice('n'),
        reply('a2', 'two'),
        said('u2', 'y'),
        reply('a3', 'three')
      ]).rows,
      'reply'
    )
    expect(rows.map((row) => row.labelled)).toEqual([true, false, true])
  })
})

describe('tool calls', () => {
  const started = {
    kind: 'tool-started',
    message: entryId('a1'),
    call: toolEntry('bash', { command: 'ls' }).call
  } as const

  it('go from running over progress to their end', () => {
    const running = transcriptOf([
      started,
      { kind: 'tool-progressed', call: 'c1', progress: { tail: 'file', elapsedMs: 40 } }
    ])
    expect(running.rows).toMatchObject([{ status: 'running', text: 'file', elapsedMs: 40 }])
    const ended = transcriptOf(
      [{ kind: 'tool-ended', entry: toolEntry('bash', { command: 'ls' }, { text: 'all', status: 'failed' }) }],
      running
    )
    expect(ended.rows).toMatchObject([{ status: 'failed', text: 'all', elapsedMs: 8 }])
  })

  it('are told apart when a model uses a call id again', () => {
    const ended = { kind: 'tool-ended', entry: toolEntry('bash', { command: 'ls' }) } as const
    const state = transcriptOf([
      started,
      ended,
      { ...started, message: entryId('a2') },
      { kind: 'tool-progressed', call: 'c1', progress: { tail: 't', elapsedMs: 1 } }
    ])
    expect(only(state.rows, 'tool').map((row) => [row.status, row.text])).toEqual([
      ['done', ''],
      ['running', 't']
    ])
  })

  it('put together what a sub-agent tells in pieces, line by line (CTX-090)', () => {
    const pieces = ['There', ' are', ' 3.', '\n⏵ glob {}\n', 'Done', '\n\n', 'and so']
    const state = transcriptOf([
      started,
      ...pieces.map((text) => ({ kind: 'sub-agent-told', call: 'c1', text }) as const)
    ])
    expect(state.rows).toMatchObject([{ told: ['There are 3.', '⏵ glob {}', 'Done', 'and so'] }])
  })

  it('keep what a sub-agent told, and stay unfolded when they end', () => {
    let state = transcriptOf([started, { kind: 'sub-agent-told', call: 'c1', text: 'read a file' }])
    state = toggleRow(state, 'a1/c1')
    state = transcriptOf([{ kind: 'tool-ended', entry: toolEntry('bash', {}) }], state)
    expect(state.rows).toMatchObject([{ told: ['read a file'], unfolded: true, status: 'done' }])
  })

  it('stand for shell lines of the operator (TERM-47)', () => {
    const state = transcriptOf([
      { kind: 'shell-started', id: 'sh1', command: 'git status' },
      { kind: 'shell-ended', id: 'sh1', text: 'clean', status: 'done', durationMs: 5 }
    ])
    expect(state.rows).toMatchObject([{ origin: 'operator', arguments: 'git status', text: 'clean', status: 'done' }])
  })
})

it('pending inputs leave when they are taken up, dropped or taken back (TERM-46)', () => {
  const three = transcriptOf([1, 2, 3, 4].map((seq) => ({ kind: 'input-submitted', row: input(seq, `t${seq}`) })))
  const state = transcriptOf(
    [
      { kind: 'input-promoted', seqs: [1], entries: [] },
      { kind: 'input-dropped', seq: 2 },
      { kind: 'input-taken-back', request: requestId('r'), seq: 3, text: 't3' }
    ],
    three
  )
  expect(state.pending.map((row) => row.seq)).toEqual([4])
})

it('everything else that is an entry becomes a row (TERM-20)', () => {
  const note = { kind: 'note', id: entryId('n1'), turn: 1, sub: 'backfill', text: 'earlier' } as const
  const state = transcriptOf([
    { kind: 'notice', level: 'warning', text: 'careful', hint: 'do this' },
    { kind: 'command-output', command: 'help', lines: ['a', 'b'] },
    { kind: 'command-output', command: 'run-arrow', lines: ['/run-arrow a'], typed: true },
    { kind: 'note-added', entry: note },
    {
      kind: 'anchored',
      entry: { kind: 'compaction', id: entryId('k1'), turn: 1, notes: [note], kept: [] },
      tokens: 1200
    },
    { kind: 'checkpoint-created', hash: 'abc', index: 0, turn: 1, summary: 's' }
  ])
  expect(state.rows.map((row) => row.kind)).toEqual(['notice', 'output', 'command', 'note', 'anchor', 'checkpoint'])
  expect(new Set(state.rows.map((row) => row.id)).size).toBe(6)
})

it('where a resumed session stood is open to read, and folds to its first line (SESS-123)', () => {
  const entry = { kind: 'note', id: entryId('r1'), turn: 0, sub: 'resume', text: 'checkpoint ab12\nGoal: tax' } as const
  const state = transcriptOf([{ kind: 'note-added', entry }])
  const linesOf = (of: TranscriptState) => {
    const view = new TranscriptView(plainPen)
    view.show(of, 60, 10)
    return shown(view).map((each) => each.trimEnd())
  }
  expect(linesOf(state)).toEqual(['▾ resume: checkpoint ab12', '│ checkpoint ab12', '│ Goal: tax'])
  expect(linesOf(toggleRow(state, 'r1'))).toEqual(['▸ resume: checkpoint ab12'])
})

it('an event of no concern changes nothing', () => {
  expect(foldTranscript(emptyTranscript, told({ kind: 'turn-started', turn: 1 }))).toBe(emptyTranscript)
})

it('toggleRows unfolds all of a kind, then folds them', () => {
  const tools = ['a1', 'a2'].map(
    (message) => ({ kind: 'tool-ended', entry: toolEntry('bash', {}, { message: entryId(message) }) }) as const
  )
  const one = toggleRow(transcriptOf([...tools, notice('x')]), 'a1/c1')
  const all = toggleRows(one, 'tool')
  expect(only(all.rows, 'tool').map((row) => row.unfolded)).toEqual([true, true])
  expect(only(toggleRows(all, 'tool').rows, 'tool').map((row) => row.unfolded)).toEqual([false, false])
  expect(toggleRow(all, 'nobody')).toBe(all)
})

describe('memory (TERM-15)', () => {
  const older = (ids: readonly string[], complete: boolean) =>
    ({
      kind: 'older-loaded',
      request: requestId('r'),
      entries: ids.map((id) => ({ kind: 'user', id: entryId(id), turn: 1, text: id }) as const),
      complete
    }) as const

  it('older entries come back in front, once each', () => {
    const state = transcriptOf([said('u3', 'three'), older(['u1', 'u2', 'u3'], true)])
    expect(state.rows.map((row) => row.id)).toEqual(['u1', 'u2', 'u3'])
    expect(state).toMatchObject({ older: 'none', extra: 2 })
  })

  it('drops the oldest rows beyond the bound, unless the reader has just read them back', () => {
    const [row] = transcriptOf([notice('old')]).rows
    const rows = Array.from({ length: 20_000 }, (_, at) => ({ ...row!, id: `row/${at}` }))
    const full = { ...emptyTranscript, rows, next: 20_000 }
    const after = transcriptOf([notice('one more')], full)
    expect(after.rows.length).toBe(18_000)
    expect(after.older).toBe('some')
    expect(after.rows.at(-1)).toMatchObject({ text: 'one more' })

    const reading = transcriptOf([older(['u1'], false), notice('one more')], full)
    expect(reading.rows[0]!.id).toBe('u1')
    expect(releaseOlder(reading).rows.length).toBe(18_000)
  })

  it('holds a result of 50,000 lines as head and tail', () => {
    const text = Array.from({ length: 50_000 }, (_, at) => `line ${at}`).join('\n')
    const [row] = only(transcriptOf([{ kind: 'tool-ended', entry: toolEntry('bash', {}, { text }) }]).rows, 'tool')
    const lines = row!.text.split('\n')
    expect(lines.length).toBe(2001)
    expect([lines[0], lines[1000], lines.at(-1)]).toEqual(['line 0', '… 48000 lines …', 'line 49999'])
  })
})
