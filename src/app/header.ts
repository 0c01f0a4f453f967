import { sep } from 'node:path'
import type { HeaderFacts } from '../protocol/event.ts'
import type { Started } from './start.ts'

/** What the header shows before anything else is known. */
export function headerOf(started: Started): HeaderFacts {
  return {
    model: started.model,
    tier: tierOf(started.model, started),
    workdir: withTilde(started.workdir, started.env.HOME),
    branch: started.branch,
    gridVersion: null,
    residue: null,
    unevaluated: null,
    opId: null
  }
}

export function tierOf(model: string, { locked, config }: Pick<Started, 'locked' | 'config'>): HeaderFacts['tier'] {
  if (locked) return 'locked'
  if (model === config.routing.defaultModel) return 'fast'
  return model === config.routing.deepModel ? 'deep' : 'other'
}

/** The path with the home directory as `~` (SESS-023). */
export function withTilde(path: string, home: string | undefined): string {
  if (home === undefined || home === '' || home === sep) return path
  if (path === home) return '~'
  return path.startsWith(`${home}${sep}`) ? `~${path.slice(home.length)}` : path
}
