import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { gateScenes } from '../../src/demo/scenes/gate.ts'
import { defaultScript } from '../../src/demo/scenes/index.ts'
import { gridText, readActiveGrid } from '../../src/gate/bootstrap/index.ts'
import { loadCatalogue } from '../../src/gate/catalogue/index.ts'
import type { Arrow } from '../../src/protocol/grid.ts'
import { keptContent } from '../support/gate-kill.ts'
import { analysis, askingArrow, gateFile, makeGatePlace } from '../support/gate-place.ts'
import { runGhyll } from '../support/ghyll.ts'
import { startModelServer } from '../support/model-server.ts'
import { type Place, twoModels } from '../support/place.ts'

// The built program, killed inside the commit of an amendment before one step after the other (RUN-721, RUN-725), or left by its disk there,
// and what it or the next start finds: the version in force, the queue, the pass that was open, and the arrows that rest on the change.

const back = 'integrator→analyst/default'
const amendment = 'amend-led-default-G1'
const preload = fileURLToPath(new URL('../fixtures/programs/die-in-commit.mjs', import.meta.url))
const gap = '# Findings\n\n- G1 the till is specified nowhere\n  type: missing-cross-context-spec\n  status: open\n'
const flaw = { path: 'specs/default/coverage-claim.md', missing: 'Returns.', title: 'silent', basis: 'a claim' }

/** One amendment waits, and a pass on an arrow that rests on everything is parked. */
async function placeBeforeCommit(): Promise<Place> {
  const server = await startModelServer({
    ...defaultScript,
    scenes: [...gateScenes({ flaw }), ...defaultScript.scenes]
  })
  onTestFinished(server.close)
  const place = await makeGatePlace({
    config: twoModels(server.url),
    files: { ...analysis, 'integration/default/findings.md': gap }
  })
  onTestFinished(place.remove)
  const { grid, path } = readActiveGrid(place.project, loadCatalogue())
  const [first, second] = grid.arrows as readonly [Arrow, Arrow]
  const clauses = first.clauses.filter(({ id }) => id === 'C2')
  const handsBack: Arrow = {
    ...first,
    id: back,
    sourceRole: 'integrator',
    targetRole: 'analyst',
    producerRole: 'integrator',
    clauses
  }
  writeFileSync(path, gridText({ ...grid, arrows: [first, second, handsBack] }))
  const said = await typed(place, ['/op-id alice', `/run-arrow ${back}`, `/run-arrow ${askingArrow}`, 's', 's', 's'])
  expect(said.stdout).toContain('amendment-enqueued')
  expect(said.stdout).toContain('ℹ 3 verdict(s) waiting')
  return place
}

function typed(place: Place, lines: readonly string[], env: NodeJS.ProcessEnv = {}) {
  return runGhyll(place, ['run', '--no-tui'], { input: lines.map((line) => `${line}\n`).join(''), env })
}

const drain = ['/op-id alice', '/drain-amendments', 'accept', 'y']

/** What waits since before is put off first, then the amendment is committed. */
function commit(place: Place, dieAt: string, log = '') {
  const env = { NODE_OPTIONS: `--import=${preload}`, DIE_AT: dieAt, DIE_LOG: log }
  return typed(place, ['alice', 's', 's', 's', ...drain.slice(1)], env)
}

function stored(place: Place) {
  const db = new Database(place.at('.ghyll/engine.db'), { readonly: true })
  try {
    const all = (sql: string) => db.prepare<[], string>(sql).pluck().all()
    return {
      pending: all('SELECT id FROM amendments WHERE drained_at IS NULL'),
      drained: all('SELECT id FROM amendments WHERE drained_at IS NOT NULL'),
      pass: all("SELECT state || ' ' || close_reason FROM passes WHERE arrow_id LIKE 'analyst→%'"),
      open: all("SELECT pass_id FROM passes WHERE state = 'open'"),
      voided: all("SELECT arrow_id FROM arrow_invalidations WHERE source = 'amendment' ORDER BY arrow_id")
    }
  } finally {
    db.close()
  }
}

const reason = `invalidated: amendment ${amendment} drained: missing-cross-context-spec`

test.each([
  [
    'write arrow-invalidated',
    'the first arrow is void and nobody was told',
    'invalidated: found at restart',
    [askingArrow]
  ],
  ['write pass-closed', 'its pass is gone', reason, [askingArrow]],
  ['open grid.v2.yaml', 'the new version is not written', reason, [askingArrow, back]],
  ['link grid.v2.yaml', 'it has no name yet', reason, [askingArrow, back]]
] as const)(
  'killed before step "%s", when %s: version and queue are as they were, what is void stays void, and the same drain carries it through (RUN-721)',
  async (step, _, closeReason, voided) => {
    const place = await placeBeforeCommit()
    expect(await commit(place, step)).toMatchObject({ signal: 'SIGKILL' })
    const restarted = await typed(place, ['/op-id alice', '/list-arrows', '/status'])
    expect(restarted.stdout).toContain(`⚠ 1 pending amendment(s); run /drain-amendments to apply\n  ${amendment}`)
    expect(restarted.stdout).toContain('grid arrows (3, version=1):')
    expect(restarted.stdout).toMatch(new RegExp(`arrows: +3 \\(valid 1, .*invalidated ${voided.length}\\)`))
    expect(gateFile(place, 'grid.current')).toBe('v1\n')
    expect(stored(place)).toEqual({
      pending: [amendment],
      drained: [],
      open: [],
      pass: [`aborted ${closeReason}`],
      voided
    })
    // Once settled it stays so.
    const kept = keptContent(place.project)
    await typed(place, [])
    expect(keptContent(place.project)).toBe(kept)

    const again = await typed(place, drain)
    expect(again.stdout).toContain(`✓ amendment ${amendment}: arrows-added=0 passes-aborted=0 v=1→2`)
    expect(gateFile(place, 'grid.current')).toBe('v2\n')
    expect(stored(place)).toMatchObject({ pending: [], drained: [amendment], voided: [askingArrow, back] })
  }
)

test('killed between the new version and the pointer, the gate stays closed and names both remedies; pointed to, the amendment is only marked (INIT-83, RUN-725)', async () => {
  const place = await placeBeforeCommit()
  expect(await commit(place, 'rename grid.current')).toMatchObject({ signal: 'SIGKILL' })
  expect(gateFile(place, 'grid.current')).toBe('v1\n')
  const closed = await typed(place, ['/amendments'])
  expect(closed.stdout + closed.stderr).toContain('grid-inconsistent: grid.v2.yaml exists but grid.current names v1')
  expect(await runGhyll(place, ['init', 'repoint', 'v2', '--op-id', 'alice'])).toMatchObject({ code: 0 })
  await onlyMarks(place)
})

test('killed when the pointer is written and the amendment not marked: the next drain asks nobody and only marks it (RUN-725)', async () => {
  const place = await placeBeforeCommit()
  const log = place.at('../steps')
  const lived = await placeBeforeCommit()
  expect(await commit(lived, '', log)).toMatchObject({ code: 0 })
  const steps = readFileSync(log, 'utf8').trimEnd().split('\n')
  const afterPointer = steps[steps.indexOf('rename grid.current') + 1] ?? ''
  expect(afterPointer).toMatch(/^open folder/)
  expect(await commit(place, afterPointer)).toMatchObject({ signal: 'SIGKILL' })
  expect(gateFile(place, 'grid.current')).toBe('v2\n')
  expect(stored(place)).toMatchObject({ pending: [amendment], drained: [] })
  await onlyMarks(place)
})

test('killed before it was told: the amendment is drained, and nothing waits (RUN-720 steps 7 and 8)', async () => {
  const place = await placeBeforeCommit()
  expect(await commit(place, 'write amendment-drained')).toMatchObject({ signal: 'SIGKILL' })
  const restarted = await typed(place, drain.slice(0, 2))
  expect(restarted.stdout).toContain('ℹ no pending amendments; queue is empty')
  expect(restarted.stdout).not.toContain('pending amendment(s)')
  expect(gateFile(place, 'grid.current')).toBe('v2\n')
  expect(stored(place)).toMatchObject({ pending: [], drained: [amendment], open: [], pass: [`aborted ${reason}`] })
})

test('a disk that fails before the new version is there, before it has its name, and before anything points to it: each time the old one stays in force and the amendment waits, and the same session carries it through (RUN-721)', async () => {
  const place = await placeBeforeCommit()
  const steps = ['open grid.v2.yaml', 'link grid.v2.yaml', 'rename grid.current']
  const env = { NODE_OPTIONS: `--import=${preload}`, DIE_AT: steps.join(), DIE_WITH: 'EIO' }
  const look = ['/list-arrows', '/status']
  const again = [...drain.slice(1), ...look]
  const said = await typed(place, ['alice', 's', 's', 's', ...again, ...again, ...again, ...again], env)
  const [, ...attempts] = said.stdout.split('accept / commit-empty / stop')
  expect(attempts).toHaveLength(4)
  for (const [n, text] of attempts.slice(0, 3).entries()) {
    expect(text.includes(`pass=p-3 role=analyst state/reason=aborted:${reason}`)).toBe(n === 0)
    expect(text).toContain(`amendment-drained  ${amendment} outcome=persist-error v=1→1`)
    expect(text).toContain(`✗ amendment ${amendment}: persist-error: grid-write-failed: EIO: `)
    expect(text).toContain('grid arrows (3, version=1):')
    expect(text).toMatch(/arrows: +3 \(valid 1, .*invalidated 2\)/)
    expect(text).toContain('1 pending, 0 drained')
  }
  expect(attempts[3]).toContain(`✓ amendment ${amendment}: arrows-added=0 passes-aborted=0 v=1→2`)
  expect(attempts[3]).toContain('grid arrows (3, version=2):')
  expect(attempts[3]).toContain('0 pending, 1 drained')
  expect(said.code).toBe(0)
  expect(gateFile(place, 'grid.current')).toBe('v2\n')
  expect(stored(place)).toMatchObject({ pending: [], drained: [amendment], open: [], voided: [askingArrow, back] })
  const files = readdirSync(place.at('.ghyll')).filter((name) => name.startsWith('grid.'))
  expect(files.toSorted()).toEqual(['grid.current', 'grid.v1.yaml', 'grid.v2.yaml'])
})

async function onlyMarks(place: Place): Promise<void> {
  const { stdout } = await typed(place, ['/op-id alice', '/drain-amendments', '/list-arrows'])
  expect(stdout).toContain(`⚠ 1 pending amendment(s)`)
  expect(stdout).not.toContain('accept / commit-empty / stop')
  expect(stdout).toContain(`✓ amendment ${amendment}: arrows-added=0 passes-aborted=0 v=1→2`)
  expect(stdout).toContain('grid arrows (3, version=2):')
  expect(gateFile(place, 'grid.current')).toBe('v2\n')
  expect(stored(place)).toMatchObject({ pending: [], drained: [amendment] })
}
