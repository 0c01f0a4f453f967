import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { answer, openWaitingPass, startGate } from '../../support/engine.ts'
import { makePlace } from '../../support/place.ts'

it.each(['', 'packages/shop'])(
  'git sees verdicts and grids, not the store and the log (PERS-104), in "%s"',
  async (folder) => {
    const place = await makePlace()
    onTestFinished(place.remove)
    const projectDir = join(realpathSync(place.project), folder)
    mkdirSync(projectDir, { recursive: true })
    const { engine, gates } = startGate(projectDir)
    answer(gates, openWaitingPass(gates, 'analyst→architect/default'), 'C11', 'pass')
    const seen = await place.git('status', '--short', '--untracked-files=all')
    engine.close()
    const lines = seen.split('\n').map((line) => line.replace(/^\?\? "?/, ''))
    expect(lines.every((line) => line.includes('.ghyll/attestations'))).toBe(true)
    expect(lines.length).toBe(2)
  }
)

it('a repository whose exclude file cannot be written is no reason to go without gates', async () => {
  const place = await makePlace()
  onTestFinished(place.remove)
  const projectDir = realpathSync(place.project)
  rmSync(join(projectDir, '.git/info'), { recursive: true, force: true })
  writeFileSync(join(projectDir, '.git/info'), '')
  const { engine, gates } = startGate(projectDir)
  expect(gates.phase.isAttached()).toBe(true)
  engine.close()
})
