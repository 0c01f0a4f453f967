import { createLineSurface, type LineSurface } from '../../../src/app/gate/line-surface.ts'
import { createIdentity, type Identity } from '../../../src/app/gate/op-id.ts'
import { createPresenter, type Presenter, type Surface } from '../../../src/app/gate/presenter.ts'
import { createVerdictQueue, dispatch, type VerdictQueue } from '../../../src/gate/runner/index.ts'
import type { Grid } from '../../../src/protocol/grid.ts'
import { arrowOf, attestedOf, gridOf, quiet, type World, worldOf } from '../../support/gates.ts'

// A presenter over real gates, with a surface a test can look at.

const asking = arrowOf('analyst', 'architect', [attestedOf('C1'), attestedOf('C2'), attestedOf('C3')])

export type Asked = {
  readonly world: World
  readonly queue: VerdictQueue
  readonly presenter: Presenter
  readonly identity: Identity
  /** What the surface was told, in order: `show C1 1/3`, `closed C1 recorded`, `refused C1: …`. */
  readonly told: string[]
  readonly printed: string[]
  readonly settling: Promise<unknown>[]
  key(clause: string): string
  run(): Promise<void>
}

export function askingGates(changes: { readonly grid?: Partial<Grid>; readonly opId?: string } = {}): Asked {
  const told: string[] = []
  const nameOf = (key: string) => /-(C\d+)-v/.exec(key)?.[1] ?? key
  const surface: Surface = {
    show: (item, _facts, { at, of }) => told.push(`show ${item.clauseId} ${at}/${of}`),
    closed: (key, how, notice) => told.push(`closed ${nameOf(key)} ${how}${notice === '' ? '' : `: ${notice}`}`),
    refused: (key, text) => told.push(`refused ${nameOf(key)}: ${text}`)
  }
  return { ...asked(changes, () => surface), told }
}

/** The same by typed lines; what is printed is everything a person would read. */
export function askingLines(changes: { readonly opId?: string } = {}): Asked & { readonly lines: LineSurface } {
  let lines: LineSurface | null = null
  const made = asked(changes, (identity, printed, answer) => {
    lines = createLineSurface({
      identity,
      residueMaxBytes: () => 64,
      print: (text) => printed.push(...text),
      answer
    })
    return lines
  })
  return { ...made, told: [], lines: lines as unknown as LineSurface }
}

function asked(
  { grid = {}, opId = 'alice' }: { readonly grid?: Partial<Grid>; readonly opId?: string },
  surfaceFor: (identity: Identity, printed: string[], answer: Presenter['answer']) => Surface
): Omit<Asked, 'told'> {
  const world = worldOf(gridOf([asking], grid))
  const queue = createVerdictQueue(world.gates, () => undefined)
  const identity = createIdentity(() => undefined)
  if (opId !== '') identity.set(opId)
  const printed: string[] = []
  const settling: Promise<unknown>[] = []
  const presenter: Presenter = createPresenter({
    gates: world.gates,
    queue,
    opId: identity.current,
    surface: surfaceFor(identity, printed, (key, reply) => presenter.answer(key, reply)),
    print: (lines) => printed.push(...lines),
    settling: (work) => settling.push(work)
  })
  return {
    world,
    queue,
    presenter,
    identity,
    printed,
    settling,
    key: (clause) => queue.items().find(({ clauseId }) => clauseId === clause)?.key ?? 'none',
    async run() {
      await dispatch(world.gates, { arrowId: asking.id, opId: 'alice', signal: quiet() })
    }
  }
}
