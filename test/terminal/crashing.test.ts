import { existsSync } from 'node:fs'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { openGatePlace } from '../support/gate-terminal.ts'
import { openGhyll } from '../support/ghyll.ts'
import { ctrl } from '../support/keys.ts'
import { startModelServer } from '../support/model-server.ts'
import { fileWith, makePlace, type Place, twoModels } from '../support/place.ts'
import { draft, promptShown, send } from '../support/prompt.ts'
import type { TerminalDriver } from '../support/terminal.ts'

// Bugs of the built program, made by a module that Node loads into it (`break-on-signal.mjs`).

const breaker = new URL('../fixtures/programs/break-on-signal.mjs', import.meta.url)
const brokenFile = '.ghyll/broken'
const findingsKey = '\x1b[15~' // F5

async function opened(breaks: string): Promise<{ place: Place; terminal: TerminalDriver }> {
  const server = await startModelServer()
  onTestFinished(() => server.close())
  const place = await makePlace({ config: twoModels(server.url) })
  onTestFinished(place.remove)
  const terminal = openGhyll(place, { env: broken(place, breaks) })
  onTestFinished(() => terminal.close())
  await promptShown(terminal)
  await send(terminal, 'bench 20 2000 said')
  await terminal.untilText('■ said')
  return { place, terminal }
}

test.each(['component', 'exception', 'rejection'])(
  'a bug (%s) gives the terminal back, says what failed, and loses neither session nor draft (TERM-5, TERM-41)',
  async (breaks) => {
    const { place, terminal } = await opened(breaks)
    terminal.write('half a thought')
    await terminal.untilText('half a thought')
    await breakIt(place, terminal)
    // A component breaks when it is drawn the next time.
    terminal.write('s')

    expect(await terminal.exited()).toEqual({ code: 1, signal: 0 })
    expect(terminal.modesLeftOn()).toEqual([])
    expect(terminal.cursor().hidden).toBe(false)
    expect(terminal.text()).toContain('ghyll: the screen failed: broken on purpose')
    expect(terminal.text()).toContain('resume with: ghyll run --resume')
    expect(existsSync(place.at('.ghyll.lock'))).toBe(false)
    const store = new Database(place.at('.ghyll/session.db'), { readonly: true })
    onTestFinished(() => void store.close())
    expect(store.prepare('SELECT state, turn FROM session').all()).toEqual([{ state: 'closed', turn: 1 }])

    const again = openGhyll(place, { args: ['run', '--resume'] })
    onTestFinished(() => again.close())
    await again.until((screen) => draft(screen)?.startsWith('half a thought') === true, 'the draft')
    again.write(ctrl('c'))
  }
)

test('an error inside one component is shown in its place; the rest lives on and the log has it (TERM-7)', async () => {
  const place = await openGatePlace()
  const terminal = openGhyll(place, { env: broken(place, 'panel') })
  onTestFinished(() => terminal.close())
  await promptShown(terminal)
  await terminal.untilText('grid v1')
  await breakIt(place, terminal)
  terminal.write(findingsKey)
  await terminal.untilText('✗ panel: broken on purpose')
  terminal.write(findingsKey)
  await terminal.until((screen) => !screen.text().includes('✗ panel'), 'the panel to be closed')
  await send(terminal, '/op-id alice')
  await terminal.untilText('op-id set: alice')
  terminal.write(ctrl('d'))
  expect(await terminal.exited()).toEqual({ code: 0, signal: 0 })
  expect(terminal.modesLeftOn()).toEqual([])
  expect(await place.read('.ghyll/ghyll.log')).toMatch(/panel: Error: broken on purpose/)
})

function broken(place: Place, breaks: string): NodeJS.ProcessEnv {
  return { ...place.env, NODE_OPTIONS: `--import ${breaker.href}`, BREAKS: breaks, BROKEN: place.at(brokenFile) }
}

/** A signal may be taken later than a key that is pressed after it. */
async function breakIt(place: Place, terminal: TerminalDriver): Promise<void> {
  terminal.kill('SIGUSR2')
  await fileWith(place, brokenFile, /broken/)
}
