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
    differing: new Map()
  }
  const affected = affectedArrows(base.arrows, input)
  expect(affected.arrows).toEqual([{ id: undeclared.id, because: ['undeclared'] }])
  expect(fallbackOnly(affected, [undeclared.id])).toBe(1)
  // One that never had a pass was not voided.
  expect(fallbackOnly(affected, [])).toBe(0)
  expect(affectedArrows(base.arrows, { ...input, changedArtifacts: [] })).toEqual({ isSpecChange: false, arrows: [] })
})

it('says through which granularity a change came, named by the proposal or seen in a digest (RUN-852)', () => {
  const file = on('specs/shop/**', 'file')
  const section = on('specs/shop/model.md#Rules', 'section')
  const id = on('INV-001', 'clause-id')
  const arrow = arrowOf('analyst', 'architect', [clauseOf('C1')], { dependencies: [file, section, id] })
  const base = gridOf([arrow])
  const becauseOf = (changedArtifacts: readonly string[], differing: readonly Dependency[]) =>
    affectedArrows(base.arrows, {
      sourceArrow: 'integrator→analyst/shop',
      staged: { base, arrows: [], superseded: [], hasNewBindings: false },
      changedArtifacts,
      differing: new Map([[arrow.id, differing]])
    }).arrows[0]?.because
  expect(becauseOf(['specs/shop/a.md'], [])).toEqual(['file'])
  expect(becauseOf(['specs/shop/model.md#Rules'], [])).toEqual(['file', 'section'])
  expect(becauseOf(['INV-001'], [section])).toEqual(['section', 'clause-id'])
  expect(becauseOf([], [file])).toEqual(['file'])
})
