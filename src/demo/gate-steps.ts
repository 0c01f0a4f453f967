import type { VerdictPrompt } from '../protocol/gate-prompt.ts'
import { fileText, gateRows, prove } from './proof.ts'
import { submit, type TourContext, type TourStep } from './step.ts'

// The stations at the gate: the grid, an arrow that is run, the verdicts it asks for, and what is kept of them.

const arrow = 'analyst→architect/default'
const opId = 'visitor@example.com'

const listsArrows: TourStep = {
  title: '/list-arrows shows what has to hold before work moves on',
  async play(context) {
    const lines = await typed(context, '/list-arrows', 'list-arrows')
    prove(lines[0] === 'grid arrows (4, version=1):', `it answered: ${lines[0]}`)
    const grid = await fileText(context.place, '.ghyll/grid.v1.yaml')
    const missing = lines.slice(1).filter((line) => !grid.includes(`id: ${line.trim().split(' ')[0]}`))
    prove(lines.length === 5 && missing.length === 0, `not in the grid file: ${missing.join()}`)
    return 'four arrows, each with its clauses in .ghyll/grid.v1.yaml'
  }
}

const runsArrow: TourStep = {
  title: '/run-arrow: machines decide what they can, the rest is asked of a person',
  async play(context) {
    await typed(context, `/op-id ${opId}`, 'op-id')
    const mark = context.watch.mark()
    submit(context, `/run-arrow ${arrow}`)
    await context.watch.next(mark, 'prompt-opened')
    const runs = gateRows(
      context.place,
      'SELECT end_status FROM evaluation_runs WHERE arrow_id = ? ORDER BY rowid',
      arrow
    ).map((row) => row.end_status)
    const count = (status: string) => runs.filter((each) => each === status).length
    prove(count('pass') === 6 && count('running') === 2, `evaluations in the store: ${runs.join()}`)
    const states = passesOn(context)
    prove(states.join() === 'open', `passes on the arrow: ${states.join()}`)
    return 'the store has six clauses decided by machines and two that wait; the pass is open'
  }
}

const attests: TourStep = {
  title: 'a verdict is on disk before it is called recorded, and what failed holds the arrow',
  async play(context) {
    const first = await answer(context, 'pass', '')
    const second = await answer(context, 'fail', 'specs/default/features/total.feature:3')
    await settled(context, 'blocked')
    for (const ref of [first, second]) await kept(context, ref)
    const [row] = gateRows(context.place, 'SELECT close_reason FROM passes ORDER BY rowid DESC LIMIT 1')
    prove(row?.close_reason === 'derived-blocked', `the pass closed as ${row?.close_reason}`)
    return 'both verdicts are in the tree, the flat file and the table; the pass closed as derived-blocked'
  }
}

const runsAgain: TourStep = {
  title: 'run again, it asks only what is not settled, and is valid when everything holds',
  async play(context) {
    const mark = context.watch.mark()
    submit(context, `/run-arrow ${arrow}`)
    await context.watch.next(mark, 'prompt-opened')
    const ref = await answer(context, 'pass', '')
    await settled(context, 'valid')
    const asked = context.watch.since(mark, 'prompt-opened').length
    prove(asked === 1, `it asked ${asked} questions`)
    await kept(context, ref)
    const states = passesOn(context)
    prove(states.join() === 'closed,closed', `passes on the arrow: ${states.join()}`)
    return 'one question instead of two, and both passes of the arrow are closed in the store'
  }
}

const readsBack: TourStep = {
  title: 'what was said is read back without the session',
  async play({ command, place }) {
    const verified = await command(place, ['engine', 'verify-attestations'])
    prove(verified.code === 0 && verified.out.includes('3/3 records OK'), `it says: ${verified.out.trim()}`)
    const shown = await command(place, ['arrow', 'show', arrow])
    prove(shown.code === 0 && shown.out.includes(`op=${opId}`), `it says: ${shown.out.trim()}`)
    const unknown = await command(place, ['arrow', 'show', 'nobody→nobody/default'])
    prove(unknown.code === 1, `an unknown arrow exits with ${unknown.code}`)
    return 'verify-attestations exits 0 with 3/3 records OK; arrow show names who answered'
  }
}

/** They follow one another: each finds the project as the one before left it (CLI-035). */
export const gateSteps: readonly TourStep[] = [listsArrows, runsArrow, attests, runsAgain, readsBack]

/** Types a command and resolves with the lines it answers. */
async function typed(context: TourContext, line: string, command: string): Promise<readonly string[]> {
  const mark = context.watch.mark()
  submit(context, line)
  const answered = await context.watch.next(mark, 'command-output', (event) => event.command === command)
  return answered.lines
}

/** Answers the question that is open, as the overlay would; the ref it was about. */
export async function answer({ session, watch }: TourContext, verdict: 'pass' | 'fail', text: string): Promise<string> {
  const open = watch.since(0, 'prompt-opened').at(-1)?.prompt
  prove(open?.kind === 'verdict', 'no verdict is asked for')
  const { item, ref } = open as VerdictPrompt
  const mark = watch.mark()
  session.dispatch({ kind: 'attest', item, verdict, text })
  const { how } = await watch.next(mark, 'prompt-closed', (event) => event.item === item)
  prove(how === 'recorded', `the question was closed as ${how}`)
  return ref
}

async function settled({ watch }: TourContext, status: string): Promise<void> {
  await watch.next(0, 'arrow-settled', ({ text }) => text === `${arrow} ${status}`)
}

/** In all three places (ATT-300). */
async function kept({ place, command }: TourContext, ref: string): Promise<void> {
  const flat = await fileText(place, '.ghyll/attestations.jsonl')
  prove(flat.includes(`"${ref}"`), `${ref} is not in the flat file`)
  const [row] = gateRows(
    place,
    'SELECT count(*) AS n FROM attestations WHERE attestation_id = ? OR attestation_ref = ?',
    ref,
    ref
  )
  prove(Number(row?.n) > 0, `${ref} is not in the table`)
  const { code } = await command(place, ['engine', 'verify-attestations'])
  prove(code === 0, `tree and flat file differ about ${ref}`)
}

function passesOn({ place }: TourContext): readonly unknown[] {
  return gateRows(place, 'SELECT state FROM passes WHERE arrow_id = ? ORDER BY rowid', arrow).map((row) => row.state)
}
