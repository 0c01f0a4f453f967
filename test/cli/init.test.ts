import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { addFiles, goModule, makeProject, monorepo, pythonService } from '../support/project.ts'
import { unprivileged } from '../support/unprivileged.ts'
import { type CliResult, cli } from './support.ts'

let project: string
beforeEach(() => {
  project = makeProject()
})

const run = (words: readonly string[], stdin?: string): Promise<CliResult> =>
  cli(['init', ...words], { cwd: project, ...(stdin === undefined ? {} : { stdin }) })
const init = (...words: string[]) => run(['--op-id', 'you@example.com', ...words])
const ghyll = (name: string) => join(project, '.ghyll', name)
const files = () => (existsSync(join(project, '.ghyll')) ? readdirSync(join(project, '.ghyll')).toSorted() : null)

describe('INIT-100…104: what is said', () => {
  test('a fresh repository: three lines, one advisory on fit, the audit; the lock is given back', async () => {
    const { code, out, err } = await init('.')
    expect({ code, out }).toEqual({
      code: 0,
      out: `init complete: 4 arrows across 1 contexts; grid at .ghyll/grid.v1.yaml
  (default context auto-declared — no bounded contexts detected)
  residue: 4 clauses auto-skipped (required args without defaults)
`
    })
    expect(err).toMatch(/^⚠ fit: greenfield, 1 context\(s\), 0 source files; /)
    expect(err).toMatch(/\n⚠ audit: no requirement with a minimum depth is declared anywhere\n/)
    expect(err).toMatch(/\nℹ next: ghyll run there; Ctrl\+G shows the arrows, r runs the marked one\n$/)
    expect(files()).toEqual(['grid.current', 'grid.v1.yaml'])
    expect(readFileSync(ghyll('grid.v1.yaml'), 'utf8')).toMatch(
      /^grid-version: 1\ncontract-revision: "1"\ncreated-at: \S+\ncreated-by-op-id: you@example\.com\nmode: greenfield\nlanguages: \[\]\n/
    )
    expect(readdirSync(project)).toEqual(['.ghyll'])
  })

  test('INIT-101: the path is the folder as typed, normalised', async () => {
    addFiles(project, { 'a/x.md': '' })
    expect((await init('./a/../a/')).out).toContain('grid at a/.ghyll/grid.v1.yaml\n')
    expect((await init(project)).out).toContain(`grid at ${project}/.ghyll/grid.v1.yaml\n`)
  })

  test('a TypeScript monorepo with three contexts', async () => {
    addFiles(project, monorepo)
    expect((await init()).out).toBe(`init complete: 12 arrows across 3 contexts; grid at .ghyll/grid.v1.yaml
  residue: 3 clauses auto-skipped (required args without defaults)
`)
    expect(readFileSync(ghyll('grid.v1.yaml'), 'utf8')).toContain('description: Proposed from packages/billing/')
  })

  test('a Python service: its guideline comes along (INIT-103)', async () => {
    addFiles(project, pythonService)
    expect((await init()).out).toBe(`init complete: 4 arrows across 1 contexts; grid at .ghyll/grid.v1.yaml
  residue: 1 clauses auto-skipped (required args without defaults)
  traits: python inlined into .ghyll/instructions.md
`)
    expect(readFileSync(ghyll('instructions.md'), 'utf8')).toMatch(/# Engineering bias[\s\S]*# Python bias/)
  })

  test('a Go module in the root, with bindings and a context declared', async () => {
    addFiles(project, goModule)
    const { out, err } = await init(
      '--context',
      'tide=The tables',
      '--bind',
      'compiles.go=no-such-go build',
      '--language=none'
    )
    expect(out).toBe(`init complete: 4 arrows across 1 contexts; grid at .ghyll/grid.v1.yaml
  residue: 1 clauses auto-skipped (required args without defaults)
`)
    expect(err).toContain('⚠ binding compiles.go: "no-such-go" is not on the PATH\n')
    expect(err).toContain('⚠ audit: go has no binding for lint-clean, every-step-bound\n')
    expect(files()).not.toContain('instructions.md')
  })
})

describe('INIT-1…5: the command line', () => {
  test.each([
    [[], '--op-id is required'],
    [['--op-id'], '--op-id requires a value'],
    [['--op-id', 'a', '--set'], '--set requires a value'],
    [['--op-id', 'a', '--bogus'], 'unknown option "--bogus"'],
    [['--op-id', 'a', '.', 'more'], 'unexpected argument "more"'],
    [['--op-id', 'a', '--set', 'nothing=1'], 'unknown setting "nothing"'],
    [['--op-id', 'a', '--fit', 'size=1'], '--fit does not take "size=1"']
  ])('%j is wrong usage', async (words, text) => {
    const { code, out, err } = await run(words)
    expect(err.split('\n')[0]).toBe(`ghyll init: ${text}`)
    expect({ code, out, files: files() }).toEqual({ code: 2, out: '', files: null })
  })

  test.each([
    [['attest'], 'ghyll init attest: --op-id is required'],
    [['attest', '--op-id', 'a', '--bogus'], 'ghyll init attest: unknown option "--bogus"'],
    [['repoint', '--op-id', 'a'], 'ghyll init repoint: missing argument <version>'],
    [['repoint', '3', '--op-id', 'a'], 'ghyll init repoint: repoint takes v<N>, not "3"'],
    [['amend', 'drop', '--op-id', 'a'], 'ghyll init amend: unknown act "drop" (bind, skip or language)'],
    [['amend', 'bind', '--op-id', 'a', '--dir'], 'ghyll init amend: --dir requires a value']
  ])('%j of a subcommand', async (words, text) => {
    const { code, err } = await run(words)
    expect([code, err.split('\n')[0]]).toEqual([2, text])
  })

  test.each([
    [['--op-id', '-x'], 'op-id-invalid-characters: must not start with "-"'],
    [['--op-id='], 'op-id-required'],
    [['--op-id', 'a b'], 'op-id-invalid-characters: whitespace at offset 1'],
    [
      ['--op-id', 'a', '--language', 'go,cobol'],
      'unsupported trait language: "cobol" (supported: go, python, cpp, rust, or auto/none)'
    ],
    [
      ['--op-id', 'a', '--set', 'severity-threshold=high'],
      'severity-threshold-weakened: laxer than medium needs a reason'
    ],
    [['--op-id', 'a', '--set', 'remediation-rounds-max=0'], 'remediation-rounds-max-must-be-positive'],
    [['--op-id', 'a', '--context', '1x'], 'profile-context-id-invalid: "1x"'],
    [
      ['--op-id', 'a', '--bind', 'no-todo-marker.go=x'],
      'language-binding-invalid: "no-todo-marker.go": the concept needs no binding'
    ],
    [['--op-id', 'a', '--fit', 'seams=-1'], 'refusal-facts-negative: seams=-1'],
    [['--op-id', 'a', '--override-refusal', ' '], 'refusal-override-residue-required'],
    [['--op-id', 'a', 'missing'], 'stat project dir "missing": ENOENT: no such file or directory, lstat \'.*missing\''],
    [['--op-id', 'a', 'file'], 'project dir "file" is not a directory'],
    [['--op-id', 'a', 'link'], '"link" is a symlink (refused)']
  ])('%j fails before anything is written (INIT-5)', async (words, text) => {
    addFiles(project, { file: '' })
    symlinkSync('.', join(project, 'link'))
    const { code, out, err } = await run(words)
    const line = err.split('\n')[0] ?? ''
    if (text.includes('.*')) expect(line).toMatch(/^ghyll init: stat project dir "missing": ENOENT/)
    else expect(line).toBe(`ghyll init: ${text}`)
    expect({ code, out, files: files() }).toEqual({ code: 1, out: '', files: null })
  })

  test('INIT-21: the op-id is stored in its normal form', async () => {
    await run(['--op-id', 'rene\u0301'])
    expect(readFileSync(ghyll('grid.v1.yaml'), 'utf8')).toContain('created-by-op-id: "ren\u00e9"\n')
  })
})

describe('INIT-40…44: refusal', () => {
  const weak = ['--fit', 'seams=0,novel=no,critical=no']
  const text =
    'refusal proposed: 1 context(s), 0 seams, no novel architecture, not correctness-critical — use a fast agent instead'

  test('ends with 3 and writes nothing', async () => {
    expect(await init(...weak)).toMatchObject({ code: 3, out: '', err: `ghyll init: ${text}\n` })
    expect(files()).toBeNull()
  })

  test('overridden with words, which stay in the grid', async () => {
    expect((await init(...weak, '--override-refusal', 'a\nlesson')).code).toBe(0)
    const grid = readFileSync(ghyll('grid.v1.yaml'), 'utf8')
    expect(grid).toContain('refusal-override: "a\\nlesson"\n')
    expect(grid).toContain('reason: "init-v1: refusal overridden: a lesson" }')
  })
})

describe('INIT-80: no clobber', () => {
  const already = (path: string, hint = '') =>
    `ghyll init: ${path} already exists; refusing to overwrite it (evolve it with a grid amendment)${hint}\n`

  test('a second run refuses and changes nothing', async () => {
    await init()
    const before = readFileSync(ghyll('grid.v1.yaml'))
    expect(await init()).toMatchObject({ code: 1, out: '', err: already('.ghyll/grid.v1.yaml') })
    expect(await init('--dry-run')).toMatchObject({ code: 1, out: '' })
    expect(readFileSync(ghyll('grid.v1.yaml'))).toEqual(before)
  })

  test('a higher version, a pointer alone, or a dangling link count; a lost pointer has its hint', async () => {
    mkdirSync(ghyll(''))
    symlinkSync('nowhere', ghyll('grid.current'))
    expect((await init()).err).toBe(already('.ghyll/grid.current'))
    rmSync(ghyll('grid.current'))
    for (const n of [3, 12]) writeFileSync(ghyll(`grid.v${n}.yaml`), '')
    expect((await init()).err).toBe(
      already('.ghyll/grid.v3.yaml', '; restore the pointer with `ghyll init repoint v12`')
    )
  })

  test('with --force-traits the block alone is rewritten', async () => {
    await init('--language', 'go')
    writeFileSync(
      ghyll('instructions.md'),
      readFileSync(ghyll('instructions.md'), 'utf8').replace('# Go bias', '# Mine')
    )
    expect(await init('--language', 'go', '--force-traits')).toMatchObject({
      code: 0,
      out: 'grid unchanged: .ghyll/grid.v1.yaml already exists\n  traits: go inlined into .ghyll/instructions.md\n'
    })
    expect(readFileSync(ghyll('instructions.md'), 'utf8')).toContain('# Go bias')
  })

  test('a dry run of it refuses, for it writes nothing', async () => {
    await init('--language', 'none')
    expect(await init('--language', 'go', '--force-traits', '--dry-run')).toMatchObject({
      code: 1,
      out: '',
      err: already('.ghyll/grid.v1.yaml')
    })
    expect(files()).toEqual(['grid.current', 'grid.v1.yaml'])
  })
})

describe('when it cannot be written', () => {
  test('INIT-81: a session elsewhere', async () => {
    writeFileSync(join(project, '.ghyll.lock'), `${process.ppid}\n${new Date().toISOString()}\n`)
    expect(await init()).toMatchObject({
      code: 1,
      err: `ghyll init: another ghyll session is active (pid ${process.ppid})\n`
    })
    expect(files()).toBeNull()
  })

  test('a read-only .ghyll', async () => {
    await init('--dry-run')
    mkdirSync(ghyll(''))
    for (const [path, mode] of [
      [project, 0o777],
      [ghyll(''), 0o555]
    ] as const)
      chmodSync(path, mode)
    const result = await unprivileged(() => init())
    expect(result).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/^ghyll init: grid-write-failed: EACCES/)
    })
    chmodSync(ghyll(''), 0o755)
    expect(files()).toEqual([])
  })

  test('a .ghyll that is no folder', async () => {
    writeFileSync(join(project, '.ghyll'), '')
    expect(await init()).toMatchObject({ code: 1, err: expect.stringMatching(/^ghyll init: grid-write-failed: /) })
  })

  test('traits that fail after the grid was written are told as that', async () => {
    addFiles(project, { '.ghyll/instructions.md': '<!-- ghyll-traits-begin -->' })
    const { code, out, err } = await init('--language', 'go')
    expect(code).toBe(1)
    expect(out).toMatch(/^init complete: /)
    expect(err).toContain('ghyll init: grid written; traits failed: trait-block-malformed: 1 begin and 0 end markers')
  })
})

describe('--dry-run and --interactive', () => {
  test('a dry run prints the grid with the audit and writes nothing', async () => {
    const { code, out } = await init('--dry-run')
    expect(code).toBe(0)
    expect(out).toMatch(/^grid-version: 1\n[\s\S]*\nresidue:\n[\s\S]*\n# audit: no requirement/)
    expect(files()).toBeNull()
  })

  test('every clause by hand; the divergence candidates of existing code come along', async () => {
    addFiles(project, goModule)
    const words = ['--op-id', 'a', '--interactive', '--fit', 'critical=yes,seams=0,novel=no', '--language', 'none']
    const answers = ['', ...Array(60).fill('confirm')]
    const asked = await run(words, `${answers.join('\n')}\n`)
    // C8 lacks its dependencies, so confirming it is refused until the input ends.
    expect(asked).toMatchObject({ code: 1, out: '' })
    expect(asked.err).toContain(
      '✗ clause-required-args-missing: kill-server-fails-integration requires critical-deps\n'
    )
    expect(asked.err).toMatch(/ghyll init: abandoned; nothing was written\n$/)
    expect(files()).toBeNull()

    const at = asked.err
      .split('\n')
      .filter((line) => /\[confirm/.test(line))
      .findIndex((line) => line.startsWith('implementer→integrator/default C8'))
    answers[at + 1] = 'skip no server to kill'
    const done = await run(words, `${answers.join('\n')}\n`)
    expect(done.out).toBe(`init complete: 4 arrows across 1 contexts; grid at .ghyll/grid.v1.yaml
  (default context auto-declared — no bounded contexts detected)
  divergence candidates: 2 in .ghyll/divergence-candidates.md
`)
    expect(readFileSync(ghyll('grid.v1.yaml'), 'utf8')).toContain(
      'kind: skipped, arrow: implementer→integrator/default, clause-id: C8'
    )
    expect(readFileSync(ghyll('divergence-candidates.md'), 'utf8')).toContain('`Predict` in tide.go')
  })
})

describe('what comes after the first grid', () => {
  const amend = (...words: string[]) => run(['amend', ...words, '--op-id', 'bob'])
  const impl = 'implementer→integrator/default'

  test('INIT-133…135: amend, one version after the other', async () => {
    await init('--set', 'retention={max-count: 2}')
    expect((await amend('language', 'go')).out).toBe('grid v2: language go: 3 clauses bound, 0 base clauses added\n')
    expect((await amend('skip', 'implementer->integrator/default', 'C8', 'no', 'server')).out).toBe(
      `grid v3: ${impl} C8 skipped\n`
    )
    expect(await amend('skip', impl, 'C7', 'x')).toMatchObject({
      code: 1,
      err: `ghyll init amend: clause-not-deferred: ${impl} C7\n`
    })
    expect(files()).toEqual(['grid.current', 'grid.v2.yaml', 'grid.v3.yaml'])
    expect(readFileSync(ghyll('grid.v3.yaml'), 'utf8')).toContain('reason: no server')
  })

  test('bind, with values as they come from a shell', async () => {
    await init()
    expect(await amend('bind', impl, 'C8', 'critical-deps=[db]', 'kill-cmd.db=stop db')).toMatchObject({
      code: 0,
      out: `grid v2: ${impl} C8 bound\n`
    })
    expect(readFileSync(ghyll('grid.v2.yaml'), 'utf8')).toContain('kill-cmd.db: stop db')
  })

  test('INIT-85, INIT-86: an unusable grid stops it; repoint restores a lost pointer', async () => {
    await init()
    rmSync(ghyll('grid.current'))
    expect(await amend('language', 'go')).toMatchObject({
      code: 1,
      err: 'ghyll init amend: grid-current-absent: on disk: v1\nghyll init amend: choose one with `ghyll init repoint v<N>`\n'
    })
    expect(await run(['repoint', 'v2', '--op-id', 'a'])).toMatchObject({ code: 1 })
    expect(await run(['repoint', 'v1', '--op-id', 'a'])).toMatchObject({ code: 0, out: 'grid.current names v1\n' })
    expect((await amend('language', 'go')).code).toBe(0)
  })

  test('INIT-123: attesting needs a sound op-id, a grid, and the store that keeps records', async () => {
    const attest = (opId: string) => run(['attest', '--op-id', opId])
    expect(await attest('a b')).toMatchObject({
      code: 1,
      err: 'ghyll init attest: op-id-invalid-characters: whitespace at offset 1\n'
    })
    expect((await attest('a')).err).toMatch(/^ghyll init attest: grid-current-absent: no grid version on disk\n/)
    await init()
    expect(await attest('a')).toMatchObject({
      code: 0,
      err: '',
      out: 'ghyll init attest: 4 init attestations recorded for op-id=a (grid v1, 4 arrows)\n'
    })
  })
})
