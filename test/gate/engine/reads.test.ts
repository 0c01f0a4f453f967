import { expect, it } from 'vitest'
import { answer, openPass, openWaitingPass, robustGrid, startGate } from '../../support/engine.ts'
import { temporaryFolder } from '../../support/temporary.ts'

// What only the tables know, asked while a session runs (RUN-304).

const arrow = 'analyst→architect/default'
const shop = 'analyst→architect/shop'

it('passes that ended, the latest first, of all arrows or of one', () => {
  const { engine, gates } = startGate(temporaryFolder())
  gates.passes.close(openPass(gates, arrow), 'complete', null)
  gates.passes.abort(openPass(gates, shop), 'operator-interrupt')
  gates.passes.close(openPass(gates, arrow), 'complete', null)
  openPass(gates, arrow)
  const ids = (limit: number, arrowId?: string) => engine.reads.endedPasses(limit, arrowId).map(({ id }) => id)
  expect(ids(9)).toEqual(['p-3', 'p-2', 'p-1'])
  expect(ids(2)).toEqual(['p-3', 'p-2'])
  expect(ids(9, arrow)).toEqual(['p-3', 'p-1'])
  expect(ids(9, 'nowhere')).toEqual([])
})

it('one pass with what became of its clauses, the verdicts given in it included; null for an id nobody has', () => {
  const { engine, gates } = startGate(temporaryFolder())
  const pass = openWaitingPass(gates, arrow)
  answer(gates, pass, 'C11', 'fail')
  expect(engine.reads.pass('p-1')).toMatchObject({
    pass: { id: 'p-1', state: 'open' },
    clauses: [
      { clauseId: 'C1', status: 'pass' },
      { clauseId: 'C11', status: 'fail' },
      { clauseId: 'C12', status: 'awaiting-attestation' }
    ]
  })
  answer(gates, pass, 'C12', 'insufficient-basis')
  expect(engine.reads.pass('p-1')?.clauses[2]).toMatchObject({ status: 'insufficient-basis' })
  expect(engine.reads.pass('p-9')).toBeNull()
})

it('the newest evaluation of a clause of an arrow, or null', () => {
  const { engine, gates } = startGate(temporaryFolder())
  gates.passes.close(openWaitingPass(gates, arrow, []), 'complete', null)
  openWaitingPass(gates, arrow, [])
  expect(engine.reads.lastRun(arrow, 'C1')).toMatchObject({ passId: 'p-2', clauseId: 'C1', endStatus: 'pass' })
  expect(engine.reads.lastRun(shop, 'C1')).toBeNull()
  expect(engine.reads.lastRun(arrow, 'C9')).toBeNull()
})

it('what a finding went through, in order', () => {
  const { engine, gates } = startGate(temporaryFolder())
  gates.findings.raise([
    {
      id: 'f',
      arrowId: arrow,
      type: 'local-bug',
      severity: 'low',
      description: 'x',
      raisedByRole: 'operator',
      gridVersion: 1
    }
  ])
  gates.findings.transition({ id: 'f', to: 'resolved', role: 'operator', opId: 'alice', reason: 'gone' })
  gates.findings.transition({ id: 'f', to: 'open', role: 'adversary', reason: 'back' })
  expect(engine.reads.transitions('f')).toMatchObject([
    { findingId: 'f', from: 'open', to: 'resolved', role: 'operator', opId: 'alice', reason: 'gone', storeVersion: 2 },
    { findingId: 'f', from: 'resolved', to: 'open', role: 'adversary', opId: '', reason: 'back', storeVersion: 3 }
  ])
  expect(engine.reads.transitions('g')).toEqual([])
})

it('after a restart the effective pass has the statuses its verdicts gave it, fails as well as passes (GATE-52, PERS-524)', () => {
  const folder = temporaryFolder()
  const first = startGate(folder)
  const pass = openWaitingPass(first.gates, arrow)
  answer(first.gates, pass, 'C11', 'fail')
  answer(first.gates, pass, 'C12', 'insufficient-basis')
  first.gates.passes.close(pass, 'blocked', null)
  first.engine.close()
  const { gates, engine } = startGate(folder, { grid: robustGrid() })
  expect(gates.history.effective(arrow)?.clauses.map(({ clauseId, status }) => [clauseId, status])).toEqual([
    ['C1', 'pass'],
    ['C11', 'fail'],
    ['C12', 'insufficient-basis']
  ])
  engine.close()
})
