import { expect, it } from 'vitest'
import type { Invalidation } from '../../../src/gate/runner/records.ts'
import { arrowOf, clauseOf, gridOf, worldOf } from '../../support/gates.ts'

const arrow = arrowOf('analyst', 'architect', [clauseOf('C1')])
const given = { arrowId: arrow.id, opId: 'bob', reason: 'r', source: 'operator', gridVersion: 1 } as const
const storeOf = () => worldOf(gridOf([arrow])).gates.invalidations

it('a pass ends the invalidation it noted and no later one, and the ended stays the latest (PERS-220, RUN-850)', () => {
  const store = storeOf()
  const seen: Invalidation[] = []
  store.observe((invalidation) => seen.push(invalidation))
  const first = store.record(given)
  const second = store.record(given)
  store.consume(first, 'p-1')
  expect(store.inForce(arrow.id)).toEqual(second)
  store.consume(second, 'p-2')
  store.consume(second, 'p-3')
  expect(store.inForce(arrow.id)).toBeNull()
  expect(store.latest(arrow.id)).toEqual({ ...second, consumedByPass: 'p-2' })
  expect(seen).toEqual([first, second])
  expect([store.latest('elsewhere'), store.inForce('elsewhere')]).toEqual([null, null])
})

it('is handed out as a copy (RUN-115)', () => {
  const store = storeOf()
  store.observe((invalidation) => Object.assign(invalidation, { consumedByPass: 'x' }))
  Object.assign(store.record(given), { consumedByPass: 'x' })
  Object.assign(store.latest(arrow.id) ?? {}, { consumedByPass: 'x' })
  Object.assign(store.inForce(arrow.id) ?? {}, { consumedByPass: 'x' })
  expect(store.inForce(arrow.id)).toMatchObject({ opId: 'bob', consumedByPass: null })
})
