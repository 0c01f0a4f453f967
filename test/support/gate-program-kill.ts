import { spawn } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { readActiveGrid } from '../../src/gate/bootstrap/index.ts'
import { loadCatalogue } from '../../src/gate/catalogue/index.ts'
import { type RunningGate, startGate, tickingClock } from './engine.ts'
import { keptContent, keptRecords } from './gate-kill.ts'
import { askingArrow, makeGatePlace } from './gate-place.ts'
import { ghyllPath, runGhyll } from './ghyll.ts'
import { startModelServer } from './model-server.ts'
import { numbersOf } from './numbers.ts'
import { type Place, twoModels } from './place.ts'
import { temporaryFolder } from './temporary.ts'

// The built program as an operator uses it, killed while verdicts are recorded.

/** A place and what its operator was told in all the sessions that were killed there. */
export type PlaceToKill = {
  readonly place: Place
  /** Ids of the verdicts whose success line was seen. */
  readonly told: Set<string>
  kills: number
}

/** A place where words that no question takes get an answer at once. */
export async function openPlaceToKill(): Promise<PlaceToKill> {
  const server = await startModelServer({ scenes: [], otherwise: () => ({ text: 'Yes.', pace: 0 }) })
  onTestFinished(() => server.close())
  const place = await makeGatePlace({ config: twoModels(server.url) })
  onTestFinished(place.remove)
  return { place, told: new Set(), kills: 0 }
}

/**
 * One session by typed lines that starts on what the last one left, runs the arrow and answers, killed a moment after the line of a
 * recorded verdict that `seed` picks. What it was told of is looked for in what it left, as it left it; then a copy is recovered twice.
 * The place itself stays as the kill left it, for the next session. Resolves to whether it was killed in time.
 */
export async function killProgramRound(target: PlaceToKill, seed: number): Promise<boolean> {
  const signal = await sessionToKill(target, seed)
  if (signal === 'SIGKILL') target.kills += 1
  const copy = temporaryFolder()
  cpSync(join(target.place.project, '.ghyll'), join(copy, '.ghyll'), { recursive: true })
  const { told, kills } = target
  const { tree, flat, table } = keptRecords(copy)
  for (const id of told) expect([id, tree.has(id), flat.has(id), table.has(id)]).toEqual([id, true, true, true])
  expect([...table].filter((id) => !tree.has(id))).toEqual([])
  // At most one per kill was on its way when it came.
  expect(tree.size - told.size).toBeLessThanOrEqual(kills)

  restart(copy)
  expect([...keptRecords(copy).table].toSorted()).toEqual([...tree.keys()].toSorted())
  const content = keptContent(copy)
  const again = restart(copy)
  expect(again.engine.report.recovery.events).toEqual([])
  expect(keptContent(copy)).toBe(content)
  return signal === 'SIGKILL'
}

/** Two sessions that start on what a kill left and end in order: the second finds nothing to do, and changes nothing (PERS-530). */
export async function startTwice({ place, told }: PlaceToKill): Promise<void> {
  await startAndLeave(place)
  const { tree, flat, table } = keptRecords(place.project)
  for (const id of told) expect([id, tree.has(id), flat.has(id), table.has(id)]).toEqual([id, true, true, true])
  expect([...table].toSorted()).toEqual([...tree.keys()].toSorted())
  const content = keptContent(place.project)
  await startAndLeave(place)
  expect(keptContent(place.project)).toBe(content)
}

/** Answers to verdicts and escalations; what does not fit the open question is asked again (OPUI-406). */
const said = ['p', 'p', 'f\nsrc/cart.ts:1', 'i\nnot enough', 's', '1\nthe risk is known', '2\nlook deeper']

/** Resolves to the signal that ended it, or null when its answers were over before. */
function sessionToKill({ place, told }: PlaceToKill, seed: number): Promise<NodeJS.Signals | null> {
  const number = numbersOf(seed)
  const child = spawn(ghyllPath, ['run', '--no-tui'], {
    cwd: place.project,
    env: place.env,
    stdio: ['pipe', 'pipe', 'ignore']
  })
  const answers = (length: number) => Array.from({ length }, () => said[number(said.length)])
  child.stdin.on('error', () => undefined) // it is killed while lines are on their way
  // What still waits since the round before is answered first; then everything is asked anew, valid or not.
  const again = [`/invalidate-arrow ${askingArrow}`, `/run-arrow ${askingArrow}`]
  child.stdin.end(['/op-id alice', ...answers(3), ...again, ...answers(9), ''].join('\n'))
  const after = 1 + number(3)
  let seen = 0
  let rest = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const id = /^✓ attestation (\S+) recorded: /.exec(line)?.[1]
      if (id === undefined) continue
      told.add(id)
      seen += 1
      if (seen === after) setTimeout(() => child.kill('SIGKILL'), number(8))
    }
  })
  return new Promise((resolve) => child.on('close', (_code, by) => resolve(by)))
}

/** Starts a gate over the copy in this process and ends it in order. */
function restart(projectDir: string): RunningGate {
  const { grid } = readActiveGrid(projectDir, loadCatalogue())
  const gate = startGate(projectDir, { grid, clock: tickingClock(Date.now()) })
  gate.engine.close()
  return gate
}

async function startAndLeave(place: Place): Promise<void> {
  const { code } = await runGhyll(place, ['run', '--no-tui'], { input: '' })
  expect(code).toBe(0)
}
