import { expect, it } from 'vitest'
import { createDirtyRows } from '../../../src/gate/engine/dirty.ts'
import type { RowWrite } from '../../../src/gate/engine/tables/row.ts'

const row = (table: string, key: string, value = ''): RowWrite & { value: string } => ({
  ...{ table, key, value, problem: null },
  apply: () => undefined
})

it('keeps the latest value of each row, in the order in which they first failed, counted per table (PERS-304)', () => {
  const dirty = createDirtyRows()
  dirty.add([row('findings', 'a', 'old'), row('passes', 'a')])
  dirty.add([row('findings', 'b'), row('findings', 'a', 'new')])
  expect([dirty.size(), dirty.sizeOf('findings'), dirty.sizeOf('passes'), dirty.sizeOf('amendments')]).toEqual([
    3, 2, 1, 0
  ])
  const tried: string[] = []
  dirty.retry((write) => {
    tried.push(`${write.table} ${write.key} ${(write as ReturnType<typeof row>).value}`.trim())
    return 'failed'
  })
  expect(tried).toEqual(['findings a new', 'passes a', 'findings b'])
  dirty.settle([row('findings', 'a')])
  expect(dirty.sizeOf('findings')).toBe(1)
})

it('tries on past a row that is bad in itself, and stops where the whole store is busy', () => {
  const dirty = createDirtyRows()
  dirty.add(['a', 'b', 'c', 'd'].map((key) => row('findings', key)))
  const tried: string[] = []
  dirty.retry(({ key }) => {
    tried.push(key)
    return key === 'a' ? 'failed' : key === 'c' ? 'store-busy' : 'written'
  })
  expect(tried).toEqual(['a', 'b', 'c'])
  expect(dirty.size()).toBe(3)
})
