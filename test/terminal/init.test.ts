import { existsSync, readFileSync } from 'node:fs'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { ghyllPath, runGhyll } from '../support/ghyll.ts'
import { makePlace, type Place } from '../support/place.ts'
import { openTerminal, type TerminalDriver } from '../support/terminal.ts'

let place: Place
beforeEach(async () => {
  place = await makePlace({ files: {} })
  onTestFinished(() => place.remove())
})

/** `ghyll init --interactive` in a terminal, with everything about the fit already said. */
function openWizard(...more: string[]): TerminalDriver {
  const args = ['init', '--op-id', 'you@example.com', '--interactive', '--fit', 'seams=1,novel=no,critical=no', ...more]
  const terminal = openTerminal({
    command: ghyllPath,
    args,
    cwd: place.project,
    env: { ...place.env, TERM: 'dumb' },
    cols: 120,
    rows: 50
  })
  onTestFinished(() => terminal.close())
  return terminal
}

/** Answers a question once it is asked: the prompt for a clause is its arrow and id. */
async function answer(terminal: TerminalDriver, prompt: string, line: string): Promise<void> {
  await terminal.until(
    (screen) =>
      screen
        .lines()
        .findLast((row) => row !== '')
        ?.startsWith(prompt) === true,
    prompt
  )
  terminal.write(`${line}\r`)
}

describe('the wizard, line by line in a terminal (INIT-57, INIT-58)', () => {
  test('weaken, tighten, extend, skip without and with words, back, and on to the grid', async () => {
    const terminal = openWizard()
    await answer(terminal, 'contexts [', '')
    const first = 'init→analyst/default'
    await answer(terminal, `${first} C1`, 'confirm')
    await answer(terminal, `${first} C2`, 'skip')
    await terminal.untilText('✗ residue-required-for-skip')
    await answer(terminal, `${first} C2`, 'skip a person decides that here')
    await answer(terminal, `${first} C3`, 'back')
    await answer(terminal, `${first} C2`, 'confirm')
    await answer(terminal, `${first} C3`, 'confirm')
    const second = 'analyst→architect/default'
    await answer(terminal, `${second} C1`, 'modify scope=**')
    await terminal.untilText('✗ cannot-weaken-default: wider scope')
    await answer(terminal, `${second} C1`, 'skip why not')
    await terminal.untilText('✗ base-clause-not-skippable')
    await answer(terminal, `${second} C1`, 'modify cost=1')
    await answer(
      terminal,
      `${second} C5`,
      'extend id=E1 eval=attested depth=depth-sensitive min-tier=2 description="a second reader agreed"'
    )
    for (const id of ['C5', 'C6', 'C7', 'C10', 'C11', 'C12', 'C13', 'C14', 'C15', 'C16'])
      await answer(terminal, `${second} ${id}`, 'c')
    const third = 'architect→implementer/default'
    for (const id of ['C1', 'C5', 'C6']) await answer(terminal, `${third} ${id}`, 'c')
    await answer(terminal, `${third} C7`, 'modify language=go')
    for (const id of ['C8', 'C9', 'C10', 'C11', 'C12', 'C13', 'C14', 'C15', 'C16'])
      await answer(terminal, `${third} ${id}`, 'c')
    const fourth = 'implementer→integrator/default'
    for (const id of ['C1', 'C1.tests']) await answer(terminal, `${fourth} ${id}`, 'c')
    for (const id of ['C5', 'C6', 'C8']) {
      if (id === 'C8') await answer(terminal, `${fourth} C7`, 'c')
      await answer(terminal, `${fourth} ${id}`, 'skip not yet')
    }
    for (const id of ['C9', 'C10', 'C11', 'C12', 'C13', 'C14']) await answer(terminal, `${fourth} ${id}`, 'c')
    await terminal.untilText('init complete: 4 arrows across 1 contexts; grid at .ghyll/grid.v1.yaml')
    expect(await terminal.exited()).toMatchObject({ code: 0 })

    const grid = await place.read('.ghyll/grid.v1.yaml')
    expect(grid).toMatch(
      /\{ id: C1, [^}]*cost: 1, [^}]*args: \{ scope: "specs\/default\/\*\*" \},\s+modified: \[cost\] \}/
    )
    expect(grid).toMatch(/\{ id: E1, description: a second reader agreed, [^}]*source: operator-extension \}/)
    expect(grid).toMatch(/concept: acyclic-dependency-graph,\s+args: \{[^}]*language: go/)
    expect(grid).not.toContain('a person decides')
    expect(grid.match(/kind: skipped/g)).toHaveLength(3)
    expect(grid).not.toContain('deferred')
  })

  test('quit leaves no trace, and neither does the end of the input or an interrupt', async () => {
    const leave = ['quit\r', '\u0004', '\u0003']
    for (const keys of leave) {
      const terminal = openWizard()
      await answer(terminal, 'contexts [', '')
      await terminal.until((screen) => screen.text().includes('C1 [confirm'), 'the first clause')
      terminal.write(keys)
      expect(await terminal.exited()).not.toEqual({ code: 0, signal: 0 })
      expect(existsSync(place.at('.ghyll'))).toBe(false)
      expect(existsSync(place.at('.ghyll.lock'))).toBe(false)
    }
  })
})

test('INIT-100: the built program makes a grid in a fresh repository, and refuses the second time', async () => {
  const first = await runGhyll(place, ['init', '--op-id', 'you@example.com', '.'])
  expect([first.code, first.stdout]).toEqual([
    0,
    `init complete: 4 arrows across 1 contexts; grid at .ghyll/grid.v1.yaml
  (default context auto-declared — no bounded contexts detected)
  residue: 4 clauses auto-skipped (required args without defaults)
`
  ])
  const before = readFileSync(place.at('.ghyll/grid.v1.yaml'))
  const second = await runGhyll(place, ['init', '--op-id', 'you@example.com', '.'])
  expect([second.code, second.stdout]).toEqual([1, ''])
  expect(readFileSync(place.at('.ghyll/grid.v1.yaml'))).toEqual(before)
  expect((await runGhyll(place, ['init'])).code).toBe(2)
  const weak = ['init', '--op-id', 'a', '--fit', 'seams=0,novel=no,critical=no']
  expect((await runGhyll(place, ['concepts'])).code).toBe(0)
  await place.git('clean', '-fdxq')
  expect((await runGhyll(place, weak)).code).toBe(3)
})
