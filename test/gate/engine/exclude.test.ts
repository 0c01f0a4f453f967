import { mkdirSync, realpathSync } from 'node:fs'
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
