import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { askingArrow } from '../support/gate-place.ts'
import { flat, openAtGate, openGatePlace, pressEscape, pressKey, runAskingArrow } from '../support/gate-terminal.ts'
import { openGhyll, runGhyll } from '../support/ghyll.ts'
import { ctrl, keys } from '../support/keys.ts'
import { startModelServer } from '../support/model-server.ts'
import { fileWith, type Place, twoModels } from '../support/place.ts'
import { groupGone } from '../support/process-stats.ts'
import { send } from '../support/prompt.ts'
import type { TerminalDriver } from '../support/terminal.ts'

// What an arrow that is run from the panel shares with a typed one, and what stops it.

const size = [120, 40] as const
const slow = 'echo $$ > running.pid; exec sleep 600'

/** Marks the asking arrow in the panel, which has the focus then. */
async function markAskingArrow(terminal: TerminalDriver): Promise<void> {
  await pressKey(terminal, ctrl('g'))
  await terminal.untilText('▸ ')
  await pressKey(terminal, keys.down)
  await terminal.until((screen) => /▸ . analyst→architect/.test(screen.text()), 'the mark on the arrow')
}

async function leaderOf(place: Place): Promise<number> {
  return Number(await fileWith(place, 'running.pid', /^\d+\n$/))
}

test('Esc stops an arrow that runs, typed or from the panel, and every process of it (OPUI-321, 720, TERM-45)', async () => {
  const place = await openGatePlace({ program: slow })
  const { terminal } = await openAtGate(place, size)
  await markAskingArrow(terminal)
  await pressKey(terminal, 'r')
  await terminal.untilText('verification C4 1/9')
  expect(terminal.text()).toContain(`/run-arrow ${askingArrow}`)
  const leader = await leaderOf(place)
  await pressEscape(terminal) // to the prompt
  const start = performance.now()
  terminal.write(keys.escape)
  await groupGone(leader)
  expect(performance.now() - start).toBeLessThan(1000)
  await terminal.until((screen) => flat(screen).includes('state/reason=aborted:operator-interrupt'), 'the aborted pass')
})

test('leaving while an arrow runs ends its pass as manual-stop (RUN-236)', async () => {
  const place = await openGatePlace({ program: slow })
  const { terminal } = await openAtGate(place, size)
  await runAskingArrow(terminal)
  const leader = await leaderOf(place)
  await send(terminal, '/exit').catch(() => undefined) // The prompt may be gone before it is empty.
  expect((await terminal.exited()).code).toBe(0)
  await groupGone(leader)
  const said = (await runGhyll(place, ['run', '--no-tui'], { input: '/passes p-2\n' })).stdout
  expect(said).toContain('close_reason: manual-stop')
  expect(said).not.toContain('recovery:')
})

test('r while a turn runs is refused where it was pressed; a refused arrow says why there, too (OPUI-722, SESS-037)', async () => {
  const server = await startModelServer()
  onTestFinished(() => server.close())
  const place = await openGatePlace({ config: twoModels(server.url) })
  const { terminal } = await openAtGate(place, size)
  server.reply({ text: 'a '.repeat(400), pace: 40 })
  await send(terminal, 'talk')
  await terminal.untilText('a a a')
  await markAskingArrow(terminal)
  await pressKey(terminal, 'r')
  await terminal.untilText('✗ busy: interrupt first')
  await pressEscape(terminal)
  terminal.write(keys.escape)
  await terminal.until((screen) => !screen.text().includes('Esc stop'), 'the end of the turn')

  await pressKey(terminal, ctrl('g'))
  await terminal.until((screen) => /▸ . analyst→architect/.test(screen.text()), 'the mark where it was')
  await pressKey(terminal, keys.down)
  await pressKey(terminal, 'r')
  await terminal.until((screen) => flat(screen).includes('✗ /run-arrow architect→implementer/default'), 'the refusal')
})

test('an open pass with a floor takes the turns to the deep model, and /fast does not take them back (SESS-074, ROUTE-009)', async () => {
  const server = await startModelServer()
  onTestFinished(() => server.close())
  // Nothing reaches rank 2 without a deep model; with one, the floor of the parked pass decides.
  const place = await openGatePlace({ isSensitive: true, config: twoModels(server.url) })
  await runGhyll(place, ['exec', '--model', 'deep', `/run-arrow ${askingArrow}`])
  const { terminal } = await openUnasked(place)
  server.reply({ text: 'From the deep one.', pace: 0 })
  await send(terminal, 'hello')
  await putOff(terminal)
  await terminal.untilText('From the deep one.')
  expect(server.requests.at(-1)?.body.model).toBe('scripted-deep')
  expect(flat(terminal)).toContain('gate-routing pass=p-2 outcome=gate-floor rank=2 model=')
  await sleep(2_000) // Two Ctrl+C within that time would leave (SESS-013).
  await send(terminal, '/fast')
  server.reply({ text: 'Still from the deep one.', pace: 0 })
  await send(terminal, 'again')
  await putOff(terminal)
  await terminal.untilText('Still from the deep one.')
  expect(server.requests.at(-1)?.body.model).toBe('scripted-deep')
})

/** A session on a place where verdicts wait: the questions of its start are put off. */
async function openUnasked(place: Place) {
  const at = await openWaiting(place)
  await putOff(at.terminal)
  await sleep(2_000) // Two Ctrl+C within that time would leave (SESS-013).
  await send(at.terminal, '/op-id alice')
  return at
}

async function openWaiting(place: Place) {
  const terminal = openGhyll(place, { cols: size[0], rows: size[1] })
  onTestFinished(() => terminal.close())
  await terminal.untilText('attestation request 1 of 6')
  return { place, terminal }
}

async function putOff(terminal: TerminalDriver): Promise<void> {
  await terminal.until((screen) => /p pass|op-id:/.test(screen.text()), 'the question, which takes keys')
  terminal.write(ctrl('c'))
  await terminal.until((screen) => !screen.text().includes('attestation request'), 'the question put off')
}
