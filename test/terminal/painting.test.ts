import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { makeGatePlace } from '../support/gate-place.ts'
import { openGhyll } from '../support/ghyll.ts'
import { ctrl, keys, wheel } from '../support/keys.ts'
import { startModelServer } from '../support/model-server.ts'
import { makePlace, twoModels } from '../support/place.ts'
import { draft, promptShown, send } from '../support/prompt.ts'
import type { TerminalDriver } from '../support/terminal.ts'

// What the built program writes to a real terminal, counted: clears, bytes and frames (TERM-10, 11, 13).

async function open(cols = 100, rows = 30, make: typeof makePlace = makePlace): Promise<TerminalDriver> {
  const server = await startModelServer()
  onTestFinished(() => server.close())
  const place = await make({ config: twoModels(server.url) })
  onTestFinished(place.remove)
  const terminal = openGhyll(place, { cols, rows })
  onTestFinished(() => terminal.close())
  await promptShown(terminal)
  await terminal.untilText('sandbox check bypassed') // The session behind the first frame is open.
  return terminal
}

type Written = { readonly bytes: number; readonly frames: number; readonly clears: number; readonly ms: number }

/** What was written while `work` went on. A frame stands between the brackets of synchronized output. */
async function written(terminal: TerminalDriver, work: () => Promise<unknown>): Promise<Written> {
  const from = terminal.byteCount()
  const clearsOf = () => terminal.clears().screen + terminal.clears().scrollback
  const clears = clearsOf()
  const start = performance.now()
  await work()
  const text = terminal.raw().subarray(from).toString('latin1')
  return {
    bytes: text.length,
    frames: text.split('\x1b[?2026h').length - 1,
    clears: clearsOf() - clears,
    ms: performance.now() - start
  }
}

test.each([
  ['alone', 100, 30, 50_000, makePlace],
  ['in its border', 120, 40, 50_000, makePlace],
  // Terminals scroll whole lines: what stands beside the stream is put back where it differs, at most what TERM-71 grants.
  ['beside panels, which do not move', 120, 40, 90_000, makeGatePlace]
])(
  'streaming costs what is new, in at most thirty frames a second, and clears nothing: %s',
  async (_, cols, rows, mostBytes, make) => {
    const terminal = await open(cols, rows, make)
    const { bytes, frames, clears, ms } = await written(terminal, async () => {
      await send(terminal, 'bench 1500 500 m')
      await terminal.untilText('■ m')
    })
    expect(clears).toBe(0)
    // Beside the stream: the keys of the line that was sent, and the durable events of a turn, which wait for no beat.
    expect(frames).toBeLessThan((ms / 1000) * 30 + 30)
    // 1,500 tokens are some 8 kB of text. Repainting the screen for every line that scrolls would be over 130 kB.
    expect(bytes).toBeLessThan(mostBytes)
  }
)

test('typing writes the letter, and no row of the transcript (TERM-12)', async () => {
  const terminal = await open()
  const text = 'thirty letters, one by one now'
  const { bytes, clears } = await written(terminal, async () => {
    for (const [at, letter] of [...text].entries()) {
      terminal.write(letter)
      await terminal.until((screen) => draft(screen) === text.slice(0, at + 1).trimEnd(), `${at + 1} letters`)
    }
  })
  expect(clears).toBe(0)
  expect(bytes / text.length).toBeLessThan(80)
})

test('scrolling clears nothing, and a notch of the wheel costs the lines that come in (TERM-10, TERM-22)', async () => {
  const terminal = await open()
  await send(terminal, 'lines 200')
  await terminal.untilText('line 200 of 200')
  const paged = await written(terminal, async () => {
    for (let page = 0; page < 4; page++) {
      const before = terminal.text()
      terminal.write(keys.pageUp)
      await terminal.until((screen) => screen.text() !== before, 'another page')
    }
    terminal.write(keys.ctrlEnd)
    await terminal.untilText('line 200 of 200')
  })
  expect(paged.clears).toBe(0)
  const notch = await written(terminal, async () => {
    terminal.write(wheel('up'))
    await terminal.until((screen) => !screen.text().includes('line 200 of 200'), 'three lines up')
  })
  expect(notch.clears).toBe(0)
  expect(notch.bytes).toBeLessThan(700)
})

test('only Ctrl+L and nothing else clears (TERM-10)', async () => {
  const terminal = await open()
  const { clears } = await written(terminal, async () => {
    terminal.resize(120, 40)
    await terminal.untilText('╭ transcript')
    terminal.resize(60, 15)
    await terminal.until((screen) => !screen.text().includes('╭'), 'the narrow frame')
  })
  expect(clears).toBe(0)
  const before = terminal.clears().screen
  terminal.write(ctrl('l'))
  await terminal.until((screen) => screen.clears().screen === before + 1, 'one clear')
  await terminal.untilText('sandbox check bypassed')
})

test('ten idle seconds write nothing (TERM-13)', async () => {
  const terminal = await open()
  await terminal.untilText('created memory branch') // The last that an opening session has to say.
  const { bytes } = await written(terminal, () => sleep(10_000))
  expect(bytes).toBe(0)
})

test('a terminal that reads nothing for a while holds the program up, and gets the whole reply afterwards', async () => {
  const terminal = await open()
  await send(terminal, 'lines 2000')
  terminal.pause()
  await sleep(1_500)
  terminal.resume()
  await terminal.untilText('line 2000 of 2000')
  await terminal.until((screen) => draft(screen) === '', 'the prompt')
  terminal.write('x')
  await terminal.until((screen) => draft(screen) === 'x', 'a key behind it')
})
