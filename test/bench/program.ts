import { setTimeout as sleep } from 'node:timers/promises'
import { endMark } from '../../src/demo/scenes/load.ts'
import { openGhyll } from '../support/ghyll.ts'
import { keys } from '../support/keys.ts'
import type { Place } from '../support/place.ts'
import { cpuSeconds } from '../support/process-stats.ts'
import { afterBurstMs, draft, promptShown } from '../support/prompt.ts'
import type { TerminalDriver } from '../support/terminal.ts'

// The program under measurement in a pseudo-terminal of 100×30, read from outside only (TERM-74).

export const size = { cols: 100, rows: 30 } as const

export type Program = {
  readonly terminal: TerminalDriver
  readonly startedAt: number
  /** Milliseconds from spawning to the frame that holds the whole prompt. */
  readonly firstFrameMs: number
  /** From writing a key to its last changed cell; types and takes back in turns. */
  key(): Promise<number>
  /** Types a load scene's line, sends it, and measures until the mark that ends this very reply is on the screen. */
  reply(scene: string, meanwhile?: () => Promise<void>): Promise<Cost>
  close(): Promise<void>
}

export type Cost = { readonly ms: number; readonly cpuSeconds: number; readonly bytes: number }

/** Starts the program in `place` and waits for its prompt. */
export async function startProgram(place: Place, limitMs = 120_000): Promise<Program> {
  const startedAt = performance.now()
  const terminal = openGhyll(place, { ...size, limitMs })
  try {
    const shown = await promptShown(terminal)
    return measured(terminal, startedAt, shown - startedAt)
  } catch (thrown) {
    await terminal.close()
    throw thrown
  }
}

function measured(terminal: TerminalDriver, startedAt: number, firstFrameMs: number): Program {
  let typed = ''
  let replies = 0

  async function type(bytes: string, expected: string): Promise<number> {
    const start = performance.now()
    terminal.write(bytes)
    const shown = await terminal.until((screen) => draft(screen) === expected, `"${expected}" in the prompt`)
    typed = expected
    return shown - start
  }

  return {
    terminal,
    startedAt,
    firstFrameMs,
    key: () => (typed === '' ? type('x', 'x') : type(keys.backspace, '')),
    async reply(scene, meanwhile) {
      replies += 1
      const line = `${scene} r${replies}`
      const mark = endMark(`r${replies}`)
      if (typed !== '') await type(keys.backspace, '')
      await type(line, line)
      await sleep(afterBurstMs)
      const bytes = terminal.byteCount()
      const cpu = cpuSeconds(terminal.pid)
      const start = performance.now()
      terminal.write(keys.enter)
      await terminal.until((screen) => draft(screen) !== line, 'the prompt to be cleared')
      typed = ''
      let over = false
      const ended = (screen: TerminalDriver) => screen.lines().some((row) => row.includes(mark))
      const end = terminal.until(ended, `the end of the reply, ${mark}`).finally(() => {
        over = true
      })
      const companion = (async () => {
        while (meanwhile !== undefined && !over) await meanwhile()
      })()
      const [shown] = await Promise.all([end, companion])
      await quiet(terminal, 300)
      return { ms: shown - start, cpuSeconds: cpuSeconds(terminal.pid) - cpu, bytes: terminal.byteCount() - bytes }
    },
    close: () => terminal.close()
  }
}

/** Resolves when nothing was written for `ms`. */
async function quiet(terminal: TerminalDriver, ms: number): Promise<void> {
  for (;;) {
    const since = performance.now() - terminal.lastOutputAt()
    if (since >= ms) return
    await sleep(ms - since)
  }
}

/** Milliseconds from `act` to the last byte it caused; the program has answered and is quiet again when this resolves. */
export async function settled(terminal: TerminalDriver, act: () => void, quietMs = 150): Promise<number> {
  await quiet(terminal, quietMs)
  const before = terminal.byteCount()
  const start = performance.now()
  act()
  await terminal.until((screen) => screen.byteCount() > before, 'an answer on the screen')
  await quiet(terminal, quietMs)
  return terminal.lastOutputAt() - start
}
