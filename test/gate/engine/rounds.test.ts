import { expect, it } from 'vitest'
import { openPass, runMachineClause, startGate, tickingClock } from '../../support/engine.ts'
import { arrowOf, gridOf, machineClause } from '../../support/grid.ts'
import { temporaryFolder } from '../../support/temporary.ts'

it('what a round of the cycle found out about a clause is a row of its own and decides nothing after a restart (RUN-630)', () => {
  const folder = temporaryFolder()
  const grid = gridOf({ arrows: [arrowOf({ clauses: [machineClause()] })] })
  const id = 'analyst→architect/default'
  const first = startGate(folder, { grid, clock: tickingClock() })
  const pass = openPass(first.gates, id)
  first.gates.journal().appendRun({
    id: 'ev-round',
    clauseId: 'C1/adv/round1',
    passId: pass.record.id,
    arrowId: id,
    gridVersion: 1,
    attestationRef: '',
    actualTier: 1,
    minTier: 0,
    concept: 'no-todo-marker',
    generation: 1,
    startedAt: first.gates.stamps.now(),
    completedAt: first.gates.stamps.now(),
    startStatus: 'pending',
    endStatus: 'fail',
    result: null,
    runError: '',
    unevaluatedReason: null
  })
  runMachineClause(first.gates, pass)
  first.gates.passes.close(pass, 'complete', {})
  first.engine.close()

  const second = startGate(folder, { grid, clock: tickingClock(Date.UTC(2026, 8, 1)) })
  expect(second.gates.current(id)?.status).toBe('complete')
  second.engine.close()
})
