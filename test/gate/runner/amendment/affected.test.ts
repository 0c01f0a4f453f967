import { expect, it } from 'vitest'
import { affectedArrows, fallbackOnly, matchesAny } from '../../../../src/gate/runner/amendment/affected.ts'
import type { Dependency } from '../../../../src/protocol/grid.ts'
import { arrowOf, clauseOf, gridOf } from '../../../support/gates.ts'

const on = (artifact: string, granularity: Dependency['granularity']): Dependency => ({
  artifact,
  granularity,
  onChange: 'invalidate'
})

it.each([
  [on('specs/shop/**', 'file'), 'specs/shop/a/b.md', true],
  [on('specs/shop/**', 'file'), './specs/shop/a.md', true],
  [on('specs/shop/a.md', 'file'), 'specs/shop/a.md#Rules', true],
  [on('specs/shop/**', 'file'), 'specs/pay/a.md', false],
  [on('specs/a.md#Rules', 'section'), 'specs/a.md', true],
  [on('specs/a.md#Rules', 'section'), 'specs/a.md#Rules', true],
  [on('specs/a.md#Rules', 'section'), 'specs/a.md#Other', false],
  [on('INV-001', 'clause-id'), 'INV-001', true],
  [on('INV-001', 'clause-id'), 'INV-002', false]
])('%j names %s: %s (RUN-722)', (dependency, changed, names) => {
  expect(matchesAny(dependency, [changed])).toBe(names)
})

it('undeclared is voided by every change, declared none by no dependency (GATE-90)', () => {
  const clauses = [clauseOf('C1')]
  const undeclared = arrowOf('analyst', 'architect', clauses, { dependencies: null })
  const none = arrowOf('architect', 'implementer', clauses, { dependencies: [] })
  const base = gridOf([undeclared, none])
  const staged = { base, arrows: [], superseded: [], hasNewBindings: false }
  const input = {
    sourceArrow: 'integrator→analyst/shop',
    staged,
    changedArtifacts: ['x'],
    differing: new Set<string>()
  }
  const affected = affectedArrows(base.arrows, input)
  expect(affected.arrows).toEqual([{ id: undeclared.id, because: ['undeclared'] }])
  expect(fallbackOnly(affected)).toBe(1)
  expect(affectedArrows(base.arrows, { ...input, changedArtifacts: [] })).toEqual({ isSpecChange: false, arrows: [] })
})
