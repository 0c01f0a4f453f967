import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { askingArrow, type GatePlaceOptions, gateFile, makeGatePlace } from '../support/gate-place.ts'
import { runGhyll } from '../support/ghyll.ts'
import { startModelServer } from '../support/model-server.ts'
import { type Place, twoModels } from '../support/place.ts'

// The gate without a screen, as real processes: questions as typed lines (OPUI-800), and `exec`, which answers none (OPUI-801).

const ref = (clause: string) => `att-${askingArrow}-${clause}-v1`

async function open(options: GatePlaceOptions = {}): Promise<Place> {
  const place = await makeGatePlace(options)
  onTestFinished(place.remove)
  return place
}

/** One line session; every line is an input or an answer. */
async function lines(place: Place, ...typed: readonly string[]): Promise<string> {
  const { stdout, code } = await runGhyll(place, ['run', '--no-tui'], {
    input: typed.map((line) => `${line}\n`).join('')
  })
  expect(code).toBe(0)
  // The memory branch is made beside everything else and is told whenever that is done.
  return stdout.replace(/^ℹ created memory branch.*\n/m, '')
}

test('an arrow is run, asks its three questions, and settles with the last answer (OPUI-420…425, 324, 327)', async () => {
  const place = await open()
  const said = await lines(place, '/op-id alice@example.com', `/run-arrow analyst->architect/default`, 'p', 'pass', 'P')
  expect(said).toContain('✓ arrow init→analyst/default dispatched: pass=p-1 status=valid clauses=3')
  expect(said).toContain('ℹ 3 verdict(s) waiting; the prompt follows (F4)')
  expect(said).toContain(`question 1 of 3
── attestation request ─────────────────
  arrow:           ${askingArrow}
  clause:          C11
  concept:         attested
  attestation-ref: ${ref('C11')}`)
  expect(said).toContain('verdict? [pass / fail / insufficient-basis / skip]: p')
  expect(said).toMatch(
    new RegExp(
      `✓ attestation ${ref('C13')} recorded: verdict=pass by op-id=alice@example.com\n  · pass-closed   pass=p-2 role=analyst state/reason=closed:ok\n✓ arrow ${askingArrow} settled: pass=p-2 status=valid clauses=8 blocking-clauses=0 blocking-findings=0\n`
    )
  )
  const shown = await runGhyll(place, ['arrow', 'show', askingArrow])
  expect(shown.stdout).toContain(`${ref('C11')}  kind=depth-type  clause=C11  verdict=pass  op=alice@example.com`)
  expect(await runGhyll(place, ['engine', 'verify-attestations'])).toMatchObject({
    stdout: 'attestation-verify: 3/3 records OK\n',
    code: 0
  })
  expect(gateFile(place, 'attestations.jsonl').trimEnd().split('\n')).toHaveLength(3)
})

test('a valid arrow whose artifact has moved is told to whoever relies on it, and where it is looked at (RUN-252)', async () => {
  const place = await open()
  await lines(place, '/op-id alice', `/run-arrow ${askingArrow}`, 'p', 'p', 'p')
  const status = async () =>
    (await runGhyll(place, ['arrow', 'show', askingArrow, '--verbose'])).stdout.match(/status: +(.*)/)?.[1]
  expect(await status()).toBe('valid')
  writeFileSync(join(place.project, 'specs/default/coverage-claim.md'), '# Coverage\n\nLess than before.\n')
  expect(await status()).toBe('valid (outdated: 1 file(s) changed since p-2)')
  const said = await lines(place, '/op-id alice', '/run-arrow architect->implementer/default')
  expect(said).toContain(
    `⚠ upstream ${askingArrow} is valid but outdated: 1 file(s) changed since p-2\n  · pass-opened   pass=p-3 role=architect`
  )
})

test('wrong input never ends a question, an op-id is asked for where none is set, and skip leaves the clause (OPUI-405…407, 422, 423)', async () => {
  const place = await open()
  const said = await lines(
    place,
    `/run-arrow ${askingArrow}`,
    'a b',
    'bob',
    'yes',
    '',
    'f',
    '',
    'src/cart.ts:3',
    's',
    'ib',
    '  ',
    'no test',
    '/passes'
  )
  expect(said).toContain(
    'op-id: a b\n✗ invalid op-id: op-id-invalid-characters: whitespace at offset 1\nop-id: bob\nop-id set: bob'
  )
  expect(said).toContain('✗ verdict "yes" not in {pass, fail, insufficient-basis, skip}\nverdict? [')
  expect(said).toContain('inspected locations (comma-separated): \n✗ ')
  expect(said).toContain(`✓ attestation ${ref('C11')} recorded: verdict=fail by op-id=bob`)
  expect(said).toContain(`✓ attestation ${ref('C13')} recorded: verdict=insufficient-basis by op-id=bob`)
  expect(said).toContain(
    `open passes (1):\n  p-2  role=analyst context=default arrow=${askingArrow} state=open waiting=1`
  )
})

test('the end of input and /exit put a question off; the next session asks it again (OPUI-405, 408)', async () => {
  const place = await open()
  await lines(place, `/run-arrow ${askingArrow}`, 'alice', 'p')
  const again = await lines(place, 'alice', 'f', '/exit')
  expect(again).toContain('question 1 of 2')
  expect(again).toMatch(/inspected locations \(comma-separated\): \/exit\n.*ghyll: session ended/s)
  const last = await lines(place, 'alice', 'p', 'p')
  expect(last).toContain(`✓ arrow ${askingArrow} settled: pass=p-2 status=valid`)
})

test('three rounds without a basis leave two answers; accepting the risk lets the arrow through with its residue (OPUI-430…433)', async () => {
  const place = await open()
  const round = [`/run-arrow ${askingArrow}`, 'i', 'nothing to look at', 'p', 'p']
  const said = await lines(
    place,
    '/op-id alice',
    ...round,
    `/run-arrow ${askingArrow}`,
    'i',
    'still nothing',
    `/run-arrow ${askingArrow}`,
    'i',
    'again',
    '3',
    '1',
    '',
    'we ship without it',
    `/findings ${askingArrow}`
  )
  expect(said).toContain(`── escalation: 3 insufficient-basis rounds ──
  arrow:    ${askingArrow}
  clause:   C11
  notes:
    1: nothing to look at
    2: still nothing
    3: again`)
  expect(said).toContain('choice (1 or 2): 3\n✗ choose 1 or 2\nchoice (1 or 2): 1\nresidue note: \n✗ ')
  expect(said).toContain(`settled: pass=p-4 status=valid`)
  expect(said).toMatch(/findings \(1\):\n {2}\S+ {2}medium accepted-risk insufficient-basis/)
})

test('routing upstream aborts the pass and names where to go (OPUI-325, RUN-903)', async () => {
  const place = await open()
  const run = `/run-arrow ${askingArrow}`
  const said = await lines(
    place,
    '/op-id alice',
    run,
    'i',
    'one',
    'p',
    'p',
    run,
    'i',
    'two',
    run,
    'i',
    'three',
    '2',
    'needs a deeper look',
    run
  )
  expect(said).toContain('pass-closed   pass=p-4 role=analyst state/reason=aborted:requires-deeper-artifact')
  expect(said).toContain('ℹ next: /run-arrow init→analyst/default')
})

test('exec stops with 3 and names the verdicts it would need; those that waited before stop nothing (OPUI-801, CLI-034)', async () => {
  const server = await startModelServer()
  onTestFinished(() => server.close())
  const place = await open({ config: twoModels(server.url) })
  const first = await runGhyll(place, ['exec', `/run-arrow ${askingArrow}`])
  expect(first.code).toBe(3)
  expect(first.stderr).toContain(['C11', 'C12', 'C13'].map((clause) => `verdict needed: ${ref(clause)}\n`).join(''))
  expect(first.stdout).toBe('')

  server.reply({ text: 'Fine.', pace: 0 })
  const second = await runGhyll(place, ['exec', 'hello'])
  expect(second).toMatchObject({ code: 0, stdout: 'Fine.\n' })
  expect(second.stderr).toContain(`ℹ verdict waiting: ${ref('C11')}\n`)
  expect(second.stderr).not.toContain('verdict needed')

  // The pass in the way of the same run is waiting for them: it is a verdict that is needed, not another try.
  const third = await runGhyll(place, ['exec', `/run-arrow ${askingArrow}`])
  expect(third.code).toBe(3)
  expect(third.stderr).toContain('✗ /run-arrow: (role=analyst, context=default) held by pass p-2')
  expect(third.stderr).toContain(['C11', 'C12', 'C13'].map((clause) => `verdict needed: ${ref(clause)}\n`).join(''))

  const json = await runGhyll(place, ['exec', '--json', '/abort-pass p-2'])
  expect(json.stdout).toContain('"report":"1/4-complete-against-grid-v1, R=8, C=3"')
  expect(JSON.parse(json.stdout.trimEnd().split('\n').at(-1) ?? '')).toEqual({
    kind: 'outcome',
    exitCode: 0,
    verdictsNeeded: []
  })
})

test('what the gate refuses is a failure of exec (TERM-60)', async () => {
  const place = await open()
  const { code, stderr } = await runGhyll(place, ['exec', '/run-arrow analyst->nobody/default'])
  expect(code).toBe(1)
  expect(stderr).toContain('✗ arrow "analyst→nobody/default" not in grid (try /list-arrows)')
  expect((await runGhyll(place, ['exec', '/op-id a/b'])).code).toBe(1)
})

test('with --model no clause above its rank is decided by a model: the operator is asked, with the reason (GATE-24, RUN-223)', async () => {
  const place = await open({ isSensitive: true })
  const { stderr, code } = await runGhyll(place, ['exec', '--model', 'deep', `/run-arrow ${askingArrow}`])
  expect(code).toBe(3)
  expect(stderr).toContain('gate-routing  pass=p-2 outcome=gate-locked-conflict rank=2 model=deep')
  const { stdout } = await runGhyll(place, ['run', '--no-tui', '--model', 'deep'], { input: 'alice\ns\n' })
  expect(stdout).toContain('note:            needs rank 2, --model vouches for no tier')
})

const broken: readonly (readonly [string, (place: Place) => void, string])[] = [
  ['a torn pointer', (place) => writeFileSync(place.at('.ghyll/grid.current'), 'v'), 'grid-current-malformed'],
  ['an empty pointer', (place) => writeFileSync(place.at('.ghyll/grid.current'), ''), 'grid-current-malformed'],
  [
    'a pointer to nowhere',
    (place) => writeFileSync(place.at('.ghyll/grid.current'), 'v7\n'),
    'grid-current-points-to-missing-version: grid.v7.yaml not found'
  ],
  [
    'a newer file',
    (place) => writeFileSync(place.at('.ghyll/grid.v2.yaml'), gateFile(place, 'grid.v1.yaml')),
    'grid-inconsistent'
  ],
  ['no YAML', (place) => writeFileSync(place.at('.ghyll/grid.v1.yaml'), '{{{'), 'grid-malformed: .*grid.v1.yaml'],
  [
    'a duplicate key',
    (place) => writeFileSync(place.at('.ghyll/grid.v1.yaml'), `${gateFile(place, 'grid.v1.yaml')}mode: brownfield\n`),
    'grid-malformed: .*grid.v1.yaml'
  ],
  [
    'nine megabytes',
    (place) => writeFileSync(place.at('.ghyll/grid.v1.yaml'), `# ${'x'.repeat(9 << 20)}\n`),
    'grid-malformed: .*grid.v1.yaml'
  ],
  ['a store that is none', (place) => writeFileSync(place.at('.ghyll/engine.db'), 'no database'.repeat(1000)), 'engine']
]

test.each(broken)(
  '%s closes the gates and nothing else: the session starts and says why (PERS-401, INIT-85)',
  async (_, breakIt, why) => {
    const server = await startModelServer()
    onTestFinished(() => server.close())
    const place = await open({ config: twoModels(server.url) })
    breakIt(place)
    server.reply({ text: 'I am here.', pace: 0 })
    const said = await lines(place, `/run-arrow ${askingArrow}`, '/status', 'hello')
    expect(said).toMatch(new RegExp(`⚠ gates unavailable: .*${why}`))
    expect(said).toContain('✗ engine not initialized; /run-arrow unavailable')
    expect(said).toContain('I am here.')
  }
)

test('without a grid everything but the gate works, and the gate says what to do (OPUI-103)', async () => {
  const server = await startModelServer()
  onTestFinished(() => server.close())
  const place = await open({ config: twoModels(server.url) })
  await place.git('clean', '-dxfq')
  const said = await lines(place, '/list-arrows', `/run-arrow ${askingArrow}`, '/op-id alice', '/status')
  expect(said).toContain('\nno grid; run `ghyll init` first\n✗ no grid; run `ghyll init` first\nop-id set: alice\n')
  expect(existsSync(place.at('.ghyll/engine.db'))).toBe(false)
})
