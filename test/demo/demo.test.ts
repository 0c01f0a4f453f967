import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type DemoOptions, runDemo } from '../../src/demo/demo.ts'
import type { DemoHost, TourSession } from '../../src/demo/host.ts'
import type { DemoPlace } from '../../src/demo/sample.ts'
import type { GhyllEvent } from '../../src/protocol/event.ts'
import { sessionId } from '../../src/protocol/ids.ts'

type Printed = DemoOptions & { readonly lines: string[]; printed(pattern: RegExp): Promise<RegExpExecArray> }

function options(mode: DemoOptions['mode'], signal = new AbortController().signal): Printed {
  const lines: string[] = []
  const lookouts = new Set<() => void>()
  return {
    mode,
    port: 0,
    env: process.env,
    signal,
    lines,
    print(line) {
      lines.push(line)
      for (const look of [...lookouts]) look()
    },
    printed(pattern) {
      return new Promise((resolve) => {
        const look = () => {
          const match = pattern.exec(lines.join('\n'))
          if (match !== null) resolve(match)
        }
        lookouts.add(look)
        look()
      })
    }
  }
}

/** A host that keeps the place it was given and opens nothing. */
function host(over: Partial<DemoHost>): DemoHost & { place?: DemoPlace } {
  const never = () => Promise.reject(new Error('not asked for'))
  return { openScreen: never, openSession: never, command: never, declareGates: async () => undefined, ...over }
}

test('the screen opens on the sample while the place exists; its exit code is the demo’s; nothing is left (CLI-035)', async () => {
  let seen: DemoPlace | undefined
  const code = await runDemo(
    options('screen'),
    host({
      async openScreen(place, greeting) {
        seen = place
        expect(existsSync(place.configPath)).toBe(true)
        expect(greeting).toContain('make the cart total include tax')
        return 7
      }
    })
  )
  expect(code).toBe(7)
  expect(existsSync(seen!.root)).toBe(false)
})

test('the place is removed also when the screen fails', async () => {
  let seen: DemoPlace | undefined
  const failing = host({
    async openScreen(place) {
      seen = place
      throw new Error('no terminal')
    }
  })
  await expect(runDemo(options('screen'), failing)).rejects.toThrow('no terminal')
  expect(existsSync(seen!.root)).toBe(false)
})

test('a tour whose session does nothing fails at its first step, says so and exits 1', async () => {
  const ending = Promise.withResolvers<number>()
  const listeners = new Set<(event: GhyllEvent) => void>()
  const lazy: TourSession = {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    dispatch(command) {
      if (command.kind === 'leave') return ending.resolve(0)
      const facts = { session: sessionId('s'), at: 0 }
      for (const tell of listeners)
        tell({ kind: 'turn-ended', turn: 1, outcome: 'failed', code: 'auth-failed', ...facts })
    },
    ended: ending.promise
  }
  const run = options('auto')
  expect(await runDemo(run, host({ openSession: async () => lazy }))).toBe(1)
  expect(run.lines.slice(1)).toEqual([
    ' 1 ✗ asked about the project, it reads before it answers',
    '     the turn ended as failed (auth-failed)',
    expect.stringMatching(/^ {5}\d+ more steps not reached$/)
  ])
  expect(listeners.size).toBe(0)
})

test('a tour ended from outside exits 130', async () => {
  const stop = new AbortController()
  const ending = Promise.withResolvers<number>()
  const stuck: TourSession = {
    subscribe: () => () => undefined,
    dispatch: (command) => (command.kind === 'leave' ? ending.resolve(143) : stop.abort()),
    ended: ending.promise
  }
  expect(await runDemo(options('auto', stop.signal), host({ openSession: async () => stuck }))).toBe(130)
})

test('--serve answers until it is ended and prints a configuration for it', async () => {
  const stop = new AbortController()
  const run = options('serve', stop.signal)
  const serving = runDemo(run, host({}))
  const [, url] = await run.printed(/endpoint = "(.+?)"/)
  expect((await fetch(`${url}/models`)).status).toBe(200)
  expect(run.lines[0]).toContain('no model behind it')
  stop.abort()
  expect(await serving).toBe(130)
  await expect(fetch(`${url}/models`)).rejects.toThrow()
})
