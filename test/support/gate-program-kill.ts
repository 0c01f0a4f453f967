import { spawn } from 'node:child_process'
import { expect, onTestFinished } from 'vitest'
import { keptContent, keptRecords } from './gate-kill.ts'
import { askingArrow, makeGatePlace } from './gate-place.ts'
import { ghyllPath, runGhyll } from './ghyll.ts'
import { startModelServer } from './model-server.ts'
import { numbersOf } from './numbers.ts'
import { type Place, twoModels } from './place.ts'

// The built program as an operator uses it, killed while verdicts are recorded.

/** A place where words that no question takes get an answer at once. */
export async function openPlaceToKill(): Promise<Place> {
  const server = await startModelServer({ scenes: [], otherwise: () => ({ text: 'Yes.', pace: 0 }) })
  onTestFinished(() => server.close())
  const place = await makeGatePlace({ config: twoModels(server.url) })
  onTestFinished(place.remove)
  return place
}

/**
 * One session by typed lines that runs the arrow and answers, killed a moment after the line of a recorded verdict that `seed` picks.
 * What was told is added to `told`; then two sessions start and end in order. Resolves to whether it was killed in time.
 */
export async function killProgramRound(place: Place, seed: number, told: Set<string>): Promise<boolean> {
  const number = numbersOf(seed)
  const child = spawn(ghyllPath, ['run', '--no-tui'], {
    cwd: place.project,
    env: place.env,
    stdio: ['pipe', 'pipe', 'ignore']
  })
  const verdicts = ['p', 'f\nsrc/cart.ts:1', 'i\nnot enough', 's']
  const answers = Array.from({ length: 9 }, () => verdicts[number(verdicts.length)])
  child.stdin.on('error', () => undefined) // it is killed while lines are on their way
  // Whatever still waits since the round before is answered by the first of them.
  child.stdin.write(['/op-id alice', ...answers, `/run-arrow ${askingArrow}`, ...answers, ''].join('\n'))
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
  // Answers can be such that fewer are recorded; then the session is simply over.
  child.stdin.end()
  const signal = await new Promise((resolve) => child.on('close', (_code, by) => resolve(by)))

  await startAndLeave(place)
  const { tree, flat, table } = keptRecords(place.project)
  for (const id of told) expect([id, tree.has(id), flat.has(id), table.has(id)]).toEqual([id, true, true, true])
  expect([...table].filter((id) => !tree.has(id))).toEqual([])
  const content = keptContent(place.project)
  await startAndLeave(place)
  expect(keptContent(place.project)).toBe(content)
  return signal === 'SIGKILL'
}

async function startAndLeave(place: Place): Promise<void> {
  const { code } = await runGhyll(place, ['run', '--no-tui'], { input: '' })
  expect(code).toBe(0)
}
