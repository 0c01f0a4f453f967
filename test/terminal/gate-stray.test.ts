import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { askingArrow } from '../support/gate-place.ts'
import {
  type AtGate,
  armedFor,
  confirm,
  flat,
  isArmedFor,
  keysTaken,
  openAtGate,
  openGatePlace,
  pressKey,
  recordedIn,
  runAskingArrow,
  typeLines
} from '../support/gate-terminal.ts'
import { openGhyll } from '../support/ghyll.ts'
import { ctrl, keys } from '../support/keys.ts'
import { startModelServer } from '../support/model-server.ts'
import { twoModels } from '../support/place.ts'
import { gone } from '../support/processes.ts'
import { afterBurstMs, draft, promptShown, send } from '../support/prompt.ts'
import type { TerminalDriver } from '../support/terminal.ts'

// Keys that were meant for something else, on the built program in a pseudo-terminal: none of them records a verdict, and what was
// typed is in the draft (TERM-50…55, OPUI-424, OPUI-741).

const isAsking = (screen: TerminalDriver) => flat(screen).includes('attestation request 1 of 3')

async function atGate(): Promise<AtGate> {
  return openAtGate(await openGatePlace())
}

/** Nothing is recorded, and the first question is open still and can be answered. */
async function expectUnanswered({ place, terminal }: AtGate): Promise<void> {
  await armedFor(terminal, 'C11')
  expect(recordedIn(place)).toEqual([])
  expect(isAsking(terminal)).toBe(true)
}

test('a person who types eight keys a second while it opens goes on typing the draft', async () => {
  const at = await atGate()
  const { terminal } = at
  await runAskingArrow(terminal)
  const text = 'pyfyiy s12ynpyfsip'
  let opened = 0
  for (const [index, letter] of [...text].entries()) {
    terminal.write(letter)
    await sleep(125)
    if (opened === 0 && isAsking(terminal)) opened = index
    expect(isArmedFor(terminal, 'C11')).toBe(false)
  }
  expect(opened).toBeGreaterThan(0)
  expect(opened).toBeLessThan(text.length - 1)
  expect(draft(terminal)).toBe(text)
  await expectUnanswered(at)
  // And then it takes a deliberate answer.
  terminal.write('p')
  await confirm(terminal, 'record PASS for C11 as alice? [y/n]')
  await armedFor(terminal, 'C12')
  expect(recordedIn(at.place)).toHaveLength(1)
  expect(draft(terminal)).toBe(text)
})

test('an Enter shortly before or behind its opening answers nothing', async () => {
  const server = await startModelServer()
  const place = await openGatePlace({ config: twoModels(server.url) })
  await typeLines(place, '/op-id alice', `/run-arrow ${askingArrow}`)
  const terminal = openGhyll(place)
  try {
    await promptShown(terminal)
    await terminal.until(isAsking, 'what waits since an earlier session')
    // Without an op-id it asks for that first, once it takes keys; Ctrl+C puts it off.
    await terminal.until((screen) => flat(screen).includes('op-id:'), 'the question for the op-id')
    terminal.write(ctrl('c'))
    await terminal.until((screen) => !isAsking(screen), 'the question put off')
    await send(terminal, '/op-id alice')
    for (const gapMs of [0, 10, 30]) {
      server.reply({ text: `Answer after ${gapMs}.`, pace: 0 })
      terminal.write('hello')
      await terminal.until((screen) => draft(screen) === 'hello', 'the words')
      await sleep(afterBurstMs)
      // The overlay opens because of the first, before the model is asked.
      terminal.write(keys.enter)
      await sleep(gapMs)
      terminal.write(keys.enter)
      await armedFor(terminal, 'C11')
      terminal.write(keys.enter)
      await keysTaken(terminal)
      expect(flat(terminal)).not.toContain('[y/n]')
      await sleep(2_000) // Two Ctrl+C within that time would leave (SESS-013).
      terminal.write(ctrl('c'))
      await terminal.untilText(`Answer after ${gapMs}.`)
      terminal.write(keys.backspace) // Right behind the first it was no Enter of a hand, but a new line in the draft (TERM-43).
    }
    expect(recordedIn(place)).toEqual([])
  } finally {
    await terminal.close()
    await server.close()
  }
})

test('a paste across its opening is text, whatever it holds', async () => {
  const at = await atGate()
  const { terminal } = at
  await runAskingArrow(terminal)
  terminal.write('\x1b[200~p y ')
  await terminal.until(isAsking, 'the overlay')
  terminal.write('p\ry\rpy\x1b[201~')
  await expectUnanswered(at)
  expect(terminal.text()).toContain('p y p')
  // One into the armed overlay answers nothing either.
  terminal.write('\x1b[200~p\x1b[201~')
  await pressKey(terminal, '\x1b[200~y\x1b[201~')
  await keysTaken(terminal)
  await expectUnanswered(at)
})

test('a held key is one press: it may choose, it never confirms', async () => {
  const at = await atGate()
  const { terminal } = at
  await runAskingArrow(terminal)
  const hold = async (key: string, ms: number) => {
    for (const end = performance.now() + ms; performance.now() < end; await sleep(33)) terminal.write(key)
  }
  while (!isAsking(terminal)) await hold('p', 33)
  await hold('p', 700)
  await expectUnanswered(at)
  await hold('p', 700)
  await keysTaken(terminal)
  expect(recordedIn(at.place)).toEqual([])
})

test('keys that arrive while its frame is held up for 200 ms were not meant for it', async () => {
  const at = await atGate()
  const { terminal } = at
  await runAskingArrow(terminal)
  await terminal.untilText('pass=p-2 role=analyst')
  for (const key of ['p', 'y', 'p', 'y']) {
    terminal.kill('SIGSTOP')
    terminal.write(key)
    await sleep(200)
    terminal.kill('SIGCONT')
  }
  await expectUnanswered(at)
  expect(draft(terminal)).toBe('pypy')
})

test('the window coming to the front with a click, Space, Backspace and Enter answer nothing', async () => {
  const at = await atGate()
  const { terminal } = at
  await runAskingArrow(terminal)
  await armedFor(terminal, 'C11')
  const row = terminal.lines().findIndex((line) => line.includes('p pass')) + 1
  const column = (terminal.lines()[row - 1] ?? '').indexOf('p pass') + 1
  const click = `\x1b[<0;${column};${row}M\x1b[<0;${column};${row}m`
  terminal.write(`\x1b[O\x1b[I${click}`)
  for (const key of [' ', keys.backspace, keys.enter]) await pressKey(terminal, key)
  await keysTaken(terminal)
  expect(flat(terminal)).not.toContain('[y/n]')
  await pressKey(terminal, 'p')
  await terminal.untilText('record PASS for C11 as alice? [y/n]')
  terminal.write(`\x1b[I${click}`)
  for (const key of [' ', keys.backspace, keys.enter]) await pressKey(terminal, key)
  await keysTaken(terminal)
  expect(recordedIn(at.place)).toEqual([])
})

test.each(['open', 'at its confirmation'])(
  'the end of input while it is %s records nothing, and the next session asks again',
  async (where) => {
    const at = await atGate()
    const { terminal, place } = at
    await runAskingArrow(terminal)
    await armedFor(terminal, 'C11')
    if (where !== 'open') {
      terminal.write('p')
      await terminal.untilText('record PASS for C11 as alice? [y/n]')
    }
    const { pid } = terminal
    terminal.hangUp()
    await gone(pid)
    expect(recordedIn(place)).toEqual([])
    const next = openGhyll(place)
    await next.until(isAsking, 'the question again')
    await next.close()
  }
)
