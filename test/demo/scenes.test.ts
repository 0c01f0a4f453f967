import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type DemoPlace, makeDemoPlace } from '../../src/demo/sample.ts'
import { cartWithTax } from '../../src/demo/sample-files.ts'
import { defaultScript } from '../../src/demo/scenes/index.ts'
import { endMark, prose } from '../../src/demo/scenes/load.ts'
import { answer, type Conversation, type Exchange, type Script } from '../../src/demo/script.ts'
import { tokensOf } from '../../src/demo/tokens.ts'

// The scenes against the real sample project, with the smallest agent there can be in between.

const offered = new Set(['bash', 'read_file', 'edit_file', 'glob', 'git', 'agent'])

function conversation(said: string, exchanges: readonly Exchange[] = [], step = 0): Conversation {
  return { model: 'scripted-fast', said, step, exchanges, tools: offered, system: '', callCount: exchanges.length }
}

const joined = (text: Parameters<typeof tokensOf>[0]) => [...tokensOf(text)].join('')

/** Carries out what the script asks for until it only talks; its last words and everything it did. */
async function converse(place: DemoPlace, said: string, script: Script = defaultScript) {
  const exchanges: Exchange[] = []
  for (let step = 0; step < 10; step += 1) {
    const { scene, reply } = answer(script, conversation(said, exchanges, step))
    if (reply.calls === undefined) return { scene, text: joined(reply.text ?? ''), exchanges }
    for (const { tool, args } of reply.calls) {
      const result = await perform(place, tool, args as Record<string, string>)
      exchanges.push({ tool, args: JSON.stringify(args), result })
    }
  }
  throw new Error(`"${said}" never ends`)
}

async function perform(place: DemoPlace, tool: string, args: Record<string, string>): Promise<string> {
  const path = join(place.project, args.path ?? '')
  const options = { cwd: place.project, env: place.env, extendEnv: false, reject: false, all: true } as const
  switch (tool) {
    case 'read_file':
      return await readFile(path, 'utf8')
    case 'edit_file': {
      const parts = (await readFile(path, 'utf8')).split(args.old_string as string)
      if (parts.length !== 2) return 'old_string not found in file'
      await writeFile(path, parts.join(args.new_string))
      return 'edited'
    }
    case 'glob':
      return (await readdir(place.project, { recursive: true })).filter((each) => each.endsWith('.js')).join('\n')
    case 'bash':
      return (await execa('bash', ['-c', args.command as string], options)).all
    case 'git':
      return (await execa('bash', ['-c', `git ${args.args}`], options)).all
    default:
      return `no ${tool} here`
  }
}

async function sample(): Promise<DemoPlace> {
  const place = await makeDemoPlace('http://127.0.0.1:9/v1', process.env)
  onTestFinished(place.remove)
  return place
}

describe('the tour’s scenes work on the real sample (CLI-035)', () => {
  test('asked what this is, it names the project after reading its readme', async () => {
    const { text, exchanges } = await converse(await sample(), 'what is this project?')
    expect(exchanges.map((each) => each.tool)).toEqual(['glob', 'read_file'])
    expect(text).toContain('**Corner shop**, 4 JavaScript files')
  })

  test('taxing the cart changes code and test, with a failing run between; asking again changes nothing', async () => {
    const place = await sample()
    const first = await converse(place, 'please make the cart total include tax')
    expect(await readFile(join(place.project, 'src/cart.js'), 'utf8')).toBe(cartWithTax)
    const runs = first.exchanges.filter((each) => each.tool === 'bash').map((each) => each.result)
    expect(runs[0]).toMatch(/fail 1\b/)
    expect(runs[1]).toMatch(/fail 0\b/)
    expect(first.text).toContain('the tests pass')

    const second = await converse(place, 'please make the cart total include tax')
    expect(second.text).toContain('already')
    expect(second.exchanges.map((each) => each.tool)).toEqual(['read_file', 'read_file'])
  })

  test('it does not claim that tests pass which do not', async () => {
    const place = await sample()
    await writeFile(join(place.project, 'test/other.test.js'), 'throw new Error("broken on purpose")\n')
    const { text } = await converse(place, 'make the cart total include tax')
    expect(text).toContain('The tests do not pass')
    expect(text).toContain('broken on purpose')
  })

  test('a receipt is printed and kept, and a commit is made', async () => {
    const place = await sample()
    expect((await converse(place, 'print a receipt')).text).toMatch(/total\s+6\.10/)
    expect(await readFile(join(place.project, 'receipt.txt'), 'utf8')).toMatch(/total\s+6\.10/)
    expect((await converse(place, 'commit this')).text).toContain('Include tax in the cart total')
  })
})

test('what it remembers is searched for by the program itself', async () => {
  const place = await sample()
  await writeFile(join(place.root, 'bin', 'ghyll'), '#!/bin/sh\necho "0123456789ab  2026-01-01  @you  $*"\n')
  const { text, exchanges } = await converse(place, 'what do you remember about the receipt?')
  expect(exchanges.map((each) => each.tool)).toEqual(['bash'])
  expect(text).toContain('0123456789ab  2026-01-01  @you  memory search receipt')
  await writeFile(join(place.root, 'bin', 'ghyll'), '#!/bin/sh\necho "no matching checkpoints"\n')
  expect((await converse(place, 'what do you remember about tax')).text).toMatch(/^Nothing yet/)
})

describe('load scenes', () => {
  test.each([1, 2, 29, 31, 400, 401, 5000])(
    'prose of %i tokens has that many, and its mark stands alone on the last line',
    (count) => {
      const tokens = [...prose(count, 'r1')]
      expect(tokens).toHaveLength(count)
      const text = tokens.join('')
      expect(text.split('\n').at(-1)).toBe(endMark('r1'))
      expect((text.match(/^```/gm) ?? []).length % 2).toBe(0)
    }
  )

  test('a chain is as long as asked for', async () => {
    const { exchanges } = await converse(await sample(), 'repeat 3 pwd')
    expect(exchanges).toHaveLength(3)
  })

  test('a call is passed on exactly as given, JSON or not', () => {
    const { reply } = answer(defaultScript, conversation('call bash {"command": nonsense'))
    expect(reply.calls).toEqual([{ tool: 'bash', args: '{"command": nonsense' }])
  })
})

test('every invitation is taken up by its own scene', () => {
  for (const scene of defaultScript.scenes) {
    if (scene.invite === undefined) continue
    for (const said of scene.invite.replace(/ \(.*$/, '').split(', ')) {
      expect(answer(defaultScript, conversation(said)).scene, said).toBe(scene.name)
    }
  }
})
