import type { GatePrompt } from '../protocol/gate-prompt.ts'
import { answer } from './gate-steps.ts'
import { fileText, gateRows, prove } from './proof.ts'
import { shopFlaw } from './sample-files.ts'
import { submit, type TourContext, type TourStep } from './step.ts'

// The stations where models work for the gate: an attack that finds something, the work mended and attacked again; an arrow declared on
// the spot; and a grid that changes because of what was found.

const attacked = 'architect→implementer/default'
const handedBack = 'integrator→analyst/warehouse'

const convergesInRoundTwo: TourStep = {
  title: 'an adversary attacks, the producer mends, and a fresh adversary attacks again',
  async play(context) {
    const { place, watch, requests } = context
    const mark = watch.mark()
    submit(context, `/run-arrow ${attacked}`)
    await watch.next(mark, 'prompt-opened')
    const [pass] = gateRows(
      place,
      'SELECT remediation_outcome AS outcome, remediation_rounds_used AS rounds FROM passes WHERE arrow_id = ?',
      attacked
    )
    prove(pass?.outcome === 'converged' && pass.rounds === 2, `the pass says ${pass?.outcome} after ${pass?.rounds}`)
    const found = gateRows(place, 'SELECT status FROM findings WHERE arrow_id = ?', attacked).map((row) => row.status)
    prove(found.join() === 'resolved', `findings in the store: ${found.join() || 'none'}`)
    prove((await fileText(place, shopFlaw.path)).includes(shopFlaw.missing), `${shopFlaw.path} is as it was`)
    const attacks = requests.filter(({ scene }) => scene === 'gate-sweep')
    const isFresh = !JSON.stringify(attacks[1]?.body).includes(shopFlaw.title)
    prove(attacks.length === 2 && isFresh, `${attacks.length} attacks, and the second knew of the first`)
    await answer(context, 'pass', '')
    await answer(context, 'pass', '')
    await watch.next(0, 'arrow-settled', ({ text }) => text === `${attacked} valid`)
    return 'one finding raised, mended in its file and gone in round 2; the arrow is valid'
  }
}

const declaresOnTheSpot: TourStep = {
  title: 'a hand-off nobody declared is declared by the operator, in the next version of the grid',
  async play(context) {
    const { place, session, watch } = context
    const mark = watch.mark()
    submit(context, `/run-arrow ${handedBack} --define`)
    const prompt = await asked(context, mark, 'declaration')
    const skipped = prompt.clauses
      .filter(({ id, isSkippable }) => isSkippable && id !== 'C8')
      .map(({ id }) => ({ clause: id, residue: 'the warehouse is not built yet' }))
    session.dispatch({ kind: 'declare-arrow', item: prompt.item, role: 'operator', skipped })
    await watch.next(mark, 'command-output', ({ lines }) =>
      lines.some((line) => line.includes(`${handedBack} dispatched`))
    )
    prove((await fileText(place, '.ghyll/grid.current')) === 'v2\n', 'the pointer does not name version 2')
    prove((await fileText(place, '.ghyll/grid.v2.yaml')).includes(handedBack), 'the arrow is not in the grid file')
    const [record] = gateRows(place, "SELECT count(*) AS n FROM attestations WHERE kind = 'on-the-spot'")
    prove(record?.n === 1, `${record?.n} declarations on record`)
    const waiting = gateRows(place, 'SELECT id FROM amendments WHERE drained_at IS NULL')
    prove(waiting.length === 1, `${waiting.length} amendments wait`)
    return 'grid v2 has the arrow, the declaration is attested, and what its pass found waits as an amendment'
  }
}

const drainsAmendment: TourStep = {
  title: '/drain-amendments: an analyst proposes, the operator accepts, and what rests on it is void',
  async play(context) {
    const { place, session, watch } = context
    const mark = watch.mark()
    submit(context, '/drain-amendments')
    const prompt = await asked(context, mark, 'amendment')
    session.dispatch({ kind: 'settle-amendment', item: prompt.item, how: 'accept' })
    const { lines } = await watch.next(mark, 'command-output', ({ command }) => command === 'drain-amendments')
    prove(lines.at(-1) === 'drain complete: 1/1 committed', `it answered: ${lines.join(' ')}`)
    prove((await fileText(place, '.ghyll/grid.v3.yaml')).includes(prompt.amendment), 'grid v3 does not bear its id')
    const [voided] = gateRows(place, "SELECT count(*) AS n FROM arrow_invalidations WHERE source = 'amendment'")
    prove(Number(voided?.n) > 0, 'no arrow was invalidated')
    return `grid v3 bears the amendment, and ${voided?.n} arrows have to be run again`
  }
}

/** They follow one another: each finds the project as the one before left it (CLI-035). */
export const cycleSteps: readonly TourStep[] = [convergesInRoundTwo, declaresOnTheSpot, drainsAmendment]

/** The question of this kind that opens next. */
async function asked<Kind extends GatePrompt['kind']>(
  { watch }: TourContext,
  mark: number,
  kind: Kind
): Promise<Extract<GatePrompt, { kind: Kind }>> {
  const { prompt } = await watch.next(mark, 'prompt-opened', (event) => event.prompt.kind === kind)
  return prompt as Extract<GatePrompt, { kind: Kind }>
}
