import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { type GatePlay, gateScenes } from '../../src/demo/scenes/gate.ts'
import { defaultScript } from '../../src/demo/scenes/index.ts'
import { analysis, askingArrow, gateFile, makeGatePlace } from '../support/gate-place.ts'
import { runGhyll } from '../support/ghyll.ts'
import { type ModelServer, startModelServer } from '../support/model-server.ts'
import { type Place, twoModels } from '../support/place.ts'

// The adversarial cycle, amendments and declarations in real processes, over a scripted endpoint that plays all the models.

const flaw = {
  path: 'specs/default/coverage-claim.md',
  missing: 'Returned goods are not covered.',
  title: 'the claim is silent about returned goods',
  basis: 'a claim names what it leaves out'
}

type Stage = { readonly place: Place; readonly server: ModelServer }

async function stage(play: Partial<GatePlay> = {}): Promise<Stage> {
  const server = await startModelServer({
    ...defaultScript,
    scenes: [...gateScenes({ flaw, ...play }), ...defaultScript.scenes]
  })
  onTestFinished(server.close)
  const place = await makeGatePlace({ isSensitive: true, config: twoModels(server.url), files: analysis })
  onTestFinished(place.remove)
  return { place, server }
}

async function lines(place: Place, ...typed: readonly string[]): Promise<string> {
  const { stdout, stderr } = await runGhyll(place, ['run', '--no-tui'], {
    input: typed.map((line) => `${line}\n`).join('')
  })
  return stdout + stderr
}

const run = `/run-arrow ${askingArrow}`
const passes = ['p', 'p', 'p', 'p', 'p', 'p']

function reports(place: Place) {
  return gateFile(place, 'events.jsonl')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ record }) => record === 'adversarial-cycle-report')
}

test('a finding is raised, mended, attacked again and gone: converged in round 2, then verdicts make the arrow valid (RUN-630, RUN-652)', async () => {
  const { place, server } = await stage()
  const said = await lines(place, '/op-id alice', '/adversary', run, ...passes, `/findings ${askingArrow}`, '/status')
  expect(said).toContain('ℹ adversarial cycle: enabled (dialect=fast)')
  expect(said).toContain('adversary: wired (dialect=fast)')
  expect(said).toMatch(/adversarial-round-start[^\n]*\n[\s\S]*producer-fix-signal[\s\S]*adversarial-round-start/)
  expect(said).toMatch(new RegExp(`✓ arrow ${askingArrow} settled: pass=p-2 status=valid `))
  expect(said).toMatch(/findings: +open 0, running 0, resolved 1/)
  expect(reports(place)).toMatchObject([{ outcome: 'converged', cycle_outcome: 'converged', rounds_used: 2 }])
  expect(readFileSync(place.at(flaw.path), 'utf8')).toContain(flaw.missing)
  // The adversary is the model the arrow's depth needs, and knows nothing of the producer (RUN-620, RUN-621).
  const sweeps = server.requests.filter(({ scene }) => scene === 'gate-sweep')
  expect(sweeps.map(({ body }) => body.model)).toEqual(['scripted-deep', 'scripted-deep'])
  expect(JSON.stringify(sweeps[1]?.body)).not.toContain('silent about')
})

test('disabled, the sensitive arrow refuses and no model is asked (RUN-611)', async () => {
  const { place, server } = await stage()
  const said = await lines(place, '/op-id alice', '/adversary disable', run, '/adversary', '/adversary enable')
  expect(said).toContain('✓ /adversary disabled (depth-sensitive arrows refuse)')
  expect(said).toContain(`✗ /run-arrow ${askingArrow}: adversarial-hooks-not-wired (type /adversary enable)`)
  expect(said).toContain('adversary: DISABLED (dialect=fast)')
  expect(said).toContain('✓ /adversary enabled (dialect=fast bundle wired)')
  expect(server.requests).toEqual([])
})
