import { describe, expect, it } from 'vitest'
import { isCoveredBy, isSameDefect, outweighs, overlap } from '../../../../src/gate/runner/adversary/match.ts'
import type { NewFinding } from '../../../../src/gate/runner/finding.ts'
import type { Finding } from '../../../../src/gate/runner/records.ts'

const draft = (more: Partial<NewFinding> = {}): NewFinding => ({
  arrowId: 'a',
  type: 'open-sweep',
  severity: 'medium',
  description: 'd',
  raisedByRole: 'adversary',
  gridVersion: 1,
  ...more
})
const known = (more: Partial<Finding> = {}) =>
  ({
    type: 'open-sweep',
    severity: 'medium',
    status: 'open',
    locations: [],
    evidence: '',
    targetClause: null,
    targetRequirement: null,
    ...more
  }) as unknown as Finding

it.each([
  [['a.md:3-7'], ['a.md:7-9'], true],
  [['a.md:3-7'], ['a.md:8'], false],
  [['a.md:3'], ['b.md:3'], false],
  [['./a.md:3'], ['a.md:1-9'], true],
  [['a.md'], ['a.md:90'], true],
  [['a.md:9-3'], ['a.md:5'], true],
  [['x', 'a.md:3'], ['y', 'a.md:3'], true],
  [[' a.md:3 '], ['a.md:3'], true],
  [[' a.md'], ['a.md:3'], true],
  [[], ['a.md'], false]
])('%j and %j meet: %s', (a, b, meets) => {
  expect(overlap(a, b)).toBe(meets)
  expect(overlap(b, a)).toBe(meets)
})

describe('the same defect (RUN-632)', () => {
  it('is one of the same type at the same clause or requirement', () => {
    const falsified = { type: 'clause-falsification', targetClause: 'C5' }
    expect(isSameDefect(known(falsified), draft(falsified))).toBe(true)
    expect(isSameDefect(known(falsified), draft({ ...falsified, targetClause: 'C6' }))).toBe(false)
    expect(isSameDefect(known(falsified), draft({ ...falsified, type: 'depth-below-min' }))).toBe(false)
    expect(isSameDefect(known({ type: 'local-bug' }), draft({ type: 'local-bug' }))).toBe(false)
  })

  it('of an open sweep is one whose places overlap, whatever clause it names', () => {
    expect(isSameDefect(known({ locations: ['a:1-3'] }), draft({ locations: ['a:2'], targetClause: 'C1' }))).toBe(true)
    expect(isSameDefect(known({ locations: [] }), draft({ locations: [] }))).toBe(false)
  })
})

it('a graver defect does not disappear behind a known one', () => {
  expect(outweighs(draft({ severity: 'high' }), known())).toBe(true)
  expect(outweighs(draft({ severity: 'medium' }), known())).toBe(false)
  expect(outweighs(draft({ severity: 'unevaluated' }), known())).toBe(true)
  expect(outweighs(draft({ status: 'unevaluated' }), known({ status: 'unevaluated' }))).toBe(false)
})

it('an accepted risk covers its own place, not its whole clause', () => {
  const accepted = known({
    type: 'clause-falsification',
    targetClause: 'C5',
    status: 'accepted-risk',
    locations: ['a:1-3']
  })
  const again = { type: 'clause-falsification', targetClause: 'C5' }
  expect(isCoveredBy(accepted, draft({ ...again, locations: ['a:2'] }))).toBe(true)
  expect(isCoveredBy(accepted, draft({ ...again, locations: ['a:9'] }))).toBe(false)
  expect(isCoveredBy(accepted, draft({ ...again, locations: [] }))).toBe(false)
  expect(isCoveredBy(accepted, draft({ ...again, locations: ['a:2'], severity: 'critical' }))).toBe(false)
  const unplaced = known({ type: 'clause-falsification', targetClause: 'C5', evidence: 'score: 40' })
  expect(isCoveredBy(unplaced, draft({ ...again, evidence: 'score: 40' }))).toBe(true)
  expect(isCoveredBy(unplaced, draft({ ...again, evidence: 'score: 12' }))).toBe(false)
})

it('a requirement or a clause that is not named is the same as none (RUN-632)', () => {
  const shallow = { type: 'depth-below-min', targetRequirement: 'R-1' }
  expect(isSameDefect(draft(shallow), known(shallow))).toBe(true)
  expect(isSameDefect(draft({ ...shallow, targetClause: null }), draft(shallow))).toBe(true)
  const broken = { type: 'clause-falsification', targetClause: 'C1' }
  expect(isSameDefect(draft(broken), known(broken))).toBe(true)
  expect(isSameDefect(draft({ type: 'local-bug' }), known({ type: 'local-bug' }))).toBe(false)
})
