import { expect, it } from 'vitest'
import { abortPass } from '../../../../src/gate/runner/acts.ts'
import { ledgerEntries } from '../../../../src/gate/runner/amendment/ledger.ts'
import { createAmendmentSlot } from '../../../../src/gate/runner/amendment/slot.ts'
import { runArrow } from '../../../support/adversary.ts'
import { queueOf } from '../../../support/committer.ts'
import { arrowOf, clauseOf, gridOf, worldOf } from '../../../support/gates.ts'

const ledger = `# Findings

- FND-1 the cart forgets an item
  type: local-bug
  status: amendment
  severity: high
- **FND-2**: refunds are nobody's
  - type: missing-cross-context-spec
  - status: amendment
* FND-3 seen and done
  type: local-bug
  status: resolved
1. FND-4 of an unknown type
   type: wish
   status: open
- FND-5 without a type
  status: open
- FND-6 gravity unknown
  type: local-bug
  severity: terrible
\`\`\`
- FND-7 an example
  type: local-bug
\`\`\`
- FND-1 the same id again
  type: local-bug
`
const arrow = arrowOf('integrator', 'analyst', [clauseOf('C1')])

function scene(text: string | null | Error) {
  const world = worldOf(gridOf([arrow]))
  const queue = queueOf(world)
  const readings: string[] = []
  world.amendments = createAmendmentSlot({
    gates: () => world.gates,
    queue: () => queue,
    readLedger: async (context) => {
      readings.push(context)
      if (text instanceof Error) throw text
      return text
    }
  })
  return { world, queue, readings }
}

it('an entry is a list item with its id first and its fields below; fenced code holds none (ROLE-11)', () => {
  const entries = ledgerEntries(ledger)
  expect(entries.map(({ id }) => id)).toEqual(['FND-1', 'FND-2', 'FND-3', 'FND-4', 'FND-5', 'FND-6', 'FND-1'])
  expect(entries[1]).toEqual({
    id: 'FND-2',
    text: "refunds are nobody's",
    fields: { type: 'missing-cross-context-spec', status: 'amendment' }
  })
})

it('what an integrator wrote down is raised before its pass is verified, and asks for amendments after it (RUN-711)', async () => {
  const { world, queue, readings } = scene(ledger)
  const result = await runArrow(world, arrow.id)
  expect(readings).toEqual(['shop'])
  expect(
    world.gates.findings
      .ofArrow(arrow.id)
      .map(({ id, type, severity, status, raisedByRole }) => [id, type, severity, status, raisedByRole])
  ).toEqual([
    ['led-shop-FND-1', 'local-bug', 'high', 'open', 'integrator'],
    ['led-shop-FND-2', 'missing-cross-context-spec', 'medium', 'open', 'integrator'],
    ['led-shop-FND-6', 'local-bug', 'medium', 'unevaluated', 'integrator']
  ])
  expect(result.closeReason).toBe('derived-blocked')
  expect(queue.pending().map(({ id }) => id)).toEqual(['amend-led-shop-FND-2'])
  // EVT-506
  expect(world.kinds().indexOf('pass-closed')).toBeLessThan(world.kinds().indexOf('amendment-enqueued'))
})

it('a finding that is known is never changed from the file', async () => {
  const { world } = scene(ledger)
  await runArrow(world, arrow.id)
  for (const id of ['led-shop-FND-1', 'led-shop-FND-2'])
    world.gates.findings.transition({ id, to: 'resolved', role: 'operator', reason: 'done' })
  const before = world.gates.findings.version()
  await runArrow(world, arrow.id)
  expect(world.gates.findings.version()).toBe(before)
})

it('without a ledger nothing is raised; one that cannot be read ends the pass', async () => {
  const none = scene(null)
  expect((await runArrow(none.world, arrow.id)).closeReason).toBe('ok')
  const broken = scene(new Error('EACCES'))
  expect((await runArrow(broken.world, arrow.id)).closeReason).toContain('EACCES')
})

it('a pass that is gone by the time its ledger is read leaves no finding (RUN-112)', async () => {
  const { world, queue } = scene(ledger)
  world.amendments = createAmendmentSlot({
    gates: () => world.gates,
    queue: () => queue,
    readLedger: async () => {
      abortPass(world.gates, 'p-1')
      return ledger
    }
  })
  expect(await runArrow(world, arrow.id)).toMatchObject({ closeReason: 'operator-interrupt' })
  expect(world.gates.findings.all()).toEqual([])
})

it('words are read whatever their case, and an entry without text is named by its id (RUN-711)', async () => {
  const { world } = scene(
    '- FND-1\n  type: LOCAL-BUG\n  severity: High\n- FND-2 done\n  type: local-bug\n  status: Resolved\n'
  )
  await runArrow(world, arrow.id)
  expect(world.gates.findings.all()).toMatchObject([
    { id: 'led-shop-FND-1', type: 'local-bug', severity: 'high', description: 'FND-1' }
  ])
})
