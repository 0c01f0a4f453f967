import { sep } from 'node:path'
import type { Session } from '../agent/session/index.ts'
import { currentBranch } from '../platform/repository.ts'
import type { HeaderFacts } from '../protocol/event.ts'
import type { Bus, Say } from './bus.ts'
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

function tierOf(model: string, { locked, config }: Pick<Started, 'locked' | 'config'>): HeaderFacts['tier'] {
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

/** Keeps the header's model and branch true: after a switch, and after a turn, which may have changed branches. */
export function followHeader(bus: Bus, session: Session, started: Started, say: Say): void {
  let shown: Shown = { model: started.model, branch: started.branch }
  const show = (next: Shown) => {
    if (next.model === shown.model && next.branch === shown.branch) return
    shown = next
    say({ kind: 'header-changed', header: { ...next, tier: tierOf(next.model, started) } })
  }
  bus.subscribe((event) => {
    if (event.kind === 'model-switched') show({ ...shown, model: event.to })
    else if (event.kind === 'turn-ended') {
      // A fallback served that turn only (MODEL-061), and a tool may have changed branches.
      const { repository } = started
      show({ model: session.state().model, branch: repository === null ? null : currentBranch(repository) })
    }
  })
}

type Shown = { readonly model: string; readonly branch: string | null }
