import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import type { Place } from './place.ts'
import { openTerminal, type TerminalDriver, type TerminalOptions } from './terminal.ts'

/** The built program, or the one that GHYLL_TEST_PROGRAM names, such as an installed one. */
export const ghyllPath =
  process.env.GHYLL_TEST_PROGRAM ?? fileURLToPath(new URL('../../dist/ghyll.js', import.meta.url))

export type Ran = {
  readonly stdout: string
  readonly stderr: string
  readonly code: number | undefined
  readonly signal: string | undefined
}

/** Starts the built program in the project of `place` without a terminal; the result is never thrown. */
export function startGhyll(
  place: Place,
  args: readonly string[],
  options: { input?: string; env?: NodeJS.ProcessEnv } = {}
) {
  return execa(ghyllPath, args, {
    cwd: place.project,
    env: { ...place.env, ...options.env },
    extendEnv: false,
    reject: false,
    stripFinalNewline: false,
    ...(options.input === undefined ? { stdin: 'ignore' as const } : { input: options.input })
  })
}

/** Runs it to its end. */
export async function runGhyll(
  place: Place,
  args: readonly string[],
  options: { input?: string; env?: NodeJS.ProcessEnv } = {}
): Promise<Ran> {
  const { stdout, stderr, exitCode, signal } = await startGhyll(place, args, options)
  return { stdout, stderr, code: exitCode, signal }
}

/** Opens `ghyll run` full screen in the project of `place`. */
export function openGhyll(place: Place, options: Partial<TerminalOptions> = {}): TerminalDriver {
  return openTerminal({ command: ghyllPath, args: ['run'], cwd: place.project, env: place.env, ...options })
}
