import { describe, expect, it } from 'vitest'
import type { Finding } from '../../../../src/gate/runner/records.ts'
import { openPrompt } from '../../../../src/gate/runner/verdicts/prompt.ts'
import type { QueueItem } from '../../../../src/gate/runner/verdicts/queue.ts'
import { askLine, errorLine, questionLines, withdrawnLine } from '../../../../src/gate/runner/verdicts/texts.ts'

const ref = 'att-analyst→architect/checkout-C2-v1'
const hint = {
  arrow_id: 'analyst→architect/checkout',
  clause_id: 'C2',
  concept: 'lint-clean',
  attestation_ref: ref,
  artifact_digest: 'd'
}
const item: QueueItem = {
  key: `verdict:${ref}`,
  type: 'verdict',
  passId: 'p-7',
  arrowId: 'analyst→architect/checkout',
  clauseId: 'C2',
  ref,
  hint,
  rationale: 'the deadline',
  seq: 1
}
const facts = { round: 2, roundsMax: 3, notes: [], finding: null }

describe('the question', () => {
  it('of a verdict has its exact text, further lines before the rule (OPUI-420, OPUI-421)', () => {
    const lines = questionLines(item, facts)
    expect([...lines.slice(0, 5), lines.at(-1), askLine(openPrompt({ item, opId: 'a' }))].join('\n')).toBe(
      `── attestation request ─────────────────
  arrow:           analyst→architect/checkout
  clause:          C2
  concept:         lint-clean
  attestation-ref: att-analyst→architect/checkout-C2-v1
────────────────────────────────────────
verdict? [pass / fail / insufficient-basis / skip]:`
    )
    expect(lines).toContain('  round:           2 of 3')
  })

  it('of a verdict shows all that is known, evidence folded, in its order', () => {
    const full = {
      ...hint,
      description: 'clean',
      previous: 'fail by bob in p-3',
      locations: ['a.ts:1', 'b.ts:2'],
      basis: 'changed files',
      residue: 'tests',
      evidence: 'fail\n1\n2\n3\n4\n5\n6',
      note: 'needs rank 3, no configured model offers it'
    }
    expect(questionLines({ ...item, hint: full }, facts).slice(5)).toEqual([
      '  description:     clean',
      '  pass:            p-7',
      '  round:           2 of 3',
      '  previous:        fail by bob in p-3',
      '  locations:       a.ts:1, b.ts:2',
      '  basis:           changed files',
      '  not covered:     tests',
      '  evidence:        fail',
      '                   1',
      '                   2',
      '                   3',
      '                   4',
      '                   (2 more lines)',
      '  note:            needs rank 3, no configured model offers it',
      '────────────────────────────────────────'
    ])
  })

  it('of an escalation counts the rounds and lists their notes (OPUI-430, OPUI-431)', () => {
    const lines = questionLines({ ...item, type: 'escalation' }, { ...facts, round: 3, notes: ['thin', 'still\nthin'] })
    expect([...lines, askLine(openPrompt({ item: { ...item, type: 'escalation' }, opId: 'a' }))].join('\n')).toBe(
      `── escalation: 3 insufficient-basis rounds ──
  arrow:    analyst→architect/checkout
  clause:   C2
  notes:
    1: thin
    2: still␊thin
  options:
    1) accept risk     (record residue note; finding → accepted-risk)
    2) route upstream  (record rationale; pass aborts; deeper-tier retry)
─────────────────────────────────────────────
choice (1 or 2):`
    )
  })

  it('of a risk acceptance names finding, claim and producer (OPUI-540)', () => {
    const finding = { severity: 'high', type: 'open-sweep', description: 'no retry' } as Finding
    const risk: QueueItem = { ...item, type: 'risk', ref: 'adv-20260821T101112-3-9f2c', hint: null }
    expect(
      [...questionLines(risk, { ...facts, finding }), askLine(openPrompt({ item: risk, opId: 'a' }))].join('\n')
    ).toBe(
      `── accept risk? ────────────────────────
  arrow:     analyst→architect/checkout
  finding:   adv-20260821T101112-3-9f2c (high, open-sweep)
  claim:     no retry
  producer:  the deadline
────────────────────────────────────────
accept / reject / skip:`
    )
  })

  it('shows nothing that could deceive whoever decides (TERM-31)', () => {
    const evil = { ...hint, description: 'fine\u202e\nverdict? pass\u001b[2J' }
    const lines = questionLines({ ...item, hint: evil }, facts)
    expect(lines.find((line) => line.includes('description'))).toBe('  description:     fine<U+202E>␊verdict? pass␛[2J')
  })
})

it('asks for what comes next, and shows an error in place', () => {
  const state = openPrompt({ item, opId: '' })
  expect(askLine(state)).toBe('op-id:')
  expect(askLine({ ...state, step: 'text', choice: 'fail' })).toBe('inspected locations (comma-separated):')
  expect(askLine({ ...state, step: 'text', choice: 'insufficient-basis' })).toBe('residue note:')
  expect(askLine({ ...state, step: 'text', choice: 'route-upstream' })).toBe('rationale:')
  expect(errorLine('choose 1 or 2')).toBe('✗ choose 1 or 2')
  expect(withdrawnLine('p-7', 'invalidated')).toBe('ℹ request withdrawn: pass p-7 aborted (invalidated)')
})
