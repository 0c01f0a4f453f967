import { describe, expect, it } from 'vitest'
import { findCycles } from '../../../src/gate/evaluators/cycles.ts'
import type { Args } from '../../../src/protocol/grid.ts'
import { fc } from '../../support/laws.ts'
import { evaluate, projects } from './bench.ts'

// What the bound concepts make of a binding's report, each beyond the common protocol (binding.test.ts).

const project = projects()

/** Evaluates `concept` on a project of one file with a binding that prints this object or runs this command. */
async function check(
  concept: string,
  report: object | string,
  more: Args = {},
  files: Readonly<Record<string, string>> = { 'src/a.go': 'x' }
) {
  const { dir, write } = await project(files)
  if (typeof report === 'object') await write('report.json', JSON.stringify(report))
  const declared = typeof report === 'string' ? report : 'cat report.json'
  return evaluate(
    dir,
    concept,
    { scope: 'src/**', language: 'go', ...more },
    { bindings: { [`${concept}.go`]: declared } }
  )
}

describe('lint-clean (CONC-43, CONC-44)', () => {
  const report = (severity: string, pass = true) => ({
    pass,
    details: { findings: [{ file: 'a', line: 1, severity, msg: 'm', rule: 'r' }] }
  })
  it.each([
    ['low', 'pass'],
    ['medium', 'fail'],
    ['critical', 'fail'],
    ['warning', 'fail']
  ])('computes the result from a finding that is %s: %s', async (severity, status) => {
    expect((await check('lint-clean', report(severity))).status).toBe(status)
  })

  it('counts an unknown severity as high and no more', async () => {
    expect((await check('lint-clean', report('odd'), { 'severity-threshold': 'critical' })).status).toBe('pass')
    expect((await check('lint-clean', report('low', false))).status).toBe('pass')
  })

  it('leaves the verdict to the binding without findings, and to the exit code', async () => {
    expect((await check('lint-clean', { pass: false })).status).toBe('fail')
    expect((await check('lint-clean', 'exit 1')).status).toBe('fail')
    expect(await check('lint-clean', 'true')).toMatchObject({ status: 'pass', details: { threshold: 'medium' } })
    expect((await check('lint-clean', { pass: true, details: { findings: 3 } })).details.error).toBe(
      'evaluator-output-malformed'
    )
  })
})

describe('every-step-bound (CONC-45)', () => {
  it('fails over anything unbound', async () => {
    const unbound = [{ file: 'a.feature', line: 3, kind: 'step', description: 'Given nothing' }]
    expect(await check('every-step-bound', { pass: true, details: { unbound } })).toMatchObject({
      status: 'fail',
      details: { unbound }
    })
    expect((await check('every-step-bound', { pass: true, details: { unbound: [] } })).status).toBe('pass')
    expect(await check('every-step-bound', 'false', {}, { 'lib/a.go': 'x' })).toMatchObject({
      details: { vacuous: true }
    })
  })
})

describe('mutation-score (CONC-58…60)', () => {
  const score = (pass: boolean, details: object) =>
    check('mutation-score', { pass, details }, { 'test-scope': 'test/**', threshold: 0.7 })

  it('computes the score from the counts and leaves equivalent mutants out', async () => {
    expect(await score(true, { killed: 7, survived: 3, equivalent: 90 })).toMatchObject({
      status: 'pass',
      details: { score: 0.7, killed: 7, survived: 3, 'timed-out': 0, equivalent: 90 }
    })
    expect(await score(false, { killed: 6, survived: 4, score: 0.99 })).toMatchObject({
      status: 'fail',
      details: { score: 0.6 }
    })
  })

  it('overrides a contradicting flag and notes it', async () => {
    expect((await score(true, { killed: 0, survived: 4 })).details.note).toContain('pass: true')
    expect(await score(false, { killed: 4, survived: 0 })).toMatchObject({ status: 'pass' })
    expect((await score(true, { killed: 4, survived: 0 })).details).not.toHaveProperty('note')
  })

  it('passes vacuously over no mutants', async () => {
    expect(await score(true, { killed: 0, survived: 0, equivalent: 5 })).toMatchObject({
      status: 'pass',
      details: { vacuous: true, score: null }
    })
  })

  it('takes JSON only, with real counts', async () => {
    for (const details of [
      {},
      { killed: 1 },
      { killed: -1, survived: 1 },
      { killed: 1.5, survived: 1 },
      { killed: '1', survived: 1 }
    ])
      expect((await score(true, details)).details.error).toBe('evaluator-output-malformed')
    const plain = await check('mutation-score', 'echo 7 of 10', { 'test-scope': 'test/**', threshold: 0.7 })
    expect(plain).toMatchObject({ status: 'fail', details: { error: 'evaluator-output-malformed' } })
  })
})

describe('tests-pass (CONC-62, CONC-63)', () => {
  it('passes with passing tests, skipped ones aside', async () => {
    const result = await check('tests-pass', { pass: true, details: { passed: 3, failed: 0, skipped: 9 } })
    expect(result).toMatchObject({ status: 'pass', details: { passed: 3, skipped: 9, 'timed-out': false } })
  })

  it('takes no tests for no success', async () => {
    for (const result of [
      await check('tests-pass', { pass: true, details: { passed: 0, failed: 0, skipped: 4 } }),
      await check('tests-pass', 'true', {}, { 'lib/a.go': 'x' })
    ])
      expect(result).toMatchObject({ status: 'fail', details: { error: 'no-tests' } })
  })

  it('fails over a failed test, whatever the flag', async () => {
    expect((await check('tests-pass', { pass: true, details: { passed: 1, failed: 1 } })).status).toBe('fail')
    expect((await check('tests-pass', 'exit 1')).status).toBe('fail')
  })

  it('keeps fifty failures with two KiB of message each', async () => {
    const failures = Array.from({ length: 60 }, (_, n) => ({ name: `t${n}`, message: 'm'.repeat(3000) }))
    const { details } = await check('tests-pass', { pass: false, details: { passed: 0, failed: 60, failures } })
    expect(details.failures).toHaveLength(50)
    expect((details.failures as { message: string }[])[0]?.message).toHaveLength(2048)
    expect(details['failures-total']).toBe(60)
  })

  it('fails when it hangs; its own timeout replaces that of the binding', async () => {
    expect(await check('tests-pass', 'sleep 60', { timeout: '200ms' })).toMatchObject({
      status: 'fail',
      reason: null,
      details: { 'timed-out': true, 'timed-out-after': '200ms' }
    })
  })
})

describe('acyclic-dependency-graph (CONC-61)', () => {
  const edges = (...lines: string[]) => check('acyclic-dependency-graph', `cat <<'END'\n${lines.join('\n')}\nEND`)

  it('finds cycles among the edges', async () => {
    expect(await edges('a b', 'b c', '', 'a c')).toMatchObject({
      status: 'pass',
      details: { 'edge-count': 3, cycles: [] }
    })
    expect(await edges('a b', 'b c', 'c a')).toMatchObject({
      status: 'fail',
      details: { cycles: [{ path: ['a', 'b', 'c', 'a'], kind: 'import-graph' }] }
    })
    expect((await edges('x x')).details.cycles).toEqual([{ path: ['x', 'x'], kind: 'import-graph' }])
  })

  it('passes over no edges', async () => {
    expect(await check('acyclic-dependency-graph', 'true')).toMatchObject({
      status: 'pass',
      details: { 'edge-count': 0 }
    })
    expect(await check('acyclic-dependency-graph', 'true', {}, { 'lib/a.go': 'x' })).toMatchObject({
      details: { vacuous: true }
    })
  })

  it('fails over a malformed line, and leaves a failed extractor open', async () => {
    expect(await edges('a b', 'a -> b')).toMatchObject({
      status: 'fail',
      details: { error: 'evaluator-output-malformed', line: 2 }
    })
    expect((await edges('alone')).details.error).toBe('evaluator-output-malformed')
    expect(await check('acyclic-dependency-graph', 'echo a b; exit 1')).toMatchObject({ reason: 'evaluator-error' })
  })

  it('takes cycles from JSON, whatever the flag', async () => {
    const cycles = [{ path: ['a', 'a'], kind: 'call-graph' }]
    expect((await check('acyclic-dependency-graph', { pass: true, details: { cycles } })).status).toBe('fail')
    expect((await check('acyclic-dependency-graph', { pass: true, details: { cycles: [] } })).status).toBe('pass')
    expect((await check('acyclic-dependency-graph', { pass: false })).status).toBe('fail')
  })

  it('every cycle found is one, and none is found exactly where an order exists', () => {
    const node = fc.integer({ min: 0, max: 7 }).map(String)
    fc.assert(
      fc.property(fc.array(fc.tuple(node, node), { maxLength: 20 }), (graph) => {
        const cycles = findCycles(graph)
        for (const cycle of cycles) {
          expect(cycle[0]).toBe(cycle.at(-1))
          for (let at = 1; at < cycle.length; at += 1)
            expect(graph.some(([from, to]) => from === cycle[at - 1] && to === cycle[at])).toBe(true)
        }
        expect(cycles.length === 0).toBe(hasOrder(graph))
      })
    )
  })

  it('goes through a chain as long as a program is deep', () => {
    const chain = Array.from({ length: 50_000 }, (_, n) => [String(n), String(n + 1)] as const)
    expect(findCycles(chain)).toEqual([])
    expect(findCycles([...chain, ['50000', '0']])[0]).toHaveLength(50_002)
  })
})

/** Whether the nodes can be taken away one by one, each without an edge into it: another way to say acyclic. */
function hasOrder(graph: readonly (readonly [string, string])[]): boolean {
  let rest = graph
  for (;;) {
    const targets = new Set(rest.map(([, to]) => to))
    const next = rest.filter(([from]) => targets.has(from))
    if (next.length === rest.length) return rest.length === 0
    rest = next
  }
}

describe('no-orphan-symbol (CONC-55…57)', () => {
  const files = {
    'src/a.go': '// @feat FEAT-1\n\nfunc A()\n\n\n\n\n\n\n\n\n\nfunc B()\nfunc C() // @feat FEAT-9\n',
    'specs/features/pay.feature': '@id:FEAT-1\nFeature: pay\n'
  }
  const extractor = `printf 'A\\tsrc/a.go:3\\nB\\tsrc/a.go:13\\nC\\tsrc/a.go:14\\n'`
  const orphan = async (declared: object | string, specIndex = 'specs/features/**') => {
    const { dir } = await project(files)
    return evaluate(
      dir,
      'no-orphan-symbol',
      { scope: 'src/**', 'spec-index': specIndex, language: 'go' },
      { bindings: { 'no-orphan-symbol.go': declared } }
    )
  }

  it('maps by pattern on the declaration and the eight lines above it', async () => {
    const result = await orphan({ extractor, mapper: 'regex:@feat (\\S+)' })
    expect(result).toMatchObject({
      status: 'fail',
      details: {
        'entity-count': 3,
        orphans: [{ 'entity-id': 'B', location: 'src/a.go:13' }],
        'missing-targets': [{ 'referenced-id': 'FEAT-9', 'found-in': 'src/a.go:14' }]
      }
    })
  })

  it('takes absolute locations and looks at nothing outside of the project', async () => {
    const result = await orphan({
      extractor: `printf "A\\t$PWD/src/a.go:3\\nB\\t/etc/passwd:1\\nC\\t../x:1\\n"`,
      mapper: 'regex:(FEAT-1|root)'
    })
    expect(result.details.orphans).toMatchObject([{ 'entity-id': 'B' }, { 'entity-id': 'C' }])
  })

  it('maps by command', async () => {
    const mapper = `printf 'A\\tFEAT-1\\nB\\tFEAT-1,pay\\nC\\tpay.feature\\n'`
    expect(await orphan({ extractor, mapper })).toMatchObject({
      status: 'pass',
      details: { orphans: [], 'missing-targets': [] }
    })
    expect(await orphan({ extractor, mapper: 'echo A' })).toMatchObject({
      details: { error: 'evaluator-output-malformed' }
    })
    expect(await orphan({ extractor, mapper: 'exit 3' })).toMatchObject({ reason: 'evaluator-error' })
  })

  it('passes vacuously over no entities', async () => {
    expect(await orphan({ extractor: 'true', mapper: 'true' })).toMatchObject({
      status: 'pass',
      details: { vacuous: true }
    })
  })

  it('is open without an index, and with an extractor or mapper that cannot run', async () => {
    expect(await orphan({ extractor, mapper: 'true' }, 'specs/feature/**')).toMatchObject({
      reason: 'no-rule-selectable-locations'
    })
    expect(await orphan({ extractor: 'no-such-command-here', mapper: 'true' })).toMatchObject({
      reason: 'evaluator-error'
    })
    for (const mapper of ['regex:(', 'regex:x', 'regex:(x*)'])
      expect(await orphan({ extractor, mapper })).toMatchObject({ reason: 'evaluator-error' })
  })

  it('takes a plain command with JSON, whose lists outweigh its flag', async () => {
    const say = (details: object) => `echo '${JSON.stringify({ pass: true, details })}'`
    expect((await orphan(say({ orphans: [], 'missing-targets': [] }))).status).toBe('pass')
    expect((await orphan(say({ orphans: [{ 'entity-id': 'A', location: '' }] }))).status).toBe('fail')
    expect((await orphan(say({ 'entity-count': 0 }))).details).toMatchObject({ vacuous: true })
  })
})
