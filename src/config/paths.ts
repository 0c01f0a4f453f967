import { isAbsolute, join, resolve } from 'node:path'
import { ConfigFailure } from './errors.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Where ghyll's files live in the user's home (all absolute). */
export type HomePaths = {
  /** `~/.ghyll` */
  readonly folder: string
  readonly config: string
  readonly memoryDb: string
  readonly keys: string
  readonly embedderModel: string
  readonly instructions: string
  readonly commands: string
  readonly guidelines: string
  readonly reviewers: string
  readonly vaultDb: string
  readonly vaultDevices: string
}

/** The user's home folder; never the current one. Throws `ConfigFailure` when the environment names none (CFG-002). */
export function homeFolder(env: Environment): string {
  const home = env.HOME
  if (home === undefined || home === '') throw new ConfigFailure('home-unset', ['HOME is not set'])
  if (!isAbsolute(home)) throw new ConfigFailure('home-unset', [`HOME is not an absolute path: ${home}`])
  return home
}

/** Every path below `~/.ghyll`, and the configuration where `GHYLL_CONFIG` says (CFG-001). Throws `ConfigFailure` (CFG-002). */
export function homePaths(env: Environment): HomePaths {
  const home = homeFolder(env)
  const folder = join(home, '.ghyll')
  const override = env.GHYLL_CONFIG?.trim()
  return {
    folder,
    config: override ? resolve(expandHome(override, home)) : join(folder, 'config.toml'),
    memoryDb: join(folder, 'memory.db'),
    keys: join(folder, 'keys'),
    embedderModel: join(folder, 'models', 'gte-small.onnx'),
    instructions: join(folder, 'instructions.md'),
    commands: join(folder, 'commands'),
    guidelines: join(folder, 'guidelines'),
    reviewers: join(folder, 'reviewers'),
    vaultDb: join(folder, 'vault.db'),
    vaultDevices: join(folder, 'vault', 'devices')
  }
}

/** `~` and `~/…` with the home folder in their place; any other path as it is. */
export function expandHome(path: string, home: string): string {
  if (path === '~') return home
  return path.startsWith('~/') ? join(home, path.slice(2)) : path
}

/** Whether a path of the configuration leans on something only a shell expands: `$HOME/x`, `~other/x` (MEM-123). */
export function needsShell(path: string): boolean {
  return path.includes('$') || /^~[^/]/.test(path)
}
