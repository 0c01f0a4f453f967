import { describe, expect, test } from 'vitest'
import { applySandboxPolicy, detectSandbox, type SandboxProbe, systemSandboxProbe } from '../../src/platform/sandbox.ts'

type Machine = {
  platform?: NodeJS.Platform
  env?: Record<string, string>
  files?: Record<string, string>
  links?: Record<string, string>
}
const probe = ({ platform = 'linux', env = {}, files = {}, links = {} }: Machine): SandboxProbe => ({
  platform,
  env,
  exists: (path) => path in files,
  read: (path) => files[path] ?? null,
  readLink: (path) => links[path] ?? null
})
const cgroup = (text: string) => ({ files: { '/proc/1/cgroup': text } })

describe('CFG-050, row by row', () => {
  test.each<[string, Machine, string, string]>([
    ['1 assumed', { env: { GHYLL_SANDBOX_ASSUME_SAFE: ' vm ' } }, 'assumed-safe', 'GHYLL_SANDBOX_ASSUME_SAFE=vm'],
    ['1 blank reason', { env: { GHYLL_SANDBOX_ASSUME_SAFE: '  ' } }, 'none', ''],
    ['2 docker', { env: { container: 'Docker' } }, 'docker', 'container=Docker'],
    ['2 podman', { env: { container: 'podman' } }, 'podman', 'container=podman'],
    ['2 lxc', { env: { container: 'lxc' } }, 'lxc', 'container=lxc'],
    ['2 another value', { env: { container: 'oci' } }, 'none', ''],
    ['3 kubernetes', { env: { KUBERNETES_SERVICE_HOST: '10.0.0.1' } }, 'kubernetes', 'KUBERNETES_SERVICE_HOST set'],
    ['4 firejail', { env: { FIREJAIL_FILE: '/p' } }, 'firejail', 'FIREJAIL_FILE=/p'],
    ['5 docker', { files: { '/.dockerenv': '' } }, 'docker', '/.dockerenv present'],
    ['6 podman', { files: { '/run/.containerenv': '' } }, 'podman', '/run/.containerenv present'],
    ['7 bwrap', { files: { '/proc/1/comm': 'bwrap-x\n' } }, 'bubblewrap', '/proc/1/comm=bwrap-x'],
    ['8 docker', cgroup('0::/docker/ab'), 'docker', '/proc/1/cgroup contains docker'],
    ['8 podman', cgroup('0::/libpod/podman-1'), 'podman', '/proc/1/cgroup contains podman'],
    ['8 kubepods', cgroup('0::/kubepods/x'), 'kubernetes', '/proc/1/cgroup contains kubepods'],
    ['8 lxc', cgroup('0::/lxc/x'), 'lxc', '/proc/1/cgroup contains lxc'],
    ['8 containerd', cgroup('0::/containerd/x'), 'docker', '/proc/1/cgroup contains containerd'],
    ['8 order', cgroup('0::/kubepods/docker-x'), 'docker', '/proc/1/cgroup contains docker'],
    [
      '9 NSpid',
      { files: { '/proc/self/status': 'Name:\tnode\nNSpid:\t812\t3\n' } },
      'bubblewrap',
      'PID namespace detected'
    ],
    ['9 one pid', { files: { '/proc/self/status': 'NSpid:\t812\n' } }, 'none', ''],
    [
      '10 namespaces',
      { links: { '/proc/self/ns/pid': 'pid:[1]', '/proc/1/ns/pid': 'pid:[2]' } },
      'bubblewrap',
      '/proc/self/ns/pid differs from /proc/1/ns/pid'
    ],
    ['10 equal', { links: { '/proc/self/ns/pid': 'pid:[1]', '/proc/1/ns/pid': 'pid:[1]' } }, 'none', ''],
    ['10 unreadable', { links: { '/proc/self/ns/pid': 'pid:[1]' } }, 'none', ''],
    ['11 macOS', { platform: 'darwin', env: { SANDBOX_TYPE: 'x' } }, 'sandbox-exec', 'SANDBOX_TYPE=x'],
    ['11 elsewhere', { env: { SANDBOX_TYPE: 'x' } }, 'none', ''],
    [
      '4–10 not on macOS',
      { platform: 'darwin', env: { FIREJAIL_FILE: 'x' }, files: { '/.dockerenv': '' } },
      'none',
      ''
    ],
    ['12 nothing', {}, 'none', '']
  ])('%s', (_, machine, kind, detail) => {
    expect(detectSandbox(probe(machine))).toEqual({ kind, detail })
  })

  test('the first row that holds decides', () => {
    const everything: Machine = {
      env: { GHYLL_SANDBOX_ASSUME_SAFE: 'ci', container: 'lxc', KUBERNETES_SERVICE_HOST: 'h', FIREJAIL_FILE: 'f' },
      files: { '/.dockerenv': '', '/run/.containerenv': '', '/proc/1/comm': 'bwrap' }
    }
    expect(detectSandbox(probe(everything)).kind).toBe('assumed-safe')
    delete everything.env!.GHYLL_SANDBOX_ASSUME_SAFE
    expect(detectSandbox(probe(everything)).kind).toBe('lxc')
    delete everything.env!.container
    expect(detectSandbox(probe(everything)).kind).toBe('kubernetes')
    delete everything.env!.KUBERNETES_SERVICE_HOST
    expect(detectSandbox(probe(everything)).kind).toBe('firejail')
  })

  test('the probe of this machine answers without throwing', () => {
    const machine = systemSandboxProbe({})
    expect(machine.read('/no/such/file')).toBeNull()
    expect(machine.readLink('/no/such/file')).toBeNull()
    expect(detectSandbox(machine).kind).toBeTypeOf('string')
  })
})

describe('CFG-051, CFG-052', () => {
  const none = { kind: 'none', detail: '' } as const
  const found = { kind: 'docker', detail: '/.dockerenv present' } as const
  const assumed = { kind: 'assumed-safe', detail: 'GHYLL_SANDBOX_ASSUME_SAFE=vm' } as const

  test.each([undefined, '0', 'false', '', 'maybe'])('not required (%s): a warning that stays visible', (value) => {
    const env = { GHYLL_REQUIRE_SANDBOX: value }
    expect(applySandboxPolicy(none, env)).toEqual({
      kind: 'continue',
      level: 'warning',
      marked: true,
      text: 'no sandbox detected: model tool calls run directly with your privileges (set GHYLL_REQUIRE_SANDBOX=1 to refuse)'
    })
    expect(applySandboxPolicy(found, env)).toMatchObject({ text: 'sandbox detected: docker (/.dockerenv present)' })
    expect(applySandboxPolicy(assumed, env)).toMatchObject({
      level: 'info',
      text: 'sandbox check bypassed: GHYLL_SANDBOX_ASSUME_SAFE=vm'
    })
  })

  test.each(['1', 'true', ' YES ', 'On'])('required (%s): refuses only when nothing was found', (value) => {
    const env = { GHYLL_REQUIRE_SANDBOX: value }
    expect(applySandboxPolicy(none, env)).toEqual({
      kind: 'refuse',
      text: 'no sandbox detected and GHYLL_REQUIRE_SANDBOX is set; start inside a sandbox or set GHYLL_SANDBOX_ASSUME_SAFE=<reason>'
    })
    expect(applySandboxPolicy(found, env).kind).toBe('continue')
    expect(applySandboxPolicy(assumed, env).kind).toBe('continue')
  })
})
