import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageOf } from '../../lib/error.ts'

/** Shows `text` in the operator's pager on the real terminal (TERM-24). Resolves to an error line, or null. */
export async function showInPager(text: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  const command = env.PAGER?.trim() || 'less'
  return withFile('transcript.md', text, async (file) => runOnTerminal(command, file, env))
}

/** Lets the operator edit `text` in their editor (TERM-47). `text` is null when the editor failed; the draft is then kept. */
export async function editInEditor(
  text: string,
  env: NodeJS.ProcessEnv
): Promise<{ readonly text: string | null; readonly error: string | null }> {
  const command = env.VISUAL?.trim() || env.EDITOR?.trim() || 'vi'
  return withFile('draft.md', text, async (file) => {
    const error = await runOnTerminal(command, file, env)
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
function runOnTerminal(command: string, file: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', `${command} "$1"`, 'sh', file], { stdio: 'inherit', env })
    child.once('error', (thrown) => resolve(`${command}: ${messageOf(thrown)}`))
    child.once('exit', (code, signal) => {
      if (code === 0) resolve(null)
      else resolve(`${command} ended with ${signal ?? `exit status ${code}`}`)
    })
  })
}
