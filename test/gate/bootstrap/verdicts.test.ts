import { beforeEach, describe, expect, test } from 'vitest'
import {
  decide,
  decideAutomatically,
  extend,
  incompleteText,
  reopen,
  startVerdicts,
  type Verdict,
  type VerdictState
} from '../../../src/gate/bootstrap/verdicts.ts'
import { isLaxer } from '../../../src/gate/runner/severity.ts'
import { compilePathGlob } from '../../../src/lib/path-glob.ts'
import type { Args, Clause, Severity } from '../../../src/protocol/grid.ts'
import { attestedClause, machineClause } from '../../support/grid.ts'
import { fc, runs } from '../../support/laws.ts'
import { proposalFor, rules } from '../../support/proposal.ts'

let start: VerdictState
const impl = 'implementer→integrator/default'
const analyst = 'analyst→architect/default'

beforeEach(async () => {
  const proposal = await proposalFor({ 'main.go': 'package main\n' }, { bindings: ['lint-clean.go'] })
  start = startVerdicts(proposal.arrows)
})

const refusal = (arrow: string, clause: string, verdict: Verdict, state = start) => {
  const result = decide(state, arrow, clause, verdict, rules)
  return 'refused' in result ? result.refused.text : null
}
const modify = (args: Args, more: { cost?: number; minTier?: number } = {}): Verdict => ({
  kind: 'modify',
  args,
  ...more
})

describe('INIT-58: what is refused', () => {
  const cases: [string, string, string, Verdict, string][] = [
    ['skip without text', analyst, 'C5', { kind: 'skip', reason: ' \u0007 ' }, 'residue-required-for-skip'],
    ['skip of a base clause', analyst, 'C1', { kind: 'skip', reason: 'no' }, 'base-clause-not-skippable'],
    [
      'skip with too much text',
      analyst,
      'C5',
      { kind: 'skip', reason: 'é'.repeat(8193) },
      'residue-note-too-long: 16386 > 16384 bytes'
    ],
    [
      'confirm with missing arguments',
      impl,
      'C8',
      { kind: 'confirm' },
      'clause-required-args-missing: kill-server-fails-integration requires critical-deps'
    ],
    ['modify without a diff', analyst, 'C5', modify({}), 'modified-args-missing'],
    ['modify to the same', impl, 'C6', modify({ threshold: 0.7 }), 'modified-args-missing'],
    [
      'modify of a clause not proposed',
      analyst,
      'C99',
      modify({ scope: 'x' }),
      'modify-on-unknown-clause: C99; proposed: C1, C2, C5, C6, C7, C8, C9, C10, C11, C12, C13, C14, C15, C16, C17'
    ],
    [
      'modify of an argument the concept lacks',
      analyst,
      'C5',
      modify({ nothing: 1 }),
      'modify-on-unknown-field: concept unique-definition has no argument "nothing"'
    ],
    [
      'a lower threshold',
      impl,
      'C6',
      modify({ threshold: 0.6 }),
      'cannot-weaken-default: argument "threshold": 0.6 is below 0.7'
    ],
    [
      'a laxer severity',
      analyst,
      'C2',
      modify({ 'severity-threshold': 'high' }),
      'cannot-weaken-default: laxer threshold'
    ],
    ['a wider scope', impl, 'C1', modify({ scope: '**' }), 'cannot-weaken-default: wider scope'],
    [
      'another pattern',
      analyst,
      'C7',
      modify({ 'link-rule': '(x)' }),
      'regex-modify-not-supported: argument "link-rule"'
    ],
    [
      'another type',
      impl,
      'C5',
      modify({ timeout: '1m' }),
      'modify-type-not-supported: argument "timeout" of type duration'
    ],
    ['not a number', impl, 'C6', modify({ threshold: Number.NaN }), 'modify-non-finite-numeric: argument "threshold"'],
    ['a lower cost', impl, 'C6', modify({}, { cost: 2 }), 'cannot-weaken-default: lower cost'],
    ['half a cost', impl, 'C6', modify({}, { cost: 3.5 }), 'cost-must-be-integer'],
    ['a lower tier', impl, 'C13', modify({}, { minTier: 2 }), 'cannot-weaken-default: lower tier'],
    [
      'a tier on a robust clause',
      impl,
      'C6',
      modify({}, { minTier: 1 }),
      'clause-depth-requirement-invalid: depth-robust needs min-tier 0, got 1'
    ],
    [
      'a tier there is not',
      impl,
      'C13',
      modify({}, { minTier: 4 }),
      'clause-depth-requirement-invalid: depth-sensitive needs min-tier 1..3, got 4'
    ],
    ['arguments of an attested clause', impl, 'C13', modify({ scope: 'x' }), 'modify-attested-no-arguments'],
    [
      'a threshold out of range',
      impl,
      'C6',
      modify({ threshold: 2 }),
      'mutation-score: argument "threshold": 2 outside range [0, 1]'
    ]
  ]
  test.each(cases)('%s', (_name, arrow, clause, verdict, text) => {
    expect(refusal(arrow, clause, verdict)).toBe(text)
  })

  test('a second verdict, until the clause is reopened', () => {
    const first = decide(start, analyst, 'C5', { kind: 'confirm' }, rules)
    const state = 'state' in first ? first.state : start
    expect(refusal(analyst, 'C5', { kind: 'confirm' }, state)).toBe('verdict-already-applied')
    expect(refusal(analyst, 'C5', { kind: 'skip', reason: 'not now' }, reopen(state, analyst, 'C5'))).toBeNull()
  })

  const extensions: [string, Clause, RegExp][] = [
    ['an id', machineClause({ id: 'E-1' }), /^extension-clause-invalid: id: /],
    ['an id that is used', machineClause({ id: 'C5' }), /^extension-clause-invalid: id "C5" is already used$/],
    [
      'a concept',
      machineClause({ id: 'E1', concept: 'nothing' }),
      /^extension-clause-invalid: concept: unknown concept/
    ],
    ['depth', attestedClause({ id: 'E1', minTier: 0 }), /^extension-clause-invalid: min-tier: /],
    [
      'arguments',
      machineClause({ id: 'E1', args: {} }),
      /^extension-clause-invalid: args: .*missing required argument/
    ],
    ['eval', machineClause({ id: 'E1', eval: 'auto' as Clause['eval'] }), /^extension-clause-invalid: eval: /],
    [
      'cost (GATE-75)',
      machineClause({
        id: 'E1',
        concept: 'trace-link-present',
        args: { from: 'a/*', to: 'b/*', 'link-rule': '(x)' },
        cost: 0
      }),
      /^extension-clause-invalid: cost: cannot-weaken-default: lower cost: 0, and trace-link-present costs 1$/
    ]
  ]
  test.each(extensions)('an extension with a wrong %s', (_name, clause, text) => {
    const result = extend(start, analyst, clause, rules)
    expect('refused' in result && result.refused.text).toMatch(text)
  })
})

describe('what verdicts make', () => {
  const decided = (arrow: string, clause: string, verdict: Verdict) => {
    const result = decide(start, arrow, clause, verdict, rules)
    if ('refused' in result) throw new Error(result.refused.text)
    return result.state.decisions.get(arrow)!.get(clause)!
  }

  test('modify records merged values and the names it changed', () => {
    const decision = decided(impl, 'C6', modify({ threshold: 0.8, scope: 'main.go' }, { cost: 4 }))
    expect(decision).toMatchObject({
      kind: 'recorded',
      clause: {
        cost: 4,
        source: 'role-default',
        modified: ['cost', 'scope', 'threshold'],
        args: { scope: 'main.go', threshold: 0.8, language: 'go' }
      }
    })
  })

  test('modify binds what is missing, freely (CONC-88)', () => {
    expect(
      decided(
        impl,
        'C8',
        modify({ 'critical-deps': ['db'], 'test-command': 'go test ./...', 'kill-commands': { db: 'stop db' } })
      )
    ).toMatchObject({
      kind: 'recorded',
      clause: {
        missing: [],
        args: { 'critical-deps': ['db'] },
        modified: ['critical-deps', 'kill-commands', 'test-command']
      }
    })
  })

  test('a higher tier of an attested clause is a tightening', () => {
    expect(decided(impl, 'C14', modify({}, { minTier: 3 }))).toMatchObject({
      clause: { minTier: 3, modified: ['min-tier'] }
    })
  })

  test('skip keeps the words on one line', () => {
    expect(decided(impl, 'C8', { kind: 'skip', reason: ' nothing\nto kill\u0007 ' })).toMatchObject({
      kind: 'skipped',
      reason: 'nothing to kill'
    })
  })

  test('an extension is recorded as the operator’s own, and its id is taken then', () => {
    const clause = attestedClause({ id: 'E1', source: 'x' })
    const once = extend(start, analyst, clause, rules)
    const state = 'state' in once ? once.state : start
    expect(state.extensions.get(analyst)).toEqual([{ ...clause, source: 'operator-extension' }])
    expect('refused' in extend(state, analyst, clause, rules)).toBe(true)
  })

  test('INIT-54: a grid needs every verdict', () => {
    expect(incompleteText(start)).toBe('init-verdicts-incomplete: arrow init→analyst/default has 0 of 3 verdicts')
    const done = decideAutomatically(start, rules)
    expect(incompleteText(done)).toBeNull()
    expect(incompleteText(reopen(done, impl, 'C8'))).toMatch(
      /^init-verdicts-incomplete: arrow implementer→integrator\/default has \d+ of \d+ verdicts$/
    )
  })

  test('INIT-55: the automatic path confirms what is complete and defers the rest; attested clauses always', () => {
    const done = decideAutomatically(start, rules)
    const kinds = [...done.decisions.values()].flatMap((given) =>
      [...given.entries()].filter(([, { kind }]) => kind !== 'recorded')
    )
    expect(kinds.map(([id, { kind }]) => [id, kind])).toEqual([['C8', 'deferred']])
  })
})

describe('laws', () => {
  const values = fc.oneof(
    fc.double({ min: -1, max: 2 }),
    fc.integer({ min: -2, max: 9 }),
    fc.constantFrom(
      'info',
      'low',
      'medium',
      'high',
      'critical',
      '**',
      'specs/default/**',
      'specs/default/a.md',
      'main.go',
      'x/main.go',
      'go',
      '(x)',
      'pass',
      'unevaluated'
    ),
    fc.boolean(),
    fc.constant(['TODO'])
  )
  test('a modify that passes never weakens (CONC-87)', () => {
    const all = start.arrows.flatMap(({ id, clauses }) => clauses.map((proposed) => ({ arrow: id, proposed })))
    let taken = 0
    fc.assert(
      fc.property(
        fc.constantFrom(...all),
        fc.dictionary(
          fc.constantFrom(
            'scope',
            'test-scope',
            'threshold',
            'severity-threshold',
            'min-multiplicity',
            'max-multiplicity',
            'min-size-bytes',
            'link-rule',
            'query',
            'expected',
            'markers',
            'on-empty-from',
            'critical-deps',
            'case-sensitive'
          ),
          values,
          { maxKeys: 2 }
        ),
        fc.option(fc.integer({ min: -1, max: 9 }), { nil: undefined }),
        fc.option(fc.integer({ min: -1, max: 4 }), { nil: undefined }),
        ({ arrow, proposed }, args, cost, minTier) => {
          const { clause } = proposed
          const changes = { ...(cost === undefined ? {} : { cost }), ...(minTier === undefined ? {} : { minTier }) }
          const result = decide(start, arrow, clause.id, modify(args as Args, changes), rules)
          if ('refused' in result) return
          taken += 1
          const after = result.state.decisions.get(arrow)!.get(clause.id)!.clause
          expect(after.cost).toBeGreaterThanOrEqual(clause.cost)
          expect(after.minTier).toBeGreaterThanOrEqual(clause.minTier)
          for (const { name, value: before, origin } of proposed.args) {
            const now = after.args[name] ?? before
            if (origin === 'missing' || before === null || JSON.stringify(now) === JSON.stringify(before)) continue
            if (typeof before === 'number') {
              if (name === 'max-multiplicity') expect(now).toBeLessThanOrEqual(before)
              else expect(now).toBeGreaterThanOrEqual(before)
            } else if (name === 'severity-threshold') expect(isLaxer(now as Severity, before as Severity)).toBe(false)
            else {
              expect(name).toMatch(/scope/)
              expect(compilePathGlob(String(before)).matches(String(now))).toBe(true)
            }
          }
        }
      ),
      { numRuns: runs(3000) }
    )
    expect(taken).toBeGreaterThan(50)
  })

  test('INIT-59: no list or map is shared between clauses or with the proposal', () => {
    const done = decideAutomatically(start, rules)
    const seen = new Set<unknown>()
    for (const arrow of done.decisions.values())
      for (const { clause } of arrow.values())
        for (const value of Object.values(clause.args))
          if (typeof value === 'object' && value !== null) {
            expect(seen.has(value)).toBe(false)
            seen.add(value)
          }
    expect(seen.size).toBeGreaterThan(0)
  })
})
