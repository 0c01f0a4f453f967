import { expect, onTestFinished, test } from 'vitest'
import { openGhyll } from '../support/ghyll.ts'
import { ctrl } from '../support/keys.ts'
import { startModelServer } from '../support/model-server.ts'
import { makePlace, twoModels } from '../support/place.ts'
import { program } from '../support/processes.ts'
import { draft, promptShown, send } from '../support/prompt.ts'
import type { TerminalDriver } from '../support/terminal.ts'

// Pager and editor run on the terminal itself: it is given away whole and taken back whole (TERM-24, TERM-47, TERM-5).

const waits = 'echo shown-by-another; read -r answer'

async function open(env: NodeJS.ProcessEnv): Promise<TerminalDriver> {
  const server = await startModelServer()
  onTestFinished(() => server.close())
  const place = await makePlace({ config: twoModels(server.url) })
  onTestFinished(place.remove)
  const terminal = openGhyll(place, { env: { ...place.env, ...env } })
  onTestFinished(() => terminal.close())
  await promptShown(terminal)
  await terminal.untilText('sandbox check bypassed')
  return terminal
}

test('Ctrl+O shows the transcript unwrapped in $PAGER, on a terminal without a mode of ours, and comes back', async () => {
  const terminal = await open({ PAGER: `sh -c 'cat "$1"; ${waits}' sh` })
  await send(terminal, 'bench 60 2000 told')
  await terminal.untilText('■ told')
  const inside = terminal.modesLeftOn()
  terminal.write('half a draft')
  await terminal.until((screen) => draft(screen) === 'half a draft', 'the draft')
  terminal.write(ctrl('o'))
  await terminal.untilText('shown-by-another')
  expect(terminal.modesLeftOn()).toEqual([])
  expect(terminal.cursor().hidden).toBe(false)
  expect(terminal.text()).toContain('you: bench 60 2000 told')
  terminal.write('\r')
  await terminal.until((screen) => draft(screen) === 'half a draft', 'the draft again')
  await terminal.until((screen) => screen.modesLeftOn().join() === inside.join(), 'its modes again')
  expect(terminal.text()).not.toContain('shown-by-another')
})

test('Ctrl+X Ctrl+E edits the draft in $EDITOR; an editor that fails leaves it as it was', async () => {
  const terminal = await open({ EDITOR: `sh -c 'printf " and more" >> "$1"; ${waits}; exit "$answer"' sh` })
  terminal.write('a draft')
  await terminal.until((screen) => draft(screen) === 'a draft', 'the draft')
  const edit = async (status: string) => {
    terminal.write(`${ctrl('x')}${ctrl('e')}`)
    await terminal.untilText('shown-by-another')
    expect(terminal.modesLeftOn()).toEqual([])
    terminal.write(`${status}\r`)
  }
  await edit('0')
  await terminal.until((screen) => draft(screen) === 'a draft and more', 'the edited draft')
  await edit('3')
  await terminal.untilText('ended with exit status 3')
  expect(draft(terminal)).toBe('a draft and more')
})

test('SIGTERM while the pager has the terminal ends both, and the terminal is as it was found (TERM-5)', async () => {
  const terminal = await open({ PAGER: `sh -c 'echo shown-by-another; while :; do sleep 0.1; done' sh` })
  terminal.write(ctrl('o'))
  await terminal.untilText('shown-by-another')
  terminal.kill('SIGTERM')
  expect(await terminal.exited()).toEqual({ code: 0, signal: 0 })
  expect(terminal.modesLeftOn()).toEqual([])
})

test('Ctrl+C in the pager is the pager’s: it interrupts no turn and does not leave (TERM-24, TERM-45a)', async () => {
  const terminal = await open({ PAGER: program('catch-interrupts.sh') })
  await send(terminal, 'bench 5000 50')
  await terminal.untilText('reader')
  terminal.write(ctrl('o'))
  await terminal.untilText('shown-by-another')
  for (const count of ['one', 'two']) {
    terminal.write(ctrl('c'))
    await terminal.untilText(`interrupt ${count}`)
  }
  terminal.write('\r')
  await terminal.until((screen) => draft(screen) === '', 'the prompt again')
  await terminal.untilText('Esc stop')
  expect(terminal.text()).not.toMatch(/incomplete|to leave/)
})
