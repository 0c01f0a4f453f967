import { describe, expect, it } from 'vitest'
import { type AmendmentContent, commitAmendment } from '../../../../src/gate/runner/amendment/commit.ts'
import { emptyContent } from '../../../../src/gate/runner/amendment/drain.ts'
import { previewAmendment } from '../../../../src/gate/runner/amendment/preview.ts'
import type { Binding } from '../../../../src/protocol/grid.ts'
import { runArrow } from '../../../support/adversary.ts'
import { committerIn } from '../../../support/committer.ts'
import { arrowOf, attestedOf, clauseOf, gridOf, quiet, worldOf } from '../../../support/gates.ts'

const on = (artifact: string) => ({ artifact, granularity: 'file', onChange: 'invalidate' }) as const
const source = arrowOf('integrator', 'analyst', [attestedOf('C1')], { dependencies: [] })
const upon = arrowOf('analyst', 'architect', [clauseOf('C1')], { dependencies: [on('specs/shop/**')] })
const untouched = arrowOf('architect', 'implementer', [clauseOf('C1')], { dependencies: [on('specs/shop/**')] })
const added = arrowOf('analyst', 'architect', [clauseOf('C1')], { context: 'refunds', dependencies: [] })
const binding: Binding = { command: 'x', protocol: 'auto', timeoutMs: 1, env: [], extractor: null, mapper: null }

/** The source arrow waits for its first verdict, one that rests on the specs is decided, the third never ran. */
async function scene() {
  const world = worldOf(gridOf([source, upon, untouched]))
  const committer = committerIn(world)
  await runArrow(world, upon.id)
  await runArrow(world, source.id)
  const outcome = committer.queue.enqueue({
    id: 'amend-f',
    reason: 'missing-cross-context-spec',
    sourceArrow: source.id,
    targetRole: 'analyst',
    contexts: ['shop'],
    findingIds: ['f'],
    description: 'refunds'
  })
  if ('refused' in outcome) throw new Error(outcome.refused.text)
  const before = JSON.stringify([world.events, committer.written, world.gates.grid.current()])
  const preview = (content: AmendmentContent) =>
    previewAmendment(committer, outcome.queued, content, 'because', quiet())
  return {
    world,
    committer,
    preview,
    isAsBefore: () => JSON.stringify([world.events, committer.written, world.gates.grid.current()]) === before
  }
}

describe('what a commit would do, before anybody decides on it (OPUI-560)', () => {
  it('names what it voids and aborts, as the commit then does, and does none of it', async () => {
    const { world, committer, preview, isAsBefore } = await scene()
    const content = { newArrows: [added], newBindings: {}, changedArtifacts: ['specs/shop/a.md'] }
    const seen = await preview(content)
    expect(seen).toMatchObject({
      rationale: 'because',
      invalidates: [source.id, upon.id],
      aborts: ['p-2'],
      gridVersionAfter: 2,
      problem: null
    })
    expect(seen.after?.arrows.map(({ id }) => id)).toEqual([source.id, upon.id, untouched.id, added.id])
    expect(isAsBefore()).toBe(true)
    const done = await commitAmendment(committer, { id: 'amend-f', ...content, opId: 'alice', signal: quiet() })
    expect(done).toMatchObject({ kind: 'committed' })
    const invalidated = world.events.filter(({ kind }) => kind === 'arrow-invalidated').map(({ arrow_id }) => arrow_id)
    expect(invalidated).toEqual(seen.invalidates)
    expect(world.gates.grid.current()?.arrows).toEqual(seen.after?.arrows)
  })

  it('a new binding makes a version and voids nothing; the source arrow’s open pass ends all the same (GATE-94)', async () => {
    const { preview, isAsBefore } = await scene()
    const seen = await preview({ ...emptyContent, newBindings: { 'lint-clean.rust': binding } })
    expect(seen).toMatchObject({ invalidates: [], aborts: ['p-2'], gridVersionAfter: 2, problem: null })
    expect(seen.after?.languageBindings).toHaveProperty(['lint-clean.rust'])
    expect(isAsBefore()).toBe(true)
  })

  it('nothing at all makes no version (RUN-723)', async () => {
    const { world, preview } = await scene()
    const seen = await preview(emptyContent)
    expect(seen).toMatchObject({ invalidates: [], aborts: ['p-2'], gridVersionAfter: 1 })
    expect(seen.after).toEqual(world.gates.grid.current())
  })

  it('shows what is wrong with a proposal instead of what it would do', async () => {
    const { preview } = await scene()
    const seen = await preview({ ...emptyContent, newArrows: [added, added] })
    expect(seen).toMatchObject({
      after: null,
      invalidates: [],
      aborts: [],
      gridVersionAfter: 1,
      problem: { code: 'arrow-already-declared' }
    })
  })

  it('without a grid there is nothing to change', async () => {
    const world = worldOf(null)
    const committer = committerIn(world)
    const amendment = { id: 'a', sourceArrow: source.id } as never
    expect(await previewAmendment(committer, amendment, emptyContent, '', quiet())).toMatchObject({
      before: null,
      after: null,
      gridVersionAfter: 0,
      problem: null
    })
  })
})
