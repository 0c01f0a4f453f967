import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { StartFailure } from '../../src/app/errors.ts'
import { type StartOptions, start } from '../../src/app/start.ts'
import { loadConfig } from '../../src/config/index.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { makePlace, type Place, twoModels } from '../support/place.ts'

async function place(): Promise<Place> {
  const made = await makePlace({ config: twoModels('http://127.0.0.1:1/v1') })
  onTestFinished(made.remove)
  return made
}

function options({ project, env }: Place): StartOptions {
  return { dir: project, model: null, config: loadConfig({ env }), env, clock: systemClock() }
}

test('the folders of a session exist before it is opened, and only its own is closed to others', async () => {
  const made = await place()
  const started = start(options(made))
  onTestFinished(() => started.release())
  expect((await stat(made.at('.ghyll'))).mode & 0o055).toBe(0o055)
  expect((await stat(made.at('.ghyll/state'))).mode & 0o777).toBe(0o700)
})

test.each(['.ghyll', '.ghyll/state'])(
  'a file where the folder %s belongs is told before the screen is taken over, and the lock is given back (SESS-002)',
  async (path) => {
    const made = await place()
    await made.write(path, '')
    let thrown: unknown
    try {
      start(options(made))
    } catch (failure) {
      thrown = failure
    }
    expect(thrown).toBeInstanceOf(StartFailure)
    expect(thrown).toMatchObject({ code: 'state-unavailable', hint: 'it has to be a folder that you can write to' })
    expect(existsSync(made.at('.ghyll.lock'))).toBe(false)
  }
)
