import { existsSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openGhyll, startGhyll } from '../support/ghyll.ts'
import { ctrl } from '../support/keys.ts'
import { makePlace, type Place } from '../support/place.ts'
import { promptShown, send } from '../support/prompt.ts'

/** A visitor with a home of their own and a temporary folder in which the demo can be seen to come and go. */
async function visitor(): Promise<{ place: Place; temporary: string }> {
  const place = await makePlace()
  onTestFinished(place.remove)
  const temporary = join(place.root, 'tmp')
  await mkdir(temporary)
  place.env.TMPDIR = temporary
  return { place, temporary }
}

const demoFolders = async (folder: string) => (await readdir(folder)).filter((name) => name.startsWith('ghyll-demo-'))

test('a visitor without a model server sees a labelled, scripted session do real work, and nothing is left (CLI-035)', async () => {
  const { place, temporary } = await visitor()
  const terminal = openGhyll(place, { args: ['demo'], cols: 110, rows: 40 })
  onTestFinished(() => terminal.close())
  await promptShown(terminal)
  expect(terminal.text()).toContain('[scripted-fast]')
  await terminal.untilText('anything else for a list')
  const [folder] = await demoFolders(temporary)
  const project = join(temporary, folder as string, 'corner-shop')

  await send(terminal, 'print a receipt')
  await terminal.untilText(/total\s+6\.10/)
  expect(existsSync(join(project, 'receipt.txt'))).toBe(true)

  terminal.write(ctrl('d'))
  expect(await terminal.exited()).toEqual({ code: 0, signal: 0 })
  expect(terminal.modesLeftOn()).toEqual([])
  // There is nothing left that could be resumed.
  expect(terminal.text()).toContain('1 turn')
  expect(terminal.text()).not.toContain('resume')
  expect(await demoFolders(temporary)).toEqual([])
  expect(await place.git('status', '--porcelain', '--ignored')).toBe('')
  expect(existsSync(join(place.home, '.ghyll'))).toBe(false)
})

test('--serve runs the endpoint alone on the port that was asked for, until it is ended', async () => {
  const { place } = await visitor()
  const first = startGhyll(place, ['demo', '--serve', '--port', '0'])
  const url = await new Promise<string>((resolve) => {
    let printed = ''
    first.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
      const found = /endpoint = "(.+?)"/.exec(printed)
      if (found?.[1] !== undefined) resolve(found[1])
    })
  })
  expect((await fetch(`${url}/models`)).status).toBe(200)

  const second = await startGhyll(place, ['demo', '--serve', '--port', new URL(url).port])
  expect(second.exitCode).toBe(1)
  expect(second.stderr).toContain(`ghyll: cannot listen on 127.0.0.1:${new URL(url).port}: EADDRINUSE`)

  first.kill('SIGTERM')
  expect((await first).exitCode).toBeGreaterThan(0)
  await expect(fetch(`${url}/models`)).rejects.toThrow()
})
