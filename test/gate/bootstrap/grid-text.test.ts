import { describe, expect, test } from 'vitest'
import { parseGrid } from '../../../src/gate/bootstrap/grid-parse.ts'
import { gridText } from '../../../src/gate/bootstrap/grid-text.ts'
import { loadCatalogue } from '../../../src/gate/catalogue/index.ts'
import type { Args, ArgValue, Clause, Extra, Grid } from '../../../src/protocol/grid.ts'
import { arrowOf, attestedClause, gridOf, machineClause } from '../../support/grid.ts'
import { fc, runs } from '../../support/laws.ts'

const catalogue = loadCatalogue()

function read(text: string): Grid {
  const result = parseGrid(text, catalogue)
  if ('problem' in result) throw new Error(`${result.problem.at}: ${result.problem.text}\n${text}`)
  return result.grid
}

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({
    unit: fc.constantFrom(...': #-?,[]{}&*!|>\'"%@`\n\r\t\u0085\u2028\ufeff~01.eE+nullyestrue→—é\ud800\u{1f600}\\/ '),
    maxLength: 20
  })
)
const filled = text.map((value) => `x${value}`)
const scalar = fc.oneof(
  text,
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0),
  fc.boolean(),
  fc.constant(null),
  fc.integer()
)
const value: fc.Arbitrary<ArgValue> = fc.letrec<{ value: ArgValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(filled, tie('value'), { maxKeys: 3 })
  )
})).value
const extra: fc.Arbitrary<Extra> = fc
  .option(
    fc.dictionary(
      text.map((key) => `x-${key}`),
      value,
      { minKeys: 1, maxKeys: 2 }
    ),
    { nil: null }
  )
  .map((found) => (found === null ? {} : { extra: found as Args }))

const clauses: fc.Arbitrary<readonly Clause[]> = fc
  .array(fc.tuple(text, fc.nat(), text, fc.constantFrom('machine', 'attested', 'deferred'), extra), {
    minLength: 1,
    maxLength: 4
  })
  .map((parts) =>
    parts.map(([description, cost, raw, kind, more], n) => {
      const shared = { id: `C${n}`, description, cost, ...more }
      if (kind === 'attested') return attestedClause({ ...shared, modified: ['cost'] })
      if (kind === 'deferred')
        return machineClause({
          ...shared,
          concept: 'compiles',
          args: { scope: 'src/**' },
          missing: ['language:language-id']
        })
      return machineClause({ ...shared, args: { scope: 'src/**', markers: [raw, 'TODO'], 'case-sensitive': true } })
    })
  )

const grids: fc.Arbitrary<Grid> = fc
  .record({
    version: fc.integer({ min: 1, max: 1e9 }),
    createdByOpId: filled,
    contractRevision: text,
    languages: fc.uniqueArray(text, { maxLength: 3 }),
    description: fc.option(text),
    command: filled,
    timeoutMs: fc.integer({ min: 1, max: 1e9 }),
    refusalOverride: fc.option(text),
    amendmentId: fc.option(text),
    strictOpIdSeparation: fc.boolean(),
    retention: fc.oneof(
      fc.constant({ kind: 'keep-all' as const }),
      fc.record({ kind: fc.constant('max-count' as const), count: fc.integer({ min: 1 }) }),
      fc.record({ kind: fc.constant('max-age' as const), ageMs: fc.integer({ min: 1, max: 1e12 }) })
    ),
    residue: fc.array(
      fc
        .record({
          kind: text,
          arrow: text,
          clauseId: fc.option(text),
          concept: fc.option(text),
          description: text,
          cost: fc.option(fc.nat()),
          reason: text
        })
        .chain((entry) => extra.map((more) => ({ ...entry, ...more }))),
      { maxLength: 3 }
    ),
    requirements: fc.uniqueArray(
      fc.record({ id: filled, minDepth: fc.constantFrom(1 as const, 2 as const, 3 as const), description: filled }),
      { maxLength: 2, selector: ({ id }) => id }
    ),
    dependencies: fc.option(
      fc.array(
        fc.record({
          artifact: filled,
          granularity: fc.constantFrom('file' as const, 'section' as const),
          onChange: fc.constant('invalidate' as const)
        }),
        { maxLength: 2 }
      )
    ),
    clauses,
    extra
  })
  .map(({ description, command, timeoutMs, requirements, dependencies, clauses: list, extra: more, ...settings }) =>
    gridOf({
      ...settings,
      ...more,
      boundedContexts: [{ id: 'default', description }],
      languageBindings: {
        'compiles.go': { command, protocol: 'auto', timeoutMs, env: [], extractor: null, mapper: null },
        'no-orphan-symbol.go': {
          command: null,
          protocol: 'json',
          timeoutMs: 300_000,
          env: ['A_B'],
          extractor: command,
          mapper: `regex:${command}`
        }
      },
      arrows: [arrowOf({ clauses: list, requirements, dependencies })]
    })
  )

describe('the law of the grid file', () => {
  test('whatever is written is read to the same grid (INIT-72)', () => {
    fc.assert(
      fc.property(grids, (grid) => {
        expect(read(gridText(grid))).toEqual(grid)
      }),
      { numRuns: runs(300) }
    )
  })
})
