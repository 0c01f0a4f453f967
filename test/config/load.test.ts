import { chownSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../src/config/load.ts'
import { failureOf, homeWith, load, minimal, problems } from './support.ts'

const one = (text: string, options?: Parameters<typeof problems>[1]) => {
  const found = problems(minimal + text, options)
  expect(found).toHaveLength(1)
  return found[0]
}

describe('CFG-001, CFG-002', () => {
  test('GHYLL_CONFIG takes the place of ~/.ghyll/config.toml', () => {
    const { home } = homeWith('not even toml')
    const other = join(home, 'other.toml')
    writeFileSync(other, minimal)
    expect(loadConfig({ env: { HOME: home, GHYLL_CONFIG: other } }).path).toBe(other)
  })

  test('without HOME nothing is read, not even from the current folder', () => {
    for (const env of [{}, { HOME: '' }]) {
      const failure = failureOf(() => loadConfig({ env }))
      expect(failure).toMatchObject({ code: 'home-unset', message: 'HOME is not set' })
    }
    expect(failureOf(() => loadConfig({ env: { HOME: 'here' } })).code).toBe('home-unset')
  })

  test('CFG-032 without a file says how to get one', () => {
    const { home, path } = homeWith(null)
    expect(failureOf(() => loadConfig({ env: { HOME: home } }))).toMatchObject({
      code: 'config-missing',
      message: `no config found at ${path}; run "ghyll run" once to create it`
    })
  })
})

describe('CFG-003', () => {
  test('a file above 1 MiB is refused, one of exactly that size is read', () => {
    const padded = (size: number) => `${minimal}#${'x'.repeat(size - minimal.length - 1)}`
    expect(load(padded(1024 * 1024)).routing.defaultModel).toBe('m25')
    expect(failureOf(() => load(padded(1024 * 1024 + 1)))).toMatchObject({
      code: 'config-unreadable',
      message: expect.stringContaining('larger than 1 MiB')
    })
  })

  test('a link to a file of the same user is followed, a dangling or looping one refused', () => {
    const { home, path } = homeWith(minimal)
    const target = join(home, 'dotfiles.toml')
    writeFileSync(target, minimal, { mode: 0o600 })
    rmSync(path)
    symlinkSync(target, path)
    expect(loadConfig({ env: { HOME: home } }).path).toBe(path)
    for (const bad of [join(home, 'nowhere'), path]) {
      rmSync(path)
      symlinkSync(bad, path)
      expect(failureOf(() => loadConfig({ env: { HOME: home } })).message).toBe(`refusing symlink: ${path}`)
    }
  })

  test('a link to a file of somebody else is refused', () => {
    const { home, path } = homeWith(null)
    const foreign = join(home, 'foreign.toml')
    writeFileSync(foreign, minimal)
    if (process.getuid?.() === 0) chownSync(foreign, 65534, 65534)
    symlinkSync(process.getuid?.() === 0 ? foreign : '/etc/passwd', path)
    expect(failureOf(() => loadConfig({ env: { HOME: home } })).message).toBe(`refusing symlink: ${path}`)
  })

  test('a folder in its place, and bytes that are no text', () => {
    const { home, path } = homeWith(null)
    mkdirSync(path)
    expect(failureOf(() => loadConfig({ env: { HOME: home } })).message).toBe(`not a regular file: ${path}`)
    const bytes = homeWith(new Uint8Array([0x61, 0xff, 0xfe]))
    expect(failureOf(() => loadConfig({ env: { HOME: bytes.home } })).message).toContain('not valid UTF-8')
  })
})

describe('CFG-004', () => {
  test('a syntax error is told with path, line and column, without quoting the file', () => {
    const { home, path } = homeWith('[models.m25]\napi_key = SENTINEL\n')
    const failure = failureOf(() => loadConfig({ env: { HOME: home } }))
    expect(failure.code).toBe('config-syntax')
    expect(failure.message).toMatch(new RegExp(`^${path}:2:\\d+: \\w`))
    expect(failure.message).not.toContain('SENTINEL')
    expect(failure.message).not.toContain('\n')
  })
})

describe('CFG-005', () => {
  test.each(['api_token', 'api-key', 'apikey', 'auth_token', 'AUTH_KEY', 'Token', 'bearer', 'secret', 'API_KEY'])(
    '%s under a model is taken for a misspelt key',
    (name) => {
      expect(problems(`${minimal}"${name}" = "SENTINEL"`)).toEqual([
        `unknown key "${name}" under [models.m25] — did you mean 'api_key'?`
      ])
    }
  )

  test('other unknown keys are one warning each', () => {
    const config = load(
      `strange = 1\n${minimal}colour = "red"\n[tools]\nmax_call_depth = 60\nbash_timeout = 5\n[memory.embedder]\nx = 1\n[nowhere]\ny = 1`
    )
    expect([...config.warnings].sort()).toEqual(
      [
        "model 'm25': no dialect set, assuming minimax",
        'config: unknown key strange',
        'config: unknown key models.m25.colour',
        'config: unknown key tools.max_call_depth (the ceiling of 50 tool calls is fixed)',
        'config: unknown key tools.bash_timeout',
        'config: unknown key memory.embedder.x',
        'config: unknown key nowhere'
      ].sort()
    )
  })

  test('sections that are read elsewhere are nothing to warn of', () => {
    const dialect = `${minimal}dialect = "glm"\n`
    const text = `${dialect}[workbench]\na=1\n[commands.review]\nb=1\n[[hooks]]\nc=1\n[remote_control]\nd=1\n[approval]\ne=1`
    expect(load(text).warnings).toEqual([])
  })
})

describe('CFG-006', () => {
  test.each([
    ['[tools]\nbash_timeout_seconds = "x"', 'config: tools.bash_timeout_seconds: must be a whole number, got "x"'],
    ['[tools]\nbash_timeout_seconds = 1.5', 'config: tools.bash_timeout_seconds: must be a whole number, got 1.5'],
    ['[tools]\nbash_timeout_seconds = 0', 'config: tools.bash_timeout_seconds: must be between 1 and 3600, got 0'],
    [
      '[tools]\nfile_timeout_seconds = 3601',
      'config: tools.file_timeout_seconds: must be between 1 and 3600, got 3601'
    ],
    ['[tools]\nweb_timeout_seconds = -1', 'config: tools.web_timeout_seconds: must be between 1 and 3600, got -1'],
    ['[tools]\nweb_max_response_tokens = 0', 'config: tools.web_max_response_tokens: must be at least 1, got 0'],
    ['[tools]\nprefer_ripgrep = 1', 'config: tools.prefer_ripgrep: must be true or false, got 1'],
    ['[tools]\nweb_search_backend = "bing"', 'unknown web_search_backend "bing"'],
    [
      '[tools]\nweb_search_url = "ftp://x"',
      'config: tools.web_search_url: must be an http or https URL, got "ftp://x"'
    ],
    ['[routing]\ncontext_depth_threshold = 0', 'config: routing.context_depth_threshold: must be at least 1, got 0'],
    ['[routing]\ntool_depth_threshold = 51', 'config: routing.tool_depth_threshold: must be between 1 and 50, got 51'],
    ['[routing]\ngate_floor_escalate_at_rank = 4', 'gate_floor_escalate_at_rank = 4 out of 0..3'],
    ['[routing]\ngate_floor_escalate_at_rank = -1', 'gate_floor_escalate_at_rank = -1 out of 0..3'],
    ['[routing]\ndefault_model = "x"', "default model 'x' has no endpoint configured"],
    ['[routing]\ndefault_model = "constructor"', "default model 'constructor' has no endpoint configured"],
    ['[routing]\ndeep_model = "x"', "deep model 'x' has no endpoint configured"],
    ['[sub_agent]\ndefault_model = "x"', "sub-agent model 'x' has no endpoint configured"],
    ['[memory]\nbranch = "a b"', 'config: memory.branch: must be a valid branch name, got "a b"'],
    ['[memory]\nbranch = "x.lock"', 'config: memory.branch: must be a valid branch name, got "x.lock"'],
    ['[memory]\nsync_interval_seconds = 4', 'config: memory.sync_interval_seconds: must be at least 5, got 4'],
    ['[memory]\ncheckpoint_interval_turns = 0', 'config: memory.checkpoint_interval_turns: must be at least 1, got 0'],
    [
      '[memory]\ndrift_check_interval_turns = 0',
      'config: memory.drift_check_interval_turns: must be at least 1, got 0'
    ],
    ['[memory]\ndrift_threshold = 0', 'config: memory.drift_threshold: must be above 0 and at most 1, got 0'],
    ['[memory]\ndrift_threshold = 1.01', 'config: memory.drift_threshold: must be above 0 and at most 1, got 1.01'],
    ['[memory]\ndrift_threshold = nan', 'config: memory.drift_threshold: must be a number, got NaN'],
    [
      '[memory.embedder]\nmodel_url = "http://example.com/m"',
      'config: memory.embedder.model_url: must be https, or http on a loopback address, got "http://example.com/m"'
    ],
    [
      '[memory.embedder]\nmodel_sha256 = "abc"',
      'config: memory.embedder.model_sha256: must be 64 hexadecimal digits, got "abc"'
    ],
    [
      '[memory.embedder]\nmodel_path = "$HOME/m"',
      'config: memory.embedder.model_path: variables and ~user are not expanded; write the path out or begin it with ~/, got "$HOME/m"'
    ],
    [
      '[memory.embedder]\nmodel_path = "~bob/m"',
      'config: memory.embedder.model_path: variables and ~user are not expanded; write the path out or begin it with ~/, got "~bob/m"'
    ],
    [
      '[memory.embedder]\ndimensions = 4097',
      'config: memory.embedder.dimensions: must be between 1 and 4096, got 4097'
    ],
    [
      '[memory.embedder]\ntokenizer = "bpe"',
      'config: memory.embedder.tokenizer: must be "wordpiece" or "hash", got "bpe"'
    ],
    ['[sub_agent]\nmax_turns = 201', 'config: sub_agent.max_turns: must be between 1 and 200, got 201'],
    ['[sub_agent]\ntoken_budget = 999', 'config: sub_agent.token_budget: must be at least 1000, got 999'],
    ['[sub_agent]\ntimeout_seconds = 0', 'config: sub_agent.timeout_seconds: must be between 1 and 3600, got 0'],
    [
      '[workflow]\ninstruction_budget_tokens = -1',
      'config: workflow.instruction_budget_tokens: must be at least 0, got -1'
    ],
    [
      '[workflow]\nfallback_folders = ["a/../b"]',
      'config: workflow.fallback_folders: must be relative paths without "..", got ["a/../b"]'
    ],
    [
      '[workflow]\nfallback_folders = ["/etc"]',
      'config: workflow.fallback_folders: must be relative paths without "..", got ["/etc"]'
    ],
    ['[workflow]\nfallback_folders = [1]', 'config: workflow.fallback_folders: must be a string, got [1]'],
    ['[vault]\nurl = "file:///x"', 'config: vault.url: must be an http or https URL, got "file:///x"'],
    ['[vault]\ntoken = "a\\u0007b"', 'config: vault.token: must not contain control characters, got a string'],
    ['[vault]\ntoken = 5', 'config: vault.token: must be a string, got a number'],
    ['[ui]\nnotify = "loud"', 'config: ui.notify: must be "bell", "osc9" or "none", got "loud"'],
    ['[ui]\nmouse = "yes"', 'config: ui.mouse: must be true or false, got "yes"'],
    ['[ui]\nmouse = 2020-01-01', 'config: ui.mouse: must be true or false, got 2020-01-01'],
    ['[[routing]]\nx = 1', 'config: routing: must be a table, got a list']
  ])('%s', (text, problem) => {
    expect(one(text)).toBe(problem)
  })

  test('all problems are told, not only the first', () => {
    const text =
      '[tools]\nbash_timeout_seconds = 0\nfile_timeout_seconds = "x"\n[routing]\ndeep_model = "y"\n[models.a]\n'
    expect(problems(text)).toEqual([
      "model 'a' has no endpoint",
      'config: tools.bash_timeout_seconds: must be between 1 and 3600, got 0',
      'config: tools.file_timeout_seconds: must be a whole number, got "x"',
      "default model 'm25' has no endpoint configured",
      "deep model 'y' has no endpoint configured"
    ])
  })
})

describe('MODEL-066', () => {
  const url = 'https://bob:SENTINEL@host.example/'
  test.each([
    [
      `[vault]\nurl = "${url}"`,
      'config: vault.url: must not contain a user name or password, got "https://***@host.example/"'
    ],
    [
      `[tools]\nweb_search_url = "${url}"`,
      'config: tools.web_search_url: must not contain a user name or password, got "https://***@host.example/"'
    ],
    [
      `[memory.embedder]\nmodel_url = "${url}"`,
      'config: memory.embedder.model_url: must not contain a user name or password, got "https://***@host.example/"'
    ],
    [
      `[vault]\nurl = "ftp://bob:SENTINEL@host.example/"`,
      'config: vault.url: must be an http or https URL, got "ftp://***@host.example/"'
    ],
    [`[vault]\nurl = ["${url}"]`, 'config: vault.url: must be a string, got ["https://***@host.example/"]']
  ])('a URL with a password is no address and not told: %s', (text, problem) => {
    expect(one(text)).toBe(problem)
  })
})

describe('CFG-007', () => {
  const secret = `${minimal}api_key = "k"\n`
  test.each([
    [secret, 0o644, '0644'],
    [secret, 0o640, '0640'],
    [secret, 0o604, '0604'],
    [`${minimal}[vault]\ntoken = "t"`, 0o644, '0644']
  ])('a secret in a file that others can read (%#)', (text, mode, shown) => {
    const { home, path } = homeWith(text, mode)
    expect(failureOf(() => loadConfig({ env: { HOME: home } })).problems).toEqual([
      `config holds a secret but mode ${shown} lets group or others read it; run chmod 0600 ${path}`
    ])
  })

  test.each([
    [secret, 0o600],
    [secret, 0o400],
    [minimal, 0o644],
    [`${minimal}api_key = " "\n`, 0o644]
  ])('without a secret, or for its owner alone, the mode is no matter (%#)', (text, mode) => {
    expect(load(text, { mode }).routing.defaultModel).toBe('m25')
  })
})

describe('CFG-008', () => {
  test('an omitted key and an explicit zero are told apart', () => {
    const omitted = load(minimal)
    expect(omitted.routing.gateFloorEscalateAtRank).toBe(2)
    expect(omitted.tools.maxResultBytes).toBe(8192)
    expect(omitted.given.has('routing.gate_floor_escalate_at_rank')).toBe(false)
    const zero = load(
      `${minimal}[routing]\ngate_floor_escalate_at_rank = 0\nenable_auto_routing = false\n[tools]\nmax_result_bytes = 0`
    )
    expect(zero.routing.gateFloorEscalateAtRank).toBe(0)
    expect(zero.routing.enableAutoRouting).toBe(false)
    expect(zero.given.has('routing.gate_floor_escalate_at_rank')).toBe(true)
    expect([...zero.given].sort()).toEqual([
      'models.m25.endpoint',
      'routing.enable_auto_routing',
      'routing.gate_floor_escalate_at_rank',
      'tools.max_result_bytes'
    ])
  })

  test.each([
    [-1, -1],
    [0, 8192],
    [-2, 8192],
    [1, 1]
  ])('TOOL-011 max_result_bytes = %i means %i', (written, meant) => {
    expect(load(`${minimal}[tools]\nmax_result_bytes = ${written}`).tools.maxResultBytes).toBe(meant)
  })

  test('[vault] counts as there when it is empty', () => {
    expect(load(minimal).vault).toBeNull()
    expect(load(`${minimal}[vault]`).vault).toEqual({
      url: null,
      token: null,
      keysDir: null,
      listen: null,
      allowSegments: true
    })
  })
})

describe('CFG-009', () => {
  test('the result is frozen to the bottom', () => {
    const config = load(minimal)
    const writable = config as unknown as {
      routing: { defaultModel: string }
      models: Record<string, { name: string }>
      workflow: { fallbackFolders: string[] }
      given: Set<string>
      warnings: string[]
    }
    expect(() => {
      writable.routing.defaultModel = 'x'
    }).toThrow(TypeError)
    expect(() => {
      writable.models.m25!.name = 'x'
    }).toThrow(TypeError)
    expect(() => {
      writable.models.x = { name: 'x' }
    }).toThrow(TypeError)
    expect(() => writable.workflow.fallbackFolders.push('x')).toThrow(TypeError)
    expect(() => writable.warnings.push('x')).toThrow(TypeError)
    expect(() => writable.given.add('x')).toThrow(TypeError)
    expect(() => writable.given.clear()).toThrow(TypeError)
  })
})

describe('embedder (MEM-121, MEM-123)', () => {
  const embedder = (text: string) => load(`${minimal}[memory.embedder]\n${text}`).memory.embedder
  test('the default address has its digest, written out or not; another has only a configured one', () => {
    const known = embedder('').modelSha256
    expect(known).toMatch(/^398a2999/)
    expect(embedder(`model_url = "${embedder('').modelUrl}"`).modelSha256).toBe(known)
    expect(embedder('model_url = "https://example.com/m.onnx"').modelSha256).toBeNull()
    expect(embedder(`model_url = "http://127.0.0.1/m"\nmodel_sha256 = "${'AB'.repeat(32)}"`).modelSha256).toBe(
      'ab'.repeat(32)
    )
  })

  test('~/ is the home folder', () => {
    const { home } = homeWith(`${minimal}[memory.embedder]\nmodel_path = "~/m.onnx"`)
    expect(loadConfig({ env: { HOME: home } }).memory.embedder.modelPath).toBe(join(home, 'm.onnx'))
  })
})
