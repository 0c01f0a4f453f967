import { existsSync, readFileSync, readlinkSync } from 'node:fs'

export type SandboxKind =
  | 'assumed-safe'
  | 'docker'
  | 'podman'
  | 'lxc'
  | 'kubernetes'
  | 'firejail'
  | 'bubblewrap'
  | 'sandbox-exec'
  | 'none'

/** `detail` is empty for `none`. */
export type Sandbox = { readonly kind: SandboxKind; readonly detail: string }

/** What detection may look at. Whatever is missing or unreadable is null and counts as "no signal". */
export interface SandboxProbe {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  exists(path: string): boolean
  read(path: string): string | null
  readLink(path: string): string | null
}

/** The rows of CFG-050 in their order; the first that holds decides. */
export function detectSandbox(probe: SandboxProbe): Sandbox {
  return (
    assumedSafe(probe) ??
    fromEnvironment(probe) ??
    (probe.platform === 'linux' ? onLinux(probe) : null) ??
    (probe.platform === 'darwin' ? onMacOs(probe) : null) ?? { kind: 'none', detail: '' }
  )
}

export type SandboxVerdict =
  | {
      readonly kind: 'continue'
      readonly level: 'info' | 'warning'
      /** Without glyph. */
      readonly text: string
      /** The session keeps a mark in its status line (CFG-053). */
      readonly marked: boolean
    }
  | { readonly kind: 'refuse'; readonly text: string }

/** What follows from it under `GHYLL_REQUIRE_SANDBOX` (CFG-051, CFG-052). */
export function applySandboxPolicy(sandbox: Sandbox, env: SandboxProbe['env']): SandboxVerdict {
  if (sandbox.kind === 'assumed-safe')
    return { kind: 'continue', level: 'info', text: `sandbox check bypassed: ${sandbox.detail}`, marked: false }
  if (sandbox.kind !== 'none')
    return {
      kind: 'continue',
      level: 'info',
      text: `sandbox detected: ${sandbox.kind} (${sandbox.detail})`,
      marked: false
    }
  if (isRequired(env))
    return {
      kind: 'refuse',
      text: 'no sandbox detected and GHYLL_REQUIRE_SANDBOX is set; start inside a sandbox or set GHYLL_SANDBOX_ASSUME_SAFE=<reason>'
    }
  return {
    kind: 'continue',
    level: 'warning',
    text: 'no sandbox detected: model tool calls run directly with your privileges (set GHYLL_REQUIRE_SANDBOX=1 to refuse)',
    marked: true
  }
}

/** The probe of this machine. */
export function systemSandboxProbe(env: SandboxProbe['env'] = process.env): SandboxProbe {
  return {
    platform: process.platform,
    env,
    exists: existsSync,
    read: (path) => orNull(() => readFileSync(path, 'utf8')),
    readLink: (path) => orNull(() => readlinkSync(path))
  }
}

function isRequired(env: SandboxProbe['env']): boolean {
  return ['1', 'true', 'yes', 'on'].includes((env.GHYLL_REQUIRE_SANDBOX ?? '').trim().toLowerCase())
}

function assumedSafe({ env }: SandboxProbe): Sandbox | null {
  const reason = env.GHYLL_SANDBOX_ASSUME_SAFE?.trim()
  return reason ? { kind: 'assumed-safe', detail: `GHYLL_SANDBOX_ASSUME_SAFE=${reason}` } : null
}

function fromEnvironment({ env }: SandboxProbe): Sandbox | null {
  const container = env.container
  const kind = (['docker', 'podman', 'lxc'] as const).find((each) => each === container?.toLowerCase())
  if (kind !== undefined) return { kind, detail: `container=${container}` }
  if (env.KUBERNETES_SERVICE_HOST) return { kind: 'kubernetes', detail: 'KUBERNETES_SERVICE_HOST set' }
  return null
}

const cgroupMarks = [
  ['docker', 'docker'],
  ['podman', 'podman'],
  ['kubepods', 'kubernetes'],
  ['lxc', 'lxc'],
  ['containerd', 'docker']
] as const

function onLinux(probe: SandboxProbe): Sandbox | null {
  const firejail = probe.env.FIREJAIL_FILE
  if (firejail) return { kind: 'firejail', detail: `FIREJAIL_FILE=${firejail}` }
  if (probe.exists('/.dockerenv')) return { kind: 'docker', detail: '/.dockerenv present' }
  if (probe.exists('/run/.containerenv')) return { kind: 'podman', detail: '/run/.containerenv present' }

  const init = probe.read('/proc/1/comm')?.trim()
  if (init?.startsWith('bwrap')) return { kind: 'bubblewrap', detail: `/proc/1/comm=${init}` }

  const cgroup = probe.read('/proc/1/cgroup') ?? ''
  const found = cgroupMarks.find(([mark]) => cgroup.includes(mark))
  if (found !== undefined) return { kind: found[1], detail: `/proc/1/cgroup contains ${found[0]}` }

  const pids =
    /^NSpid:(.*)$/m
      .exec(probe.read('/proc/self/status') ?? '')?.[1]
      ?.trim()
      .split(/\s+/) ?? []
  if (pids.length > 1) return { kind: 'bubblewrap', detail: 'PID namespace detected' }

  const own = probe.readLink('/proc/self/ns/pid')
  const first = probe.readLink('/proc/1/ns/pid')
  if (own !== null && first !== null && own !== first)
    return { kind: 'bubblewrap', detail: '/proc/self/ns/pid differs from /proc/1/ns/pid' }
  return null
}

function onMacOs({ env }: SandboxProbe): Sandbox | null {
  return env.SANDBOX_TYPE ? { kind: 'sandbox-exec', detail: `SANDBOX_TYPE=${env.SANDBOX_TYPE}` } : null
}

function orNull<T>(look: () => T): T | null {
  try {
    return look()
  } catch {
    return null // CFG-050: what cannot be read is no signal
  }
}
