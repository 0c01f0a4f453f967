import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageOf } from '../../lib/error.ts'
import { descendantsOf } from '../../platform/process-list.ts'

/** What a program on the terminal runs with. */
export type Surroundings = {
  readonly env: NodeJS.ProcessEnv
  /** Aborts when ghyll ends: whoever has the terminal then has to give it back (TERM-5). */
  readonly signal: AbortSignal
}

/** Between asking a program to give the terminal back and taking it, milliseconds. */
const graceMs = 1000

/** Shows `text` in the operator's pager on the real terminal (TERM-24). Resolves to an error line, or null. */
export async function showInPager(text: string, around: Surroundings): Promise<string | null> {
  const command = around.env.PAGER?.trim() || 'less'
  return withFile('transcript.md', text, async (file) => runOnTerminal(command, file, around))
}

/** Lets the operator edit `text` in their editor (TERM-47). `text` is null when the editor failed; the draft is then kept. */
export async function editInEditor(
  text: string,
  around: Surroundings
): Promise<{ readonly text: string | null; readonly error: string | null }> {
  const { env } = around
  const command = env.VISUAL?.trim() || env.EDITOR?.trim() || 'vi'
  return withFile('draft.md', text, async (file) => {
    const error = await runOnTerminal(command, file, around)
    if (error !== null) return { text: null, error }
    const edited = await readFile(file, 'utf8')
    return { text: edited.replace(/\n$/, ''), error: null }
  })
}

async function withFile<T>(name: string, text: string, use: (file: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'ghyll-'))
  try {
    const file = join(folder, name)
    await writeFile(file, text, { mode: 0o600 })
    return await use(file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

// PAGER and EDITOR hold shell words (`code --wait`), so a shell runs them; the file name is an argument, never part of the text.
function runOnTerminal(command: string, file: string, { env, signal }: Surroundings): Promise<string | null> {
  if (signal.aborted) return Promise.resolve(`${command}: ghyll is ending`)
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', `${command} "$1"`, 'sh', file], { stdio: 'inherit', env })
    let hard: NodeJS.Timeout | undefined
    const end = () => {
      if (child.pid === undefined) return
      const shell = child.pid
      // Politely to what the shell runs, for the shell ends with it and must not leave it behind.
      const running = descendantsOf(shell)
      signalEach(running.length === 0 ? [shell] : running, 'SIGTERM')
      hard = setTimeout(() => signalEach([...descendantsOf(shell), shell], 'SIGKILL'), graceMs)
    }
    const settle = (error: string | null) => {
      clearTimeout(hard)
      signal.removeEventListener('abort', end)
      resolve(error)
    }
    signal.addEventListener('abort', end, { once: true })
    child.once('error', (thrown) => settle(`${command}: ${messageOf(thrown)}`))
    child.once('exit', (code, killed) => {
      if (code === 0) settle(null)
      else settle(`${command} ended with ${killed ?? `exit status ${code}`}`)
    })
  })
}

/** They stay in the terminal's own group, which is ghyll's as well, so each is signalled by itself. */
function signalEach(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // It ended by itself meanwhile.
    }
  }
}
