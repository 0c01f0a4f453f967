import { readFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { type GatePlay, gateScenes } from '../../src/demo/scenes/gate.ts'
import { defaultScript } from '../../src/demo/scenes/index.ts'
import type { Conversation, Reply, Scene } from '../../src/demo/script.ts'
import { analysis, askingArrow } from '../support/gate-place.ts'
import { armedFor, flat, openAtGate, openGatePlace, pressEscape, pressKey } from '../support/gate-terminal.ts'
import { ctrl } from '../support/keys.ts'
import { startModelServer } from '../support/model-server.ts'
import { type Place, twoModels } from '../support/place.ts'
import { send } from '../support/prompt.ts'

// How a cycle may end (RUN-650), each in the built program on a screen: the event and its line, the words in the store, the report in the
// log, and what the operator is told to do next.

const flaw = {
  path: 'specs/default/coverage-claim.md',
  missing: 'Returned goods are not covered.',
  title: 'the claim is silent about returned goods',
  basis: 'a claim names what it leaves out'
}
const sweep = /^Look for defects that no clause names/
const anyErrand = /^(?:Look for defects|Try to refute|Somebody claims|\d+ defects were found)/

const when = (task: RegExp, reply: (talk: Conversation) => Reply): Scene => ({
  name: 'played',
  play: (talk) => (task.test(talk.said) ? { pace: 0, ...reply(talk) } : null)
})

async function openCycle(play: Partial<GatePlay>, ...first: readonly Scene[]) {
  const scenes = [...first, ...gateScenes({ flaw, ...play }), ...defaultScript.scenes]
  const server = await startModelServer({ ...defaultScript, scenes })
  onTestFinished(server.close)
  const place = await openGatePlace({ isSensitive: true, config: twoModels(server.url), files: analysis })
  const { terminal } = await openAtGate(place, [100, 40])
  return { place, terminal, server }
}

/** What the store says about the pass of the asking arrow. */
function stored(place: Place) {
  const db = new Database(place.at('.ghyll/engine.db'), { readonly: true })
  try {
    const pass = db
      .prepare<[], Record<string, unknown>>(
        "SELECT state, close_reason, arrow_status, remediation_outcome, remediation_rounds_used FROM passes WHERE pass_id = 'p-2'"
      )
      .get()
    const findings = db.prepare<[], string>("SELECT status || ' ' || type FROM findings ORDER BY id").pluck().all()
    return { ...pass, findings }
  } finally {
    db.close()
  }
}

function logged(place: Place) {
  const lines = readFileSync(place.at('.ghyll/events.jsonl'), 'utf8').trimEnd().split('\n')
  const all = lines.map((line) => JSON.parse(line))
  return {
    report: all.filter(({ record }) => record === 'adversarial-cycle-report'),
    ended: all.filter(({ kind }) => kind === 'remediation-escalated' || kind === 'remediation-converged')
  }
}

/** Edits the work every round and never mends it. */
const rewords = when(/^\d+ defects were found:/, ({ said, step }) =>
  step === 0
    ? { calls: [{ tool: 'bash', args: { command: `wc -c < ${flaw.path} >> ${flaw.path}` } }] }
    : {
        text: JSON.stringify({
          dispositions: [...said.matchAll(/^finding (\S+) \(/gm)].map(([, id]) => ({
            finding_id: id,
            action: 'fixed',
            rationale: 'said in other words'
          })),
          summary: 'reworded'
        })
      }
)
const raves = when(sweep, () => ({ text: 'I could not find the time to look, but gate passed.' }))

test.each([
  ['escalated-rounds-max', 'escalated-after-max-rounds', 5, '', '1 finding still open', {}, [rewords]],
  [
    'escalated-hook-error',
    'producer-error',
    2,
    'producer-loop-bomb',
    'producer-loop-bomb: producer-fix: loop-bomb (unchanged artifact across rounds)',
    { producer: 'claims' },
    []
  ],
  [
    'escalated-no-progress',
    'producer-error',
    1,
    '',
    'the producer can fix none of the findings',
    { producer: 'cannot' },
    []
  ],
  [
    'escalated-hook-error',
    'producer-error',
    2,
    'producer-fix-error',
    'producer-fix-error: malformed reply: the answer held no complete JSON object',
    { producer: 'babbles' },
    []
  ],
  [
    'escalated-hook-error',
    'producer-error',
    2,
    'adversary-error',
    'adversary-error: round 2: open sweep: malformed reply: the answer held no complete JSON object',
    {},
    [raves]
  ]
] as const)(
  '%s (%s, round %i, %s): the pass aborts, and the screen says why and what can be done (RUN-650, RUN-651, OPUI-325)',
  async (outcome, cycleOutcome, rounds, detail, reason, play, first) => {
    const { place, terminal } = await openCycle(play, ...first)
    await send(terminal, `/run-arrow ${askingArrow}`)
    await terminal.until((screen) => flat(screen).includes('ℹ accept risk per finding'), 'the way out')
    const shown = flat(terminal)
    expect(shown).toContain(`⚠ remediation-escalated pass=p-2 outcome=${outcome} rounds=${rounds}: ${reason}`)
    expect(shown).toContain(`· pass-closed pass=p-2 role=analyst state/reason=aborted:aborted-remediation:${outcome}`)
    expect(shown).toContain(`✓ arrow ${askingArrow} dispatched: pass=p-2 status=aborted-remediation clauses=0`)
    expect(shown).toContain('or route upstream: /run-arrow init→analyst/default')
    expect(terminal.text()).not.toContain('attestation request')
    expect(stored(place)).toMatchObject({
      state: 'aborted',
      close_reason: `aborted-remediation:${outcome}`,
      arrow_status: 'aborted-remediation',
      remediation_outcome: outcome,
      remediation_rounds_used: rounds
    })
    const { report, ended } = logged(place)
    expect(report).toMatchObject([{ outcome, cycle_outcome: cycleOutcome, detail, rounds_used: rounds }])
    expect(report[0].rounds).toHaveLength(rounds)
    expect(ended).toMatchObject([{ payload: { outcome, rounds_used: `${rounds}`, reason } }])
  }
)

test('converged-with-unevaluated: verification follows, and the arrow cannot become valid (RUN-650, GATE-65)', async () => {
  const vague = when(sweep, () => ({
    text: JSON.stringify({
      findings: [{ title: flaw.title, severity: 'unevaluated', basis: flaw.basis, locations: [`${flaw.path}:1`] }]
    })
  }))
  const { place, terminal } = await openCycle({}, vague)
  await send(terminal, `/run-arrow ${askingArrow}`)
  await armedFor(terminal, 'C11')
  await pressKey(terminal, ctrl('c'))
  await terminal.until(
    (screen) => flat(screen).includes('remediation-converged pass=p-2 rounds=1'),
    'the end of the cycle'
  )
  expect(flat(terminal)).toContain(`dispatched: pass=p-2 status=blocked`)
  expect(stored(place)).toMatchObject({
    state: 'open',
    remediation_outcome: 'converged-with-unevaluated',
    findings: ['unevaluated open-sweep']
  })
  expect(logged(place)).toMatchObject({
    report: [{ outcome: 'converged-with-unevaluated', cycle_outcome: 'converged' }],
    ended: [{ kind: 'remediation-converged', payload: { outcome: 'converged-with-unevaluated' } }]
  })
})

test('Esc during a cycle takes the pass away with the operator’s reason, and the arrow is as it was (RUN-236, RUN-650, OPUI-321)', async () => {
  const silent = when(sweep, () => ({ ending: { kind: 'silence', afterTokens: 0 } }))
  const { place, terminal, server } = await openCycle({}, silent)
  await send(terminal, `/run-arrow ${askingArrow}`)
  await terminal.until((screen) => /arrow ▶ p-2 adversarial 1\/5/.test(flat(screen)), 'the round on the status line')
  const asked = (async () => {
    for (let n = 1; ; n += 1) if (sweep.test((await server.request(n)).body.messages.at(-1)?.content ?? '')) return
  })()
  await asked
  await pressEscape(terminal)
  await terminal.until((screen) => flat(screen).includes(`${askingArrow} dispatched: pass=p-2`), 'the result')
  const shown = flat(terminal)
  expect(shown).toContain('⚠ remediation-escalated pass=p-2 outcome=context-cancelled rounds=1: operator-interrupt')
  expect(shown).toContain('· pass-closed pass=p-2 role=analyst state/reason=aborted:operator-interrupt')
  expect(shown).not.toContain('aborted-remediation')
  expect(shown).not.toContain('▶ p-2')
  expect(stored(place)).toMatchObject({
    state: 'aborted',
    close_reason: 'operator-interrupt',
    remediation_outcome: 'context-cancelled',
    findings: []
  })
  expect(logged(place).report).toMatchObject([{ outcome: 'context-cancelled', cycle_outcome: 'canceled' }])
  await send(terminal, '/status')
  await terminal.untilText(/arrows: +4 \(valid 1, unevaluated 3\)/)
})

test('a model that does not answer: sensitive clauses stay unevaluated, the robust are verified, nobody is asked (RUN-224, RUN-650, GATE-22)', async () => {
  const away = when(anyErrand, () => ({ ending: { kind: 'status', status: 503, message: 'no such engine' } }))
  const { place, terminal } = await openCycle({}, away)
  await send(terminal, `/run-arrow ${askingArrow}`)
  await terminal.until((screen) => flat(screen).includes(`${askingArrow} dispatched: pass=p-2`), 'the result')
  const shown = flat(terminal)
  expect(shown).toMatch(/⚠ remediation-escalated pass=p-2 outcome=model-unreachable rounds=1: [^·]*no such engine/)
  expect(shown).toContain('· pass-closed pass=p-2 role=analyst state/reason=closed:derived-unevaluated')
  expect(shown).toMatch(/dispatched: pass=p-2 status=unevaluated clauses=\d+ blocking-clauses=\d+ blocking-findings=0/)
  expect(shown).toContain('C11 unevaluated: depth-below-required')
  expect(terminal.text()).not.toContain('attestation request')
  expect(stored(place)).toMatchObject({
    state: 'closed',
    close_reason: 'derived-unevaluated',
    arrow_status: 'unevaluated',
    remediation_outcome: 'model-unreachable',
    findings: []
  })
  expect(logged(place).report).toMatchObject([{ outcome: 'model-unreachable', cycle_outcome: 'canceled' }])
}, 60_000)
