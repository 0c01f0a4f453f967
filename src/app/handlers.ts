import type { CliIo, DemoOptions, ExecOptions, Handlers, RunOptions } from '../cli/index.ts'
import type { KeyCheck } from '../config/keys.ts'
import { systemClock } from '../lib/clock.ts'
import { onRecord } from './on-record.ts'

/** What the command line asks of the program; each handler loads what it needs when it is called. */
export function createHandlers(io: CliIo, host: NodeJS.Process): Handlers {
  return {
    run: (options) => runSession(options, io, host),
    exec: (options) => execTurn(options, io, host),
    demo: (options) => showDemo(options, io, host),
    keyCheck,
    doctorChecks: async (config) => (await import('./doctor.ts')).doctorChecks(config)
  }
}

// Not the folder's front door: as an entry of its own it would pull the whole screen in.
async function keyCheck(): Promise<KeyCheck> {
  const { checkKeys } = await import('../../ui/keys/bind.ts')
  return checkKeys
}

async function runSession(options: RunOptions, io: CliIo, host: NodeJS.Process): Promise<number> {
  const { openConfig } = await import('../config/index.ts')
  const opened = openConfig({ env: io.env, checkKeys: await keyCheck() })
  if (opened.kind !== 'ready') {
    io.out(`ℹ ${opened.notice}\n`)
    return 0
  }
  const { config } = opened
  const clock = systemClock()
  const { dir, model, resume } = options
  // Plain lines are also what a screen reader can follow (TERM-62).
  const isReadAloud = options.screenReader || config.ui.screenReader || io.env.INK_SCREEN_READER === 'true'
  const wantsScreen = options.tui && io.env.TERM !== 'dumb' && !isReadAloud
  if (!wantsScreen) {
    const [{ start }, { runLines }] = await Promise.all([import('./start.ts'), import('./line-mode.ts')])
    const started = await onRecord(dir, { command: 'run', opId: '' }, () =>
      start({ dir, model, resume, config, env: io.env, clock })
    )
    try {
      return await runLines(started, { input: host.stdin, prompts: io.stdinIsTty, out: io.out })
    } finally {
      started.release()
    }
  }
  if (!host.stdin.isTTY || !host.stdout.isTTY) {
    io.err('ghyll: run needs a terminal; use ghyll exec "<prompt>" for one turn, or ghyll run --no-tui for line mode\n')
    return 2
  }
  const { run } = await import('./run.ts')
  return onRecord(dir, { command: 'run', opId: '' }, () =>
    run({
      dir,
      model,
      resume,
      config,
      env: io.env,
      clock,
      stdin: host.stdin,
      stdout: host.stdout,
      print: (line) => io.out(`${line}\n`),
      printError: (line) => io.err(`${line}\n`)
    })
  )
}

async function execTurn(options: ExecOptions, io: CliIo, host: NodeJS.Process): Promise<number> {
  // A turn whose reader goes away in the middle was not done.
  host.exitCode = 1
  const [{ loadConfig }, { exec }] = await Promise.all([import('../config/index.ts'), import('./exec.ts')])
  const { prompt, dir, model, resume, json, maxTurns } = options
  const config = loadConfig({ env: io.env, checkKeys: await keyCheck() })
  // Of a prompt the log gets the name of a command and what it names, and no words (PERS-703).
  const command = /^\/\S+(?:\s+\S+)?/.exec(prompt)?.[0] ?? ''
  return onRecord(dir, { command: `exec ${command}`.trim(), opId: '' }, () =>
    exec({
      prompt,
      dir,
      model,
      resume,
      json,
      maxTurns,
      config,
      env: io.env,
      clock: systemClock(),
      out: io.out,
      err: io.err
    })
  )
}

async function showDemo(options: DemoOptions, io: CliIo, host: NodeJS.Process): Promise<number> {
  const [{ runDemo }, { createDemoHost }] = await Promise.all([import('../demo/index.ts'), import('./demo-host.ts')])
  const mode = options.kind === 'serve' ? 'serve' : options.auto ? 'auto' : 'screen'
  if (mode === 'screen' && !(host.stdin.isTTY && host.stdout.isTTY)) {
    io.err('ghyll: demo needs a terminal; ghyll demo --auto plays the tour without one\n')
    return 2
  }
  const end = new AbortController()
  const stop = () => end.abort()
  // The screen has its own handling of signals; the tour and the server end here.
  if (mode !== 'screen') for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) host.once(signal, stop)
  return runDemo(
    {
      mode,
      port: options.kind === 'serve' ? (options.port ?? 0) : 0,
      env: { ...io.env },
      print: (line) => io.out(`${line}\n`),
      signal: end.signal
    },
    createDemoHost(io, host, createHandlers(io, host))
  )
}
