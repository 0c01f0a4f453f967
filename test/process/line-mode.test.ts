import { expect, onTestFinished, test } from 'vitest'
import { openGhyll, runGhyll } from '../support/ghyll.ts'
import { ctrl } from '../support/keys.ts'
import { type ModelServer, startModelServer } from '../support/model-server.ts'
import { fileWith, makePlace, type Place, twoModels } from '../support/place.ts'

// The session without a screen (CLI-031), as a real process.

async function open(): Promise<{ server: ModelServer; place: Place }> {
  const server = await startModelServer()
  onTestFinished(() => server.close())
  const place = await makePlace({ config: twoModels(server.url) })
  onTestFinished(place.remove)
  return { server, place }
}

test('each line of a pipe is one input, taken up when the one before is done; its end ends the session', async () => {
  const { server, place } = await open()
  server.reply({ text: 'First answer.', pace: 0 }, { text: 'Second answer.', pace: 0 })
  const ran = await runGhyll(place, ['run', '--no-tui'], { input: 'one\n/status\ntwo\n' })
  expect(ran.code).toBe(0)
  expect(ran.stdout).toMatch(/First answer\.\n.*turn: 1.*\nSecond answer\.\n.*session ended/s)
  expect(ran.stdout).not.toContain('>')
})

test.each([
  ['--no-tui', {}],
  ['--screen-reader', {}],
  ['.', { INK_SCREEN_READER: 'true' }]
])('run %s with %j talks in plain lines on a terminal (TERM-62)', async (flag, env) => {
  const { server, place } = await open()
  server.reply({ text: 'An answer.', pace: 0 })
  const terminal = openGhyll({ ...place, env: { ...place.env, ...env } }, { args: ['run', flag] })
  onTestFinished(() => terminal.close())
  await terminal.untilText(/^ghyll \[\S+\] >/m)
  terminal.write('hello\r')
  await terminal.untilText(/An answer\.\n(.*\n)*ghyll \[\S+\] >/)
  terminal.write(ctrl('d'))
  expect(await terminal.exited()).toEqual({ code: 0, signal: 0 })
  // No frame, no cursor movement, nothing drawn twice.
  expect(terminal.raw().toString()).not.toMatch(/\x1b\[|[╭│╰]/)
  expect(
    terminal
      .raw()
      .toString()
      .match(/An answer\./g)
  ).toHaveLength(1)
})

test('after an interrupt there is one prompt, and what was entered meanwhile waits for Enter (SESS-092)', async () => {
  const { server, place } = await open()
  server.reply(
    { calls: [{ tool: 'bash', args: { command: 'echo yes > started; sleep 600' } }] },
    { text: 'Sent now.', pace: 0 }
  )
  const terminal = openGhyll(place, { args: ['run', '--no-tui'] })
  onTestFinished(() => terminal.close())
  await terminal.untilText(/^ghyll \[\S+\] >/m)
  await terminal.untilText('created memory branch') // The last that comes by itself, and in the middle of what follows.
  terminal.write('work\r')
  await fileWith(place, 'started', /yes/)
  terminal.write('meanwhile\r')
  // The terminal throws away what nobody has read yet when Ctrl+C comes.
  await fileWith(place, '.ghyll/session.db-wal', /meanwhile/)
  terminal.write(ctrl('c'))
  await terminal.untilText(/ℹ 1 held: Enter sends it\nghyll \[\S+\] >$/)
  terminal.write('\r')
  await terminal.untilText('Sent now.')
})

test('who hears the lines is told once what a long pause is about, and a pipe is not (TERM-25, TERM-62)', async () => {
  const { place } = await open()
  const terminal = openGhyll(place, { args: ['run', '--screen-reader'] })
  onTestFinished(() => terminal.close())
  await terminal.untilText(/^ghyll \[\S+\] >/m)
  terminal.write('slow 2\r')
  await terminal.untilText('That took 2 s to begin.')
  terminal.write('!sleep 1; echo awake\r')
  await terminal.untilText(/^awake/m)
  const text = terminal.everything()
  expect(text.match(/· waiting for fast/g)).toHaveLength(1)
  expect(text.match(/· bash is running/g)).toHaveLength(1)
  terminal.write(ctrl('d'))
  expect(await terminal.exited()).toEqual({ code: 0, signal: 0 })

  const { stdout } = await runGhyll(place, ['run', '--no-tui'], { input: '!sleep 1; echo awake\n' })
  expect(stdout).toContain('awake')
  expect(stdout).not.toContain('is running')
})
