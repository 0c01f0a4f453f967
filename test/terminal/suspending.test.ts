import { expect, onTestFinished, test } from 'vitest'
import { ghyllPath } from '../support/ghyll.ts'
import { ctrl } from '../support/keys.ts'
import { startModelServer } from '../support/model-server.ts'
import { makePlace, twoModels } from '../support/place.ts'
import { draft, promptShown } from '../support/prompt.ts'
import { openTerminal } from '../support/terminal.ts'

test('Ctrl+Z gives the terminal to the shell; fg takes it back with the draft, and the end leaves it as it was (TERM-5)', async () => {
  const server = await startModelServer()
  onTestFinished(() => server.close())
  const place = await makePlace({ config: twoModels(server.url) })
  onTestFinished(place.remove)
  const terminal = openTerminal({
    command: 'bash',
    args: ['--norc', '--noprofile', '-i'],
    cwd: place.project,
    env: { ...place.env, PS1: 'shell> ' }
  })
  onTestFinished(() => terminal.close())
  await terminal.untilText('shell>')
  const atFirst = terminal.modesLeftOn().filter((mode) => mode !== 'bracketed paste')
  terminal.write(`'${ghyllPath}' run\r`)
  await promptShown(terminal)
  await terminal.untilText('sandbox check bypassed')
  terminal.write('a draft')
  await terminal.until((screen) => draft(screen) === 'a draft', 'the draft')
  const inside = terminal.modesLeftOn()
  expect(inside).toContain('alternate buffer')

  terminal.write(ctrl('z'))
  await terminal.untilText('Stopped')
  expect(terminal.modesLeftOn().filter((mode) => mode !== 'bracketed paste')).toEqual(atFirst)
  terminal.write('echo still$((1 + 1))here\r')
  await terminal.untilText('still2here')

  terminal.write('fg\r')
  await terminal.until((screen) => draft(screen) === 'a draft', 'the draft again')
  await terminal.until((screen) => screen.modesLeftOn().join() === inside.join(), 'its modes again')
  expect(terminal.text()).toContain('sandbox check bypassed')
  expect(terminal.text()).not.toContain('still2here')

  terminal.write(ctrl('u'))
  await terminal.until((screen) => draft(screen) === '', 'an empty prompt')
  terminal.write(ctrl('d'))
  await terminal.untilText('session ended')
  expect(terminal.modesLeftOn().filter((mode) => mode !== 'bracketed paste')).toEqual(atFirst)
})
