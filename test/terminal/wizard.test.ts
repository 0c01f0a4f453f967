import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { ghyllPath } from '../support/ghyll.ts'
import { ctrl, keys } from '../support/keys.ts'
import { makePlace, type Place } from '../support/place.ts'
import { openTerminal, type TerminalDriver } from '../support/terminal.ts'

let place: Place
beforeEach(async () => {
  place = await makePlace({ files: {} })
  onTestFinished(() => place.remove())
})

/** `ghyll init --interactive` over the whole terminal, with everything about the fit already said. */
function openWizard(cols = 100, rows = 30): TerminalDriver {
  const args = ['init', '--op-id', 'you@example.com', '--interactive', '--fit', 'seams=1,novel=no,critical=no']
  const terminal = openTerminal({ command: ghyllPath, args, cwd: place.project, env: place.env, cols, rows })
  onTestFinished(() => terminal.close())
  return terminal
}

/** One key at a time, as a hand presses it: a held key is one press (TERM-52). */
async function press(terminal: TerminalDriver, ...pieces: readonly string[]): Promise<void> {
  for (const piece of pieces) {
    await sleep(120)
    terminal.write(piece)
  }
}

const at = (terminal: TerminalDriver, text: string) =>
  terminal.until((screen) => screen.lines()[0]?.includes(text) === true, text)

describe('the wizard over the whole terminal (INIT-57, INIT-58)', () => {
  test('confirm, skip, modify, extend, back, and on to the grid', async () => {
    const terminal = openWizard()
    await at(terminal, 'Bounded contexts')
    await press(terminal, 'c')
    await at(terminal, 'init→analyst/default  C1')
    await terminal.untilText('decided by:')
    await terminal.untilText('(contract)')
    await press(terminal, 'c')
    await at(terminal, 'init→analyst/default  C2')
    await press(terminal, 's', keys.enter)
    await terminal.untilText('✗ residue-required-for-skip')
    await press(terminal, 'a person decides that here', keys.enter)
    await at(terminal, 'init→analyst/default  C3')
    await press(terminal, 'b')
    await at(terminal, 'init→analyst/default  C2')
    await press(terminal, 'c')
    await at(terminal, 'init→analyst/default  C3')
    await press(terminal, 'c')
    await at(terminal, 'analyst→architect/default  C1')
    await press(terminal, 'm', 'scope=**', keys.enter)
    await terminal.untilText('✗ cannot-weaken-default')
    await press(terminal, ctrl('u'), 'cost=1', keys.enter)
    await at(terminal, 'analyst→architect/default  C5')
    await press(terminal, 'e', 'id=E1 eval=attested depth=depth-sensitive min-tier=2 description=second', keys.enter)
    await terminal.until((screen) => !screen.text().includes('extend id='), 'the extension to be taken')

    // What has all it needs is confirmed, what lacks an argument is left out with words.
    for (let step = 0; step < 80; step += 1) {
      const before = terminal.lines()[0]
      const isEnded = () => terminal.text().includes('init complete')
      if (isEnded()) break
      if (terminal.text().includes('missing: a ')) await press(terminal, 's', 'not yet', keys.enter)
      else await press(terminal, 'c')
      await terminal.until((screen) => screen.lines()[0] !== before || isEnded(), 'the next clause')
    }
    await terminal.untilText('init complete: 4 arrows across 1 contexts; grid at .ghyll/grid.v1.yaml')
    expect(await terminal.exited()).toMatchObject({ code: 0 })
    expect(terminal.modesLeftOn()).toEqual([])

    const grid = await place.read('.ghyll/grid.v1.yaml')
    expect(grid).toMatch(/\{ id: E1, description: second, [^}]*source: operator-extension \}/)
    expect(grid).toContain('modified: [cost]')
    expect(grid).not.toContain('a person decides')
    expect(grid).toContain('reason: not yet')
  })

  test.each([
    ['q and y', ['q', 'y']],
    ['Ctrl+C twice', [ctrl('c'), ctrl('c')]]
  ])('%s leaves without a trace, at a small size too', async (_, pieces) => {
    const terminal = openWizard(50, 15)
    await at(terminal, 'Bounded contexts')
    await press(terminal, 'c')
    await at(terminal, 'ghyll init · 1 of')
    await press(terminal, ...pieces)
    expect((await terminal.exited()).code).not.toBe(0)
    expect(terminal.modesLeftOn()).toEqual([])
    expect(existsSync(place.at('.ghyll'))).toBe(false)
    expect(existsSync(place.at('.ghyll.lock'))).toBe(false)
  })

  test('a signal leaves without a trace and gives the terminal back (TERM-5)', async () => {
    const terminal = openWizard()
    await at(terminal, 'Bounded contexts')
    terminal.kill('SIGTERM')
    expect((await terminal.exited()).code).not.toBe(0)
    expect(terminal.modesLeftOn()).toEqual([])
    expect(existsSync(place.at('.ghyll'))).toBe(false)
  })
})
