import { describe, expect, it } from 'vitest'
import { loadCatalogue, modifyArguments } from '../../../src/gate/catalogue/index.ts'
import type { Args, ArgValue } from '../../../src/protocol/grid.ts'
import { fc } from '../../support/laws.ts'

const catalogue = loadCatalogue()
const mutation: Args = { scope: 'src/**', 'test-scope': 'tests/**', threshold: 0.7, language: 'go' }
const lint: Args = { scope: 'src/**', language: 'go', 'severity-threshold': 'medium' }
const trace: Args = { from: 'a/*.md', to: 'b/*.md', 'link-rule': '(x+)', 'max-multiplicity': 3 }
const count: Args = { query: 'x', 'query-target': 'a.md', expected: 0 }

describe('modify tightens and never weakens (CONC-87, CONC-88)', () => {
  it.each<[string, string, Args, Args]>([
    ['a higher number', 'mutation-score', mutation, { threshold: 0.8 }],
    ['a lower severity', 'lint-clean', lint, { 'severity-threshold': 'info' }],
    ['a path inside the scope', 'lint-clean', lint, { scope: 'src/a.go' }],
    ['a lower upper bound', 'trace-link-present', trace, { 'max-multiplicity': 2 }],
    ['a higher lower bound than the default', 'trace-link-present', trace, { 'min-multiplicity': 2 }],
    [
      'what had no value',
      'kill-server-fails-integration',
      { 'test-suite': 't/**', 'critical-deps': ['db'] },
      {
        'test-command': 'make it',
        'kill-cmd.db': 'stop db'
      }
    ]
  ])('accepts %s', (_, concept, proposed, changes) => {
    const result = modifyArguments(catalogue, concept, proposed, changes)
    expect(result).toHaveProperty('args')
    expect('modified' in result && result.modified).not.toHaveLength(0)
  })

  it.each<[string, string, Args, Args]>([
    ['cannot-weaken-default', 'mutation-score', mutation, { threshold: 0.6 }],
    ['cannot-weaken-default: laxer threshold', 'lint-clean', lint, { 'severity-threshold': 'high' }],
    ['cannot-weaken-default: wider scope', 'lint-clean', lint, { scope: 'lib/a.go' }],
    ['cannot-weaken-default: wider scope', 'lint-clean', lint, { scope: 'src/a/**' }],
    ['cannot-weaken-default', 'trace-link-present', trace, { 'max-multiplicity': 4 }],
    ['cannot-weaken-default', 'trace-link-present', trace, { 'min-multiplicity': 0 }],
    ['regex-modify-not-supported', 'trace-link-present', trace, { 'link-rule': '(y+)' }],
    ['regex-modify-not-supported', 'cardinality-check', count, { query: 'y' }],
    ['modify-type-not-supported', 'cardinality-check', count, { expected: 1 }],
    ['modify-type-not-supported', 'no-todo-marker', { scope: 'a' }, { 'exclude-prefixes': ['#'] }],
    ['modify-type-not-supported', 'lint-clean', lint, { language: 'rust' }],
    ['modify-non-finite-numeric', 'mutation-score', mutation, { threshold: Number.NaN }],
    ['modify-on-unknown-field', 'lint-clean', lint, { level: 3 }],
    [
      'lint-clean: argument "severity-threshold": "severe" not in canonical enum',
      'lint-clean',
      lint,
      {
        'severity-threshold': 'severe'
      }
    ]
  ])('refuses with %s', (message, concept, proposed, changes) => {
    const result = modifyArguments(catalogue, concept, proposed, changes)
    expect('refused' in result && result.refused.message.startsWith(message), JSON.stringify(result)).toBe(true)
  })

  it('does not count what stays as it is', () => {
    expect(modifyArguments(catalogue, 'lint-clean', lint, { ...lint })).toEqual({ args: lint, modified: [] })
  })

  it('accepts exactly the thresholds at or above the proposed one', () => {
    const unit = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(unit, unit, (before, after) => {
        const result = modifyArguments(
          catalogue,
          'mutation-score',
          { ...mutation, threshold: before },
          {
            threshold: after as ArgValue
          }
        )
        expect('args' in result).toBe(after >= before)
      })
    )
  })
})
