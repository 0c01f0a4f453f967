import { describe, expect, it } from 'vitest'
import { createClauseBoard, mayMove, readStored, storedStatus } from '../../../src/gate/runner/clause.ts'
import { type ClauseStatus, clauseStatuses } from '../../../src/protocol/gate.ts'

// Written out a second time, pair by pair, so that a slip in the table cannot hide behind itself.
const legal = new Set([
  'pending>running',
  'pending>awaiting-attestation',
  'pending>unevaluated',
  'running>pass',
  'running>fail',
  'running>unevaluated',
  'awaiting-attestation>pass',
  'awaiting-attestation>fail',
  'awaiting-attestation>insufficient-basis',
  'insufficient-basis>awaiting-attestation',
  'insufficient-basis>pass',
  'insufficient-basis>fail'
])

const pairs = clauseStatuses.flatMap((from) => clauseStatuses.map((to) => [from, to] as const))
const becauseOf = (to: ClauseStatus) => (to === 'unevaluated' ? ({ reason: 'evaluator-error' } as const) : {})

function boardAt(status: string) {
  return createClauseBoard([{ clauseId: 'C1', status, reason: null, note: '' }])
}

describe('every pair of clause statuses', () => {
  it.each(pairs)(
    '%s to %s moves exactly when the machine has the edge, and else changes nothing (GATE-36)',
    (from, to) => {
      const board = boardAt(from)
      const before = board.get('C1')
      const refused = board.move('C1', to, becauseOf(to))
      if (legal.has(`${from}>${to}`)) {
        expect(refused).toBeNull()
        expect(board.get('C1')?.status).toBe(to)
      } else {
        expect(refused).toEqual({
          code: 'illegal-transition',
          text: `illegal-transition: ${from} -> ${to} not in clause state machine`
        })
        expect(board.get('C1')).toEqual(before)
      }
    }
  )

  it('leaves nothing out of a status that is no word of the set (GATE-3)', () => {
    for (const to of clauseStatuses) expect(mayMove('toString', to)).toBe(false)
  })
})

describe('the clauses of a pass', () => {
  it('refuse a clause the pass does not own (GATE-37)', () => {
    expect(boardAt('pending').move('C2', 'running')?.code).toBe('unknown-clause-id')
  })

  it('carry a reason with `unevaluated` and with nothing else (RUN-104)', () => {
    const board = boardAt('pending')
    expect(board.move('C1', 'unevaluated')?.code).toBe('unevaluated-reason-invalid')
    expect(board.move('C1', 'running', { reason: 'evaluator-error' })?.code).toBe('unevaluated-reason-invalid')
    expect(board.get('C1')?.status).toBe('pending')
  })

  it('hand out copies (RUN-115)', () => {
    const board = boardAt('pending')
    Object.assign(board.get('C1') ?? {}, { status: 'pass' })
    Object.assign(board.all()[0] ?? {}, { status: 'pass' })
    expect(board.get('C1')?.status).toBe('pending')
  })

  it('start as pending and are added once', () => {
    const board = createClauseBoard()
    board.add('C1')
    board.move('C1', 'running')
    board.add('C1')
    expect(board.all()).toEqual([{ clauseId: 'C1', status: 'running', reason: null, note: '' }])
  })
})

describe('a stored status', () => {
  it('reads as what its flags say while the row says running, and only then (GATE-40, RUN-261)', () => {
    expect(readStored('running', { awaiting: true })).toBe('awaiting-attestation')
    expect(readStored('running', { awaiting: true, insufficient: true })).toBe('insufficient-basis')
    expect(readStored('running')).toBe('running')
    expect(readStored('pass', { awaiting: true, insufficient: true })).toBe('pass')
  })

  it('is `running` for a clause that waits for the operator (RUN-102)', () => {
    expect(clauseStatuses.map(storedStatus)).toEqual([
      'pending',
      'running',
      'pass',
      'fail',
      'running',
      'running',
      'unevaluated'
    ])
  })
})
