import { describe, expect, it } from 'vitest'
import {
  checkpointFacts,
  checkpointSummary,
  handoffBody,
  localBody,
  summaryFirstLine
} from '../../../src/agent/context/summary.ts'
import { assistant, call, note, tool, turnOf, user } from '../../support/entries.ts'

describe('the first line (CTX-070)', () => {
  it.each([
    [{ kind: 'interval', from: 6, to: 10 } as const, 'turns 6-10'],
    [{ kind: 'compaction', turn: 4 } as const, 'compaction at turn 4'],
    [
      { kind: 'handoff', from: 'm25', to: 'glm5', reason: 'context-depth' } as const,
      'model switch: m25 → glm5 (reason: context-depth)'
    ],
    [{ kind: 'shutdown', how: 'ended' } as const, 'session ended'],
    [{ kind: 'shutdown', how: 'signal' } as const, 'session ended (signal)'],
    [{ kind: 'shutdown', how: 'recovered' } as const, 'session ended (recovered)']
  ])('of %j is %j', (reason, line) => {
    expect(summaryFirstLine(reason)).toBe(line)
  })
})

describe('a local summary (CTX-071)', () => {
  const edit = call('c1', 'edit_file', { path: 'a.ts' })
  const helper = call('c2', 'agent', { task: 'find   the\ncallers' })
  const entries = [
    user('u1', 'rename\nfoo to bar'),
    assistant('a1', { text: '', calls: [edit, helper] }),
    tool('r1', 'a1', edit, { meta: { filesWritten: ['src/b.ts', 'src/a.ts'], filesRead: ['x.ts'] } }),
    tool('r2', 'a1', helper, { text: 'three callers' }),
    assistant('a2', { text: 'Renamed it.' }),
    user('u2', 'and the tests?')
  ]

  it('says what was asked, done, touched and left open', () => {
    expect(localBody({ goal: 'rename foo', entries, error: null })).toBe(
      [
        'Goal:\nrename foo',
        'Requests:\n- rename foo to bar\n- and the tests?',
        'Outcome:\nRenamed it.',
        'Files:\n- src/a.ts\n- src/b.ts',
        'Tools:\nagent × 1, edit_file × 1',
        'Sub-agents:\n- find the callers → three callers',
        'Open:\nand the tests?'
      ].join('\n\n')
    )
  })

  it('names the error of a failed turn and leaves empty sections out', () => {
    expect(localBody({ goal: null, entries: [], error: 'all model endpoints unreachable' })).toBe(
      'Open:\nall model endpoints unreachable'
    )
  })

  it('clips goal, requests and outcome', () => {
    const body = localBody({
      goal: 'g'.repeat(500),
      entries: [user('u1', 'r'.repeat(500)), assistant('a1', { text: 'o'.repeat(5000) })],
      error: null
    })
    expect(body).toContain(`${'g'.repeat(199)}…\n`)
    expect(body).toContain(`- ${'r'.repeat(199)}…\n`)
    expect(body).toContain(`${'o'.repeat(599)}…`)
  })

  it('takes over the summary and covers only what a handoff leaves out (CTX-071a)', () => {
    const keep = turnOf(2)
    const body = handoffBody({ goal: null, context: [note('n1', 'summary', 'earlier'), ...turnOf(1), ...keep], keep })
    expect(body).toContain('earlier\n\nRequests:\n- question 1\n')
    expect(body).not.toContain('question 2')
  })
})

describe('files and tools (CTX-073)', () => {
  const read = call('c1', 'read_file')
  it('are sorted, unique and empty rather than null', () => {
    expect(checkpointFacts([])).toEqual({ files: [], tools: [] })
  })

  it('list files read only when nothing was written', () => {
    const reading = tool('r1', 'a1', read, { meta: { filesRead: ['z.ts', 'B.ts', 'z.ts'] } })
    expect(checkpointFacts([reading])).toEqual({ files: ['B.ts', 'z.ts'], tools: ['read_file'] })
    const writing = tool('r2', 'a1', call('c2', 'bash'), { meta: { filesWritten: ['w.ts'] } })
    expect(checkpointFacts([reading, writing])).toEqual({ files: ['w.ts'], tools: ['bash', 'read_file'] })
  })
})

describe('the stored text (CTX-072)', () => {
  it('is redacted before it is cut to 8192 bytes at a code point', () => {
    const summary = checkpointSummary({ kind: 'shutdown', how: 'ended' }, `sk-secret ${'é'.repeat(9000)}`, (text) =>
      text.replaceAll('sk-secret', '<redacted>')
    )
    expect(summary.startsWith('session ended\n<redacted> é')).toBe(true)
    const bytes = Buffer.byteLength(summary)
    expect(bytes).toBeGreaterThan(8188)
    expect(bytes).toBeLessThanOrEqual(8192)
    expect(summary).not.toContain('�')
  })
})
