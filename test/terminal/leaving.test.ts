import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { execa } from 'execa'
import { expect, onTestFinished, test } from 'vitest'
import { ghyllPath, openGhyll } from '../support/ghyll.ts'
import { ctrl, keys } from '../support/keys.ts'
import { startModelServer } from '../support/model-server.ts'
import { makePlace, type Place, twoModels } from '../support/place.ts'
import { gone } from '../support/processes.ts'
import { afterBurstMs, promptShown, send } from '../support/prompt.ts'
import type { TerminalDriver, TerminalOptions } from '../support/terminal.ts'

// Every way out gives the terminal back as it was found (TERM-5) and releases the lock (SESS-134).

async function open(
  options: Partial<TerminalOptions> = {},
  prepare?: (place: Place) => Promise<void>
): Promise<{ terminal: TerminalDriver; place: Place }> {
  const server = await startModelServer()
  onTestFinished(() => server.close())
  const place = await makePlace({ config: twoModels(server.url) })
  onTestFinished(place.remove)
  await prepare?.(place)
  const terminal = openGhyll(place, options)
  onTestFinished(() => terminal.close())
  await promptShown(terminal)
  await terminal.untilText('sandbox check bypassed') // The session behind the first frame is open.
  return { terminal, place }
}

function expectGivenBack(terminal: TerminalDriver, place: Place): void {
  expect(terminal.modesLeftOn()).toEqual([])
  expect(existsSync(place.at('.ghyll.lock'))).toBe(false)
}

test('/exit', async () => {
  const { terminal, place } = await open()
  terminal.write('/exit')
  await terminal.untilText('/exit')
  await sleep(afterBurstMs)
  terminal.write(keys.enter)
  expect(await terminal.exited()).toEqual({ code: 0, signal: 0 })
  expect(terminal.text()).toContain('ghyll: session ended.')
  expectGivenBack(terminal, place)
})

test('Ctrl+D on an empty prompt', async () => {
  const { terminal, place } = await open()
  terminal.write(ctrl('d'))
  expect(await terminal.exited()).toEqual({ code: 0, signal: 0 })
  expectGivenBack(terminal, place)
})

test('Ctrl+C asks once and leaves at the second', async () => {
  const { terminal, place } = await open()
  terminal.write(ctrl('c'))
  await terminal.untilText('press Ctrl+C again to leave')
  terminal.write(ctrl('c'))
  expect(await terminal.exited()).toEqual({ code: 0, signal: 0 })
  expectGivenBack(terminal, place)
})

test('SIGINT from outside counts as Ctrl+C: it asks, and the second leaves (TERM-45a)', async () => {
  const { terminal, place } = await open()
  terminal.kill('SIGINT')
  await terminal.untilText('press Ctrl+C again to leave')
  terminal.kill('SIGINT')
  expect(await terminal.exited()).toEqual({ code: 0, signal: 0 })
  expectGivenBack(terminal, place)
})

test.each(['SIGTERM', 'SIGHUP'] as const)('%s while idle', async (signal) => {
  const { terminal, place } = await open()
  terminal.kill(signal)
  expect(await terminal.exited()).toEqual({ code: 0, signal: 0 })
  expectGivenBack(terminal, place)
})

test('SIGTERM before the program behind the first frame is open ends in order', async () => {
  const server = await startModelServer()
  onTestFinished(() => server.close())
  const place = await makePlace({ config: twoModels(server.url) })
  onTestFinished(place.remove)
  const terminal = openGhyll(place)
  onTestFinished(() => terminal.close())
  await promptShown(terminal)
  terminal.kill('SIGTERM')
  expect(await terminal.exited()).toEqual({ code: 0, signal: 0 })
  expectGivenBack(terminal, place)
})

test.each([
  ['SIGTERM', 143],
  ['SIGHUP', 129]
] as const)('%s in the middle of a reply exits %i (SESS-143)', async (signal, code) => {
  const { terminal, place } = await open()
  await send(terminal, 'bench 5000 100')
  await terminal.untilText('reader')
  terminal.kill(signal)
  expect(await terminal.exited()).toEqual({ code, signal: 0 })
  expectGivenBack(terminal, place)
})

test('a window that is closed ends the session in order, with its final checkpoint (SESS-005, SESS-140)', async () => {
  const { terminal, place } = await open()
  await send(terminal, 'bench 20 2000')
  await terminal.untilText('turn 1 ·')
  terminal.hangUp()
  await gone(terminal.pid)
  expect(existsSync(place.at('.ghyll.lock'))).toBe(false)
  const store = new Database(place.at('.ghyll/session.db'), { readonly: true })
  onTestFinished(() => void store.close())
  expect(store.prepare('SELECT state, turn FROM session').all()).toEqual([{ state: 'closed', turn: 1 }])
})

test('a last sync that takes long is told on the screen, and Ctrl+C skips it (TERM-25, SESS-140, SESS-142)', async () => {
  const { terminal, place } = await open({}, async (place) => {
    await execa('git', ['remote', 'add', 'origin', 'ssh://nowhere.invalid/shop.git'], { cwd: place.project })
    await execa('git', ['config', 'core.sshCommand', 'sleep 60 #'], { cwd: place.project })
  })
  await send(terminal, 'bench 5 0 said')
  await terminal.untilText('■ said')
  await send(terminal, '/exit', keys.enter).catch(() => undefined) // The prompt may be gone before it is empty.
  await terminal.untilText(/last sync \d+s/)
  expect(terminal.text()).toContain('Ctrl+C skip the sync')
  expect(terminal.modesLeftOn()).not.toEqual([])
  // Keys meanwhile reach neither a session that has ended nor a gate that is closed.
  await send(terminal, 'one more thing')
  await terminal.untilText('the session has ended: nothing was sent')
  terminal.write(ctrl('g'))
  await terminal.untilText('arrows')
  terminal.write('r')
  terminal.write(keys.escape)
  terminal.write(ctrl('c'))
  expect(await terminal.exited()).toEqual({ code: 0, signal: 0 })
  expect(terminal.text()).toContain('ghyll: session ended; final checkpoint written.')
  expectGivenBack(terminal, place)
})

test('line discipline is back as well: echo and line editing are on again', async () => {
  const server = await startModelServer()
  onTestFinished(() => server.close())
  const place = await makePlace({ config: twoModels(server.url) })
  onTestFinished(place.remove)
  const terminal = openGhyll(place, { command: 'bash', args: ['-c', `"${ghyllPath}" run; stty -a`] })
  onTestFinished(() => terminal.close())
  await promptShown(terminal)
  terminal.write(ctrl('d'))
  await terminal.exited()
  expect(terminal.text()).toMatch(/[^-]icanon/)
  expect(terminal.text()).toMatch(/[^-]echo\b/)
})

test('a terminal that answers no query works, and CI in the environment does not make it a dumb one (TERM-16, TERM-17)', async () => {
  const { terminal, place } = await open({ answers: false })
  await send(terminal, 'bench 5 0 mute')
  await terminal.untilText('■ mute')
  terminal.write(ctrl('d'))
  await terminal.exited()
  expectGivenBack(terminal, place)
})
