import { execa } from 'execa'

const programs: readonly (readonly [name: string, ...args: string[]])[] = [
  ['pbcopy'],
  ['wl-copy'],
  ['xclip', '-selection', 'clipboard'],
  ['xsel', '--clipboard', '--input'],
  ['clip.exe']
]

/** Hands `text` to the first clipboard program that takes it; its name, or null when none did (TERM-23). */
export async function copyWithProgram(text: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  for (const [name, ...args] of programs) {
    if (name === 'wl-copy' && !env.WAYLAND_DISPLAY) continue
    if ((name === 'xclip' || name === 'xsel') && !env.DISPLAY) continue
    const result = await execa(name, args, {
      input: text,
      reject: false,
      timeout: 2_000,
      stdout: 'ignore',
      stderr: 'ignore'
    })
    if (result.exitCode === 0) return name
  }
  return null
}
