import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DemoOptions, ExecOptions, Handlers, RunOptions } from '../../src/cli/handlers.ts'
import { runCli } from '../../src/cli/program.ts'

export type CliResult = {
  readonly code: number
  readonly out: string
  readonly err: string
  /** What the handlers were called with. */
  readonly calls: readonly [string, RunOptions | ExecOptions | DemoOptions][]
}

export type CliWorld = {
  readonly env?: Record<string, string>
  readonly cwd?: string
  /** Text on standard input; a terminal when omitted. */
  readonly stdin?: string
  readonly handlers?: Partial<Handlers>
}

/** Runs one command line in this process with a world of its own. */
export async function cli(argv: readonly string[], world: CliWorld = {}): Promise<CliResult> {
  const calls: [string, RunOptions | ExecOptions | DemoOptions][] = []
  let out = ''
  let err = ''
  const told = (name: string) => async (options: RunOptions | ExecOptions | DemoOptions) => {
    calls.push([name, options])
    return 0
  }
  const handlers: Handlers = {
    run: told('run'),
    exec: told('exec'),
    demo: told('demo'),
    keyCheck: async () => () => [],
    doctorChecks: async () => [],
    ...world.handlers
  }
  const code = await runCli(argv, handlers, {
    out: (text) => {
      out += text
    },
    err: (text) => {
      err += text
    },
    env: world.env ?? { HOME: mkdtempSync(join(tmpdir(), 'ghyll-cli-')), PATH: process.env.PATH ?? '' },
    cwd: world.cwd ?? process.cwd(),
    stdinIsTty: world.stdin === undefined,
    readStdin: async () => world.stdin ?? '',
    readLines: () => linesOf(world.stdin ?? '')
  })
  return { code, out, err, calls }
}

async function* linesOf(text: string): AsyncGenerator<string, undefined> {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  yield* lines
}
