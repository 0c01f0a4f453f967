import { describe, expect, it } from 'vitest'
import { type CommitCommand, commitAmendment } from '../../../../src/gate/runner/amendment/commit.ts'
import { type DrainPorts, drainAmendments, emptyContent } from '../../../../src/gate/runner/amendment/drain.ts'
import { commitBindings } from '../../../../src/gate/runner/amendment/version.ts'
import { AssertionFailed } from '../../../../src/lib/assert.ts'
import type { Arrow, Binding } from '../../../../src/protocol/grid.ts'
import { playIn, runArrow } from '../../../support/adversary.ts'
import { type CommitScene, committerIn } from '../../../support/committer.ts'
import { arrowOf, attestedOf, clauseOf, gridOf, quiet, type World, worldOf } from '../../../support/gates.ts'

const on = (artifact: string) => ({ artifact, granularity: 'file', onChange: 'invalidate' }) as const
const source = arrowOf('integrator', 'analyst', [clauseOf('C1')], { dependencies: [] })
const upon = arrowOf('analyst', 'architect', [clauseOf('C1')], { dependencies: [on('specs/shop/**')] })
const apart = arrowOf('analyst', 'architect', [clauseOf('C1'), attestedOf('C9')], {
  context: 'pay',
  id: 'analyst→architect/pay',
  dependencies: [on('specs/pay/**')]
})
const silent = arrowOf('architect', 'implementer', [clauseOf('C1')], { context: 'pay', dependencies: null })
const added = arrowOf('analyst', 'architect', [clauseOf('C1')], { context: 'refunds', dependencies: [] })
const binding: Binding = {
  command: 'cargo clippy',
  protocol: 'auto',
  timeoutMs: 300_000,
  env: [],
  extractor: null,
  mapper: null
}

function scene(arrows: readonly Arrow[] = [source, upon, apart, silent]) {
  const world = worldOf(gridOf(arrows))
  const committer = committerIn(world)
  return { world, committer }
}

const request = (id: string) => ({
  id,
  reason: 'missing-cross-context-spec',
  sourceArrow: source.id,
  targetRole: 'analyst',
  contexts: ['shop', 'pay'],
  findingIds: ['f-1'],
  description: 'refunds'
})
const command = (id: string, more: Partial<CommitCommand> = {}): CommitCommand => ({
  id,
  newArrows: [],
  newBindings: {},
  changedArtifacts: [],
  opId: 'alice',
  signal: quiet(),
  ...more
})

/** Runs everything once, so that every arrow has a pass; the one with a verdict to give stays open. */
async function traversed(world: World): Promise<void> {
  world.artifact = {
    digest: 'd',
    dependencies: { 'specs/shop/**': 's1', 'specs/pay/**': 'p1' }
  }
  for (const { id } of [source, upon, apart]) await runArrow(world, id)
}

const drainedEvent = (world: World) => world.events.findLast(({ kind }) => kind === 'amendment-drained')?.payload
const statuses = (world: World) =>
  Object.fromEntries([source, upon, apart, silent].map(({ id }) => [id, world.gates.current(id)?.status]))

describe('the commit (RUN-720)', () => {
  it('adds arrows at one version more, voids what rests on the change, and lets the rest go on', async () => {
    const { world, committer } = scene()
    await traversed(world)
    committer.queue.enqueue(request('a'))
    const outcome = await commitAmendment(
      committer,
      command('a', { newArrows: [added], changedArtifacts: ['specs/shop/model.md'] })
    )
    expect(outcome).toEqual({
      kind: 'committed',
      id: 'a',
      before: 1,
      after: 2,
      arrowsAdded: 1,
      passesAborted: 0,
      invalidated: [source.id, upon.id],
      fallbackOnly: 0
    })
    expect(statuses(world)).toEqual({
      [source.id]: 'invalidated',
      [upon.id]: 'invalidated',
      [apart.id]: 'unevaluated',
      // Never had a pass: nothing to void (RUN-722).
      [silent.id]: 'unevaluated'
    })
    expect(world.gates.passes.all().map(({ record }) => record.arrowId)).toEqual([apart.id])
    const grid = world.gates.grid.current()
    expect(grid).toMatchObject({ version: 2, amendmentId: 'a', createdByOpId: 'alice' })
    expect(grid?.boundedContexts.map(({ id }) => id)).toEqual(['shop', 'pay', 'refunds'])
    expect(committer.written.map(({ version }) => version)).toEqual([2])
    expect(committer.declaredArrows).toEqual([{ ids: [added.id], version: 2, kind: 'append' }])
    expect(committer.retained).toEqual([2])
    expect(committer.queue.get('a')).toMatchObject({ gridVersionAfter: 2 })
    expect(world.gates.grid.registry()).toBe(committer.lastRegistry())
    expect(drainedEvent(world)).toMatchObject({
      amendment_id: 'a',
      outcome: 'complete',
      grid_version_before: '1',
      grid_version_after: '2',
      arrows_added: '1',
      passes_aborted: '0',
      invalidated: `${source.id},${upon.id}`,
      fallback_only: '0'
    })
  })

  it('how many were voided only because they declare nothing is told, and who was voided stands in the record (GATE-90, GATE-91)', async () => {
    const undeclared = { ...apart, clauses: [clauseOf('C1')], dependencies: null }
    const { world, committer } = scene([source, upon, undeclared, silent])
    await traversed(world)
    committer.queue.enqueue(request('a'))
    const lines: string[] = []
    const ports: DrainPorts = {
      propose: async () => ({
        kind: 'proposal',
        content: { newArrows: [], newBindings: {}, changedArtifacts: ['specs/shop/model.md'] },
        rationale: ''
      }),
      decide: async () => 'accept',
      line: (text) => void lines.push(text)
    }
    await drainAmendments(committer, ports, { opId: 'alice', signal: quiet() })
    expect(lines).toEqual([
      '✓ amendment a: arrows-added=0 passes-aborted=0 v=1→2',
      'ℹ 1 arrow(s) invalidated only because they declare no dependencies',
      'drain complete: 1/1 committed'
    ])
    expect(drainedEvent(world)).toMatchObject({
      invalidated: [source.id, upon.id, undeclared.id].join(','),
      fallback_only: '1'
    })
  })

  it('a pass works with the evaluators that were bound when its verification began, whatever is bound meanwhile (RUN-724)', async () => {
    const twice = arrowOf('analyst', 'architect', [clauseOf('C1'), clauseOf('C2')], { dependencies: [] })
    const { world, committer } = scene([source, twice])
    const before = world.gates.grid.registry()
    const seen: number[] = []
    world.results.set('C1', async () => {
      await commitBindings(committer, { 'lint-clean.rust': binding }, 'alice')
      // What is bound now would answer C2 as well, if it were asked.
      Object.assign(world.gates.grid.registry(), {
        lookUp: (key: string) => {
          seen.push(2)
          return before.lookUp(key)
        }
      })
      return { status: 'pass', reason: null, details: {} }
    })
    const result = await runArrow(world, twice.id)
    expect(result).toMatchObject({ arrowStatus: 'complete', clauses: 2 })
    expect(world.gates.grid.registry()).not.toBe(before)
    expect(seen).toEqual([])
  })

  it('an invalidation says which amendment did it, at the version it makes', async () => {
    const { world, committer } = scene()
    await traversed(world)
    committer.queue.enqueue(request('a'))
    await commitAmendment(committer, command('a', { newArrows: [added] }))
    expect(world.gates.invalidations.latest(source.id)).toMatchObject({
      source: 'amendment',
      opId: 'alice',
      gridVersion: 2,
      reason: 'amendment a drained: missing-cross-context-spec'
    })
  })

  it('a definition with another content supersedes, one that says the same changes nothing (RUN-723)', async () => {
    const { world, committer } = scene()
    await traversed(world)
    committer.queue.enqueue(request('a'))
    const changed = { ...apart, clauses: [...apart.clauses, clauseOf('C10')] }
    const outcome = await commitAmendment(committer, command('a', { newArrows: [{ ...upon }, changed] }))
    expect(outcome).toMatchObject({ arrowsAdded: 1, passesAborted: 1, invalidated: [source.id, apart.id] })
    expect(world.gates.grid.arrow(apart.id)?.clauses).toHaveLength(3)
    expect(world.events.filter(({ kind }) => kind === 'pass-closed').at(-1)?.payload?.close_reason).toBe(
      'invalidated: amendment a drained: missing-cross-context-spec'
    )
    const kinds = world.kinds()
    // EVT-505, EVT-507, EVT-508
    expect(kinds.lastIndexOf('arrow-invalidated')).toBeLessThan(kinds.lastIndexOf('pass-closed'))
    expect(kinds.lastIndexOf('attestation-cancelled-by-abort')).toBeLessThan(kinds.lastIndexOf('pass-closed'))
    expect(kinds.lastIndexOf('pass-closed')).toBeLessThan(kinds.indexOf('amendment-drained'))
  })

  it('a requirement that a new definition leaves out is no longer declared, nor what was observed of it (RUN-660, RUN-723)', async () => {
    const { world, committer } = scene()
    const { depths } = world.gates
    const kept = { id: 'R-1', minDepth: 2, description: 'kept' } as const
    const gone = { id: 'R-2', minDepth: 3, description: 'gone' } as const
    const elsewhere = { id: 'R-2', minDepth: 1, description: 'of another arrow' } as const
    for (const requirement of [kept, gone]) depths.declare(upon.id, requirement)
    depths.declare(apart.id, elsewhere)
    for (const requirementId of ['R-1', 'R-2'])
      depths.observe({ arrowId: upon.id, requirementId, observed: 2, evidence: 'seen' })
    const told: unknown[] = []
    depths.watch((change) => told.push(change))
    committer.queue.enqueue(request('a'))
    await commitAmendment(committer, command('a', { newArrows: [{ ...upon, requirements: [kept] }] }))
    expect(depths.requirements(upon.id)).toMatchObject([{ id: 'R-1' }])
    expect(depths.classification(upon.id, 'R-1')).toMatchObject({ observed: 2 })
    expect(depths.classification(upon.id, 'R-2')).toBeNull()
    expect(depths.requirements(apart.id)).toMatchObject([{ id: 'R-2' }])
    expect(told).toEqual([{ kind: 'withdrawn', arrowId: upon.id, requirementId: 'R-2' }])
  })

  it('digests that differ void what they belong to, whatever the proposal says (GATE-89)', async () => {
    const { world, committer } = scene()
    await traversed(world)
    world.artifact = { digest: 'd', dependencies: { 'specs/shop/**': 's2', 'specs/pay/**': 'p1' } }
    committer.queue.enqueue(request('a'))
    const outcome = await commitAmendment(committer, command('a'))
    expect(outcome).toMatchObject({ after: 2, arrowsAdded: 0, invalidated: [source.id, upon.id] })
  })

  it('what cannot be read has changed', async () => {
    const { world, committer } = scene()
    await traversed(world)
    world.artifact = new Error('EACCES')
    committer.queue.enqueue(request('a'))
    expect(await commitAmendment(committer, command('a'))).toMatchObject({ after: 2 })
  })

  it('bindings alone make a version and void nothing; what is open on the source arrow is taken away (GATE-94)', async () => {
    const waiting = { ...source, clauses: [attestedOf('C1')] }
    const { world, committer } = scene([waiting, upon, apart, silent])
    await traversed(world)
    committer.queue.enqueue(request('a'))
    const outcome = await commitAmendment(committer, command('a', { newBindings: { 'lint-clean.rust': binding } }))
    expect(outcome).toMatchObject({ before: 1, after: 2, passesAborted: 1, invalidated: [] })
    expect(world.gates.history.latest(source.id)?.closeReason).toBe('operator-interrupt: amendment a drained')
    expect(world.gates.current(upon.id)?.status).toBe('complete')
    expect(world.gates.grid.current()?.languageBindings).toEqual({ 'lint-clean.rust': binding })
  })

  it('nothing at all is drained without a version (RUN-723)', async () => {
    const { world, committer } = scene()
    await traversed(world)
    committer.queue.enqueue(request('a'))
    expect(await commitAmendment(committer, command('a'))).toMatchObject({ before: 1, after: 1, invalidated: [] })
    expect(committer.written).toEqual([])
    expect(committer.queue.counts()).toEqual({ pending: 0, drained: 1 })
  })

  it('a pass that goes on records against the version it opened with', async () => {
    const { world, committer } = scene()
    await traversed(world)
    committer.queue.enqueue(request('a'))
    await commitAmendment(committer, command('a', { newArrows: [added] }))
    expect(world.gates.passes.all()[0]?.record).toMatchObject({ arrowId: apart.id, gridVersion: 1 })
  })
})

/** What RUN-721 demands after a failure: registry and version as they were, the amendment still at the head. */
function unchanged({ world, committer }: ReturnType<typeof scene>, registry: unknown, version: number) {
  expect(world.gates.grid.registry()).toBe(registry)
  expect(world.gates.grid.current()?.version).toBe(version)
  expect(committer.queue.head()?.id).toBe('b')
}

describe('two amendments in a row, the second failing at each step in turn (RUN-721)', () => {
  const second = {
    newArrows: [arrowOf('analyst', 'architect', [clauseOf('C1')], { context: 'late', dependencies: [] })]
  }

  async function afterTheFirst() {
    const set = scene()
    await traversed(set.world)
    set.committer.queue.enqueue(request('a'))
    set.committer.queue.enqueue(request('b'))
    await commitAmendment(set.committer, command('a', { newArrows: [added] }))
    await runArrow(set.world, source.id)
    return { ...set, registry: set.world.gates.grid.registry() }
  }

  it('step 2: not the head', async () => {
    const set = await afterTheFirst()
    expect(await commitAmendment(set.committer, command('z', second))).toEqual({
      kind: 'refused',
      refusal: {
        code: 'amendment-fifo-violation',
        text: 'amendment-commit: FIFO violation: expected "z" at head, got "b"'
      }
    })
    unchanged(set, set.registry, 2)
    expect(set.world.gates.current(source.id)?.status).toBe('complete')
  })

  it.each([
    ['the same id twice', [second.newArrows[0], second.newArrows[0]], 'arrow-already-declared'],
    ['no clause', [{ ...added, clauses: [] }], 'amendment-definition-invalid'],
    ['an id that is not its own', [{ ...added, id: 'analyst→architect/other' }], 'amendment-definition-invalid'],
    ['laxer than the project', [{ ...added, severityThreshold: 'critical' }], 'amendment-definition-invalid']
  ])('step 3, a definition with %s: nothing has changed', async (_, newArrows, code) => {
    const set = await afterTheFirst()
    const outcome = await commitAmendment(set.committer, command('b', { newArrows: newArrows as Arrow[] }))
    expect(outcome).toMatchObject({ kind: 'refused', refusal: { code } })
    unchanged(set, set.registry, 2)
    expect(set.world.gates.current(source.id)?.status).toBe('complete')
  })

  it('step 3, the registry', async () => {
    const set = await afterTheFirst()
    set.committer.failRegistry = new Error('no protocol')
    expect(await commitAmendment(set.committer, command('b', second))).toEqual({
      kind: 'failed',
      outcome: 'binding-re-register-error',
      reason: 'no protocol'
    })
    unchanged(set, set.registry, 2)
    expect(set.world.gates.current(source.id)?.status).toBe('complete')
    expect(drainedEvent(set.world)).toMatchObject({
      outcome: 'binding-re-register-error',
      grid_version_before: '2',
      grid_version_after: '2'
    })
  })

  it('step 5, appending: arrows stay invalidated, everything else is as it was', async () => {
    const set = await afterTheFirst()
    // The check of the definition, of the staged grid clause by clause, then the one of step 5.
    const clauses =
      1 +
      set.world.gates.grid
        .current()!
        .arrows.flatMap(({ clauses: all }) => all)
        .filter(({ concept }) => concept !== null).length +
      1
    set.committer.vocabularyAnswers.push(...Array<null>(clauses).fill(null), 'the concept is gone')
    const outcome = await commitAmendment(set.committer, command('b', second))
    expect(outcome).toMatchObject({ kind: 'failed', outcome: 'partial-append-error' })
    unchanged(set, set.registry, 2)
    expect(set.world.gates.current(source.id)?.status).toBe('invalidated')
    expect(set.committer.written.map(({ version }) => version)).toEqual([2])
  })

  it('step 6, the disk: the same, and a repeated drain carries it through', async () => {
    const set = await afterTheFirst()
    set.committer.failWrite = new Error('ENOSPC')
    expect(await commitAmendment(set.committer, command('b', second))).toEqual({
      kind: 'failed',
      outcome: 'persist-error',
      reason: 'ENOSPC'
    })
    unchanged(set, set.registry, 2)
    expect(set.world.gates.current(source.id)?.status).toBe('invalidated')
    expect(drainedEvent(set.world)).toMatchObject({
      outcome: 'persist-error',
      grid_version_after: '2',
      reason: 'ENOSPC'
    })
    set.committer.failWrite = null
    expect(await commitAmendment(set.committer, command('b', second))).toMatchObject({ kind: 'committed', after: 3 })
    expect(set.committer.queue.counts()).toEqual({ pending: 0, drained: 2 })
  })

  it('after step 6 nothing turns back: a table that cannot be written is told and mended at the next start', async () => {
    const set = await afterTheFirst()
    set.committer.failDeclared = new Error('SQLITE_FULL')
    expect(await commitAmendment(set.committer, command('b', second))).toMatchObject({ kind: 'committed', after: 3 })
    expect(set.world.warnings.some((line) => line.includes('SQLITE_FULL'))).toBe(true)
  })

  it('between 6 and 7 the process died: the file bears the amendment, which is only marked (RUN-725)', async () => {
    const world = worldOf(gridOf([source, upon, added], { version: 2, amendmentId: 'a' }))
    const committer = committerIn(world)
    committer.queue.enqueue(request('a'))
    expect(await commitAmendment(committer, command('a', { newArrows: [added] }))).toMatchObject({
      kind: 'committed',
      before: 1,
      after: 2
    })
    expect(committer.written).toEqual([])
    expect(committer.queue.counts()).toEqual({ pending: 0, drained: 1 })
  })

  it('a binding declared in between leaves it recognisable', async () => {
    const world = worldOf(gridOf([source, upon, added], { version: 2, amendmentId: 'a' }))
    const committer = committerIn(world)
    committer.queue.enqueue(request('a'))
    await commitBindings(committer, { 'lint-clean.rust': binding }, 'alice')
    expect(world.gates.grid.current()).toMatchObject({ version: 3, amendmentId: 'a' })
  })

  it('a changed gate file, an interrupt and a bad op-id stop it before anything', async () => {
    const set = await afterTheFirst()
    const stop = new AbortController()
    stop.abort('interrupt')
    expect(await commitAmendment(set.committer, command('b', { ...second, signal: stop.signal }))).toMatchObject({
      refusal: { code: 'operator-interrupt' }
    })
    expect(await commitAmendment(set.committer, command('b', { ...second, opId: 'a b' }))).toMatchObject({
      refusal: { code: 'op-id-invalid-characters' }
    })
    set.world.changedFile = { path: '.ghyll/grid.current', reason: 'differs' }
    expect(await commitAmendment(set.committer, command('b', second))).toMatchObject({
      refusal: { code: 'gate-file-changed' }
    })
    unchanged(set, set.registry, 2)
    expect(set.world.gates.current(source.id)?.status).toBe('complete')
  })
})

it('two commits at once go one after the other, and the second sees what the first left', async () => {
  const { world, committer } = scene()
  committer.queue.enqueue(request('a'))
  committer.queue.enqueue(request('b'))
  const outcomes = await Promise.all([
    commitAmendment(committer, command('a', { newArrows: [added] })),
    commitAmendment(committer, command('b', { newBindings: { 'lint-clean.rust': binding } })),
    commitBindings(committer, { 'compiles.rust': binding }, 'alice')
  ])
  expect(outcomes.map(({ kind }) => kind)).toEqual(['committed', 'committed', 'written'])
  expect(world.gates.grid.current()).toMatchObject({ version: 4 })
})

describe('bindings declared for a pass (INIT-131)', () => {
  it('make a version that changes no arrow and voids nothing', async () => {
    const { world, committer } = scene()
    await traversed(world)
    world.artifact = { digest: 'd', dependencies: { 'specs/shop/**': 'other', 'specs/pay/**': 'p1' } }
    const before = statuses(world)
    expect(await commitBindings(committer, { 'lint-clean.rust': binding }, 'alice')).toMatchObject({ kind: 'written' })
    expect(statuses(world)).toEqual(before)
    expect(world.gates.grid.current()).toMatchObject({ version: 2, amendmentId: null })
    expect(world.kinds()).not.toContain('amendment-drained')
  })

  it('the same again makes none', async () => {
    const { world, committer } = scene()
    await commitBindings(committer, { 'lint-clean.rust': binding }, 'alice')
    await commitBindings(committer, { 'lint-clean.rust': { ...binding } }, 'alice')
    expect(world.gates.grid.current()?.version).toBe(2)
  })

  it.each([
    ['failWrite', 'persist-error'],
    ['failRegistry', 'binding-re-register-error']
  ] as const)('%s leaves the version as it was: %s', async (what, outcome) => {
    const { world, committer } = scene()
    committer[what] = new Error('no')
    expect(await commitBindings(committer, { 'lint-clean.rust': binding }, 'alice')).toMatchObject({ outcome })
    expect(world.gates.grid.current()?.version).toBe(1)
  })
})

describe('/drain-amendments (RUN-726, OPUI-362)', () => {
  const drain = async (committer: CommitScene, more: Partial<DrainPorts>, opId = 'alice') => {
    const lines: string[] = []
    const ports: DrainPorts = { propose: null, decide: async () => 'accept', line: (text) => lines.push(text), ...more }
    await drainAmendments(committer, ports, { opId, signal: quiet() })
    return lines
  }
  const proposal = { kind: 'proposal', content: { ...emptyContent, newArrows: [added] }, rationale: 'because' } as const

  it('refuses without an op-id and has nothing to do on an empty queue', async () => {
    const { committer } = scene()
    expect(await drain(committer, {}, '')).toEqual([
      '✗ /drain-amendments refuses: no op-id set; use /op-id <identity> first'
    ])
    expect(await drain(committer, {})).toEqual(['ℹ no pending amendments; queue is empty'])
  })

  it('shows each proposal before it commits it, with what it will void and abort', async () => {
    const { world, committer } = scene()
    await traversed(world)
    committer.queue.enqueue(request('a'))
    const shown: unknown[] = []
    const lines = await drain(committer, {
      propose: async () => proposal,
      decide: async ({ invalidates, aborts, gridVersionAfter, rationale, after }) => {
        shown.push({ invalidates, aborts, gridVersionAfter, rationale, arrows: after?.arrows.length })
        return 'accept'
      }
    })
    expect(shown).toEqual([
      { invalidates: [source.id], aborts: [], gridVersionAfter: 2, rationale: 'because', arrows: 5 }
    ])
    expect(lines).toEqual(['✓ amendment a: arrows-added=1 passes-aborted=0 v=1→2', 'drain complete: 1/1 committed'])
  })

  it('commit empty leaves the proposal out, stop leaves everything', async () => {
    const { world, committer } = scene()
    committer.queue.enqueue(request('a'))
    expect(await drain(committer, { propose: async () => proposal, decide: async () => 'stop' })).toEqual([
      'drain complete: 0/1 committed'
    ])
    expect(committer.queue.counts().pending).toBe(1)
    await drain(committer, { propose: async () => proposal, decide: async () => 'commit-empty' })
    expect(world.gates.grid.arrow(added.id)).toBeNull()
    expect(committer.queue.counts().pending).toBe(0)
  })

  it('an analyst that breaks or says nothing usable leaves the decision to the operator', async () => {
    const { committer } = scene()
    committer.queue.enqueue(request('a'))
    const seen: string[] = []
    const decide: DrainPorts['decide'] = async ({ rationale }) => {
      seen.push(rationale)
      return 'stop'
    }
    await drain(committer, { propose: async () => ({ kind: 'failed', text: 'malformed reply' }), decide })
    await drain(committer, { propose: async () => Promise.reject(new Error('boom')), decide })
    expect(seen).toEqual(['the analyst brought no proposal: malformed reply', 'the analyst brought no proposal: boom'])
  })

  it('a bug of the program is no failed commit and no missing proposal: it stops the drain', async () => {
    const bug = new AssertionFailed('cannot be')
    for (const broken of ['failRegistry', 'failWrite'] as const) {
      const { committer } = scene()
      committer.queue.enqueue(request('a'))
      committer[broken] = bug
      await expect(drain(committer, { propose: async () => proposal })).rejects.toBe(bug)
      expect(committer.queue.counts().pending).toBe(1)
    }
    const { committer } = scene()
    committer.queue.enqueue(request('a'))
    await expect(drain(committer, { propose: async () => Promise.reject(bug) })).rejects.toBe(bug)
  })

  it('the first that fails stops the run; later ones stay', async () => {
    const { committer } = scene()
    committer.queue.enqueue(request('a'))
    committer.queue.enqueue(request('b'))
    committer.failWrite = new Error('ENOSPC')
    expect(await drain(committer, { propose: async () => proposal })).toEqual([
      '✗ amendment a: persist-error: ENOSPC',
      'drain complete: 0/2 committed'
    ])
    expect(committer.queue.pending().map(({ id }) => id)).toEqual(['a', 'b'])
  })

  it('nobody is asked about what the grid file bears already (RUN-725)', async () => {
    const world = worldOf(gridOf([source, added], { version: 2, amendmentId: 'a' }))
    const committer = committerIn(world)
    committer.queue.enqueue(request('a'))
    const propose = async () => Promise.reject(new Error('asked'))
    expect(await drain(committer, { propose, decide: async () => 'stop' })).toContain('drain complete: 1/1 committed')
  })
})

it('an amendment takes away a pass in the middle of its cycle, and the cycle ends with it (RUN-650)', async () => {
  const sensitive = { ...upon, clauses: [attestedOf('C7', { depth: 'depth-sensitive', minTier: 2 })] }
  const { world, committer } = scene([source, sensitive])
  committer.queue.enqueue(request('a'))
  let outcome: unknown = null
  const play = playIn(world, {
    factory: () => ({
      falsify: async () => {
        outcome = await commitAmendment(committer, command('a', { changedArtifacts: ['specs/shop/x.md'] }))
        return { kind: 'text', text: '{"clause_id": "C7", "falsified": true, "basis": "b"}' }
      }
    })
  })
  const result = await runArrow(world, sensitive.id)
  expect(outcome).toMatchObject({ kind: 'committed', passesAborted: 1 })
  expect(result.closeReason).toBe('invalidated: amendment a drained: missing-cross-context-spec')
  expect(world.gates.findings.all()).toEqual([])
  expect(play.records[0]?.outcome).toBe('context-cancelled')
})
