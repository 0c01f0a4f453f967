import { expect, onTestFinished, test } from 'vitest'
import { gateScenes } from '../../src/demo/scenes/gate.ts'
import { defaultScript } from '../../src/demo/scenes/index.ts'
import {
  armedFor,
  confirm,
  fillField,
  flat,
  openAtGate,
  pressEscape,
  pressKey,
  recordedIn
} from '../support/gate-terminal.ts'
import { runGhyll } from '../support/ghyll.ts'
import { ctrl } from '../support/keys.ts'
import { startModelServer } from '../support/model-server.ts'
import { makePlace, type Place, twoModels } from '../support/place.ts'
import { send } from '../support/prompt.ts'
import type { TerminalDriver } from '../support/terminal.ts'
import { integrationArgs, lateBinding, wholeBindings, wholeProject } from '../support/whole-project.ts'

// The default grid of a small real project, from its first arrow to its last, by one operator in a pseudo-terminal. Models are played by
// script; files, tools, evaluators, stores and verdicts are real.

const flaw = {
  path: 'specs/default/coverage-claim.md',
  missing: 'Returned goods are not covered.',
  title: 'the claim is silent about returned goods',
  basis: 'a claim names what it leaves out'
}

async function wholePlace(): Promise<Place> {
  const scenes = [...gateScenes({ flaw }), ...defaultScript.scenes]
  const server = await startModelServer({ ...defaultScript, scenes })
  onTestFinished(server.close)
  const place = await makePlace({ files: wholeProject, config: twoModels(server.url) })
  onTestFinished(place.remove)
  const bindings = Object.entries(wholeBindings).flatMap(([key, command]) => ['--bind', `${key}=${command}`])
  const lastArrow = 'implementer→integrator/default'
  for (const args of [
    ['init', '--op-id', 'alice', ...bindings],
    ['init', 'amend', 'bind', lastArrow, 'C8', ...integrationArgs, '--op-id', 'alice']
  ]) {
    const { code, stderr } = await runGhyll(place, args)
    expect(code, stderr).toBe(0)
  }
  return place
}

async function passAll(terminal: TerminalDriver, clauses: readonly string[]): Promise<void> {
  for (const clause of clauses) {
    await armedFor(terminal, clause)
    await pressKey(terminal, 'p')
    await confirm(terminal, `record PASS for ${clause} as alice? [y/n]`)
  }
}

const clauses = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => `C${from + n}`)

test('every arrow from init to the integrator becomes valid, and what was said verifies (RUN-200…702, GATE-76, OPUI-300…424)', async () => {
  const { place, terminal } = await openAtGate(await wholePlace(), [120, 40])

  await send(terminal, '/run-arrow analyst->architect/default')
  await terminal.until((screen) => flat(screen).includes(`missing: ${lateBinding[0]}`), 'the question for a binding')
  await terminal.until((screen) => flat(screen).includes('s skip'), 'the overlay armed')
  await pressKey(terminal, 'b')
  await fillField(terminal, 'command', lateBinding[1])
  await confirm(terminal, `bind ${lateBinding[0]} and write it to the next grid version? [y/n]`)
  await passAll(terminal, clauses(11, 17))
  await terminal.until((screen) => flat(screen).includes('settled: pass=p-2 status=valid'), 'the first settlement')

  await send(terminal, '/run-arrow architect->implementer/default')
  await passAll(terminal, clauses(11, 16))
  await terminal.until((screen) => flat(screen).includes('settled: pass=p-3 status=valid'), 'the second settlement')

  await send(terminal, '/run-arrow implementer->integrator/default')
  await passAll(terminal, clauses(11, 14))
  await terminal.until((screen) => flat(screen).includes('settled: pass=p-4 status=valid'), 'the third settlement')

  await send(terminal, '/status')
  await terminal.untilText('complete against grid v3, residue 0, unevaluated 0')
  await terminal.untilText('arrows:       4 (valid 4)')
  await terminal.untilText(/findings: +open 0, running 0, resolved 1/)
  await pressEscape(terminal)
  terminal.write(ctrl('d'))
  expect(await terminal.exited()).toEqual({ code: 0, signal: 0 })
  expect(terminal.modesLeftOn()).toEqual([])

  expect(recordedIn(place)).toHaveLength(17)
  expect(await runGhyll(place, ['engine', 'verify-attestations'])).toMatchObject({
    code: 0,
    stdout: 'attestation-verify: 17/17 records OK\n'
  })
}, 120_000)
