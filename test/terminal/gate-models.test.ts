import { writeFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { gateScenes } from '../../src/demo/scenes/gate.ts'
import { defaultScript } from '../../src/demo/scenes/index.ts'
import { gridText, readActiveGrid } from '../../src/gate/bootstrap/index.ts'
import { loadCatalogue } from '../../src/gate/catalogue/index.ts'
import type { Arrow } from '../../src/protocol/grid.ts'
import { analysis, askingArrow, gateFile } from '../support/gate-place.ts'
import { armedFor, confirm, fillField, flat, openAtGate, openGatePlace, pressKey } from '../support/gate-terminal.ts'
import { runGhyll } from '../support/ghyll.ts'
import { ctrl, keys } from '../support/keys.ts'
import { startModelServer } from '../support/model-server.ts'
import { twoModels } from '../support/place.ts'
import { send } from '../support/prompt.ts'

// What models raise reaches the operator as overlays: a risk, a declaration, an amendment; each in a real session over a scripted endpoint.

const flaw = {
  path: 'specs/default/coverage-claim.md',
  missing: 'Returns.',
  title: 'silent on returns',
  basis: 'a claim'
}
const scenes = [...gateScenes({ flaw, producer: 'proposes-risk' }), ...defaultScript.scenes]
const gap = '# Findings\n\n- G1 the till is specified nowhere\n  type: missing-cross-context-spec\n  status: open\n'

async function openSensitive(files: Readonly<Record<string, string>> = {}) {
  const server = await startModelServer({ ...defaultScript, scenes })
  onTestFinished(server.close)
  return openGatePlace({ isSensitive: true, config: twoModels(server.url), files: { ...analysis, ...files } })
}

test('a proposed risk is asked while the round waits, and the status line says how far it is (OPUI-321, OPUI-540, OPUI-701, RUN-633)', async () => {
  const place = await openSensitive()
  const { terminal } = await openAtGate(place)
  await send(terminal, `/run-arrow ${askingArrow}`)
  await terminal.until((screen) => flat(screen).includes('accept risk?'), 'the risk')
  await terminal.until((screen) => flat(screen).includes('a accept'), 'an armed overlay')
  expect(flat(terminal)).toMatch(/arrow ▶ (p-2|\S+) remediation 1\/5/)
  await pressKey(terminal, 'a')
  await fillField(terminal, 'rationale', 'nobody returns apples')
  await terminal.until(
    (screen) => /accept the risk of adv-\S+ as alice\? \[y\/n\]/.test(flat(screen)),
    'the confirmation'
  )
  await pressKey(terminal, 'y')
  await armedFor(terminal, 'C11')
  await pressKey(terminal, ctrl('c'))
  await send(terminal, '/findings')
  await terminal.until((screen) => flat(screen).includes('accepted-risk'), 'the finding')
})

test('--define opens the declaration; attested, the arrow is in the next grid version (OPUI-550, RUN-801)', async () => {
  const place = await openSensitive()
  const { terminal } = await openAtGate(place, [100, 40])
  const arrow = 'architect→integrator/default'
  await send(terminal, `/run-arrow ${arrow} --define`)
  await terminal.until((screen) => flat(screen).includes('attesting role:'), 'the declaration')
  await terminal.until((screen) => flat(screen).includes('Enter take the role'), 'armed')
  await pressKey(terminal, keys.end)
  await pressKey(terminal, keys.enter)
  await terminal.until((screen) => flat(screen).includes('clauses ('), 'the definition')
  await pressKey(terminal, 'a')
  await confirm(terminal, `declare ${arrow} in grid v2? [y/n]`)
  await terminal.until((screen) => flat(screen).includes('declared in grid v2: attested by'), 'the record')
  expect(gateFile(place, 'grid.current')).toBe('v2\n')
  expect(await runGhyll(place, ['engine', 'verify-attestations'])).toMatchObject({
    stdout: expect.stringMatching('1/1')
  })
})

test('an amendment’s proposal is shown as a diff and commits on y (OPUI-560)', async () => {
  const place = await openSensitive({ 'integration/default/findings.md': gap })
  const { grid, path } = readActiveGrid(place.project, loadCatalogue())
  const [first] = grid.arrows as readonly [Arrow]
  const back: Arrow = {
    ...first,
    id: 'integrator→analyst/default',
    sourceRole: 'integrator',
    targetRole: 'analyst',
    producerRole: 'integrator',
    clauses: first.clauses.filter(({ id }) => id === 'C2')
  }
  writeFileSync(path, gridText({ ...grid, arrows: [first, back] }))
  const { terminal } = await openAtGate(place, [100, 40])
  await send(terminal, '/run-arrow integrator->analyst/default')
  await terminal.untilText(/amendment-enqueued/)
  await send(terminal, '/drain-amendments')
  await terminal.until((screen) => flat(screen).includes('amendment-id: amend-led-default-G1'), 'the diff')
  await terminal.until((screen) => flat(screen).includes('a accept'), 'an armed overlay')
  await pressKey(terminal, 'a')
  await confirm(terminal, 'commit the proposal as grid v2? [y/n]')
  await terminal.until((screen) => flat(screen).includes('drain complete: 1/1 committed'), 'the end of the drain')
  expect(gateFile(place, 'grid.current')).toBe('v2\n')
})
