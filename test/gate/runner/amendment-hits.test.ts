import { describe, expect, it } from 'vitest'
import { amendmentHits, hitsText } from '../../../src/gate/runner/amendment-hits.ts'
import type { Invalidation } from '../../../src/gate/runner/records.ts'

type Hit = Pick<Invalidation, 'source' | 'because'>
const by = (...because: NonNullable<Invalidation['because']>): Hit => ({ source: 'amendment', because })

describe('how often amendments voided an arrow (RUN-852)', () => {
  it.each<[readonly Hit[], number, boolean]>([
    [[], 0, false],
    [[{ source: 'operator' }], 0, false],
    [[by('file'), { source: 'operator' }, by('file')], 2, true],
    [[by('file'), by('source')], 2, true],
    [[by('file'), by('section')], 2, false],
    [[by('file', 'clause-id')], 1, false],
    [[by('undeclared'), by('superseded')], 2, false],
    [[{ source: 'amendment' }], 1, false]
  ])('%j: %i, through whole files only: %s', (hits, count, isThroughFilesOnly) => {
    expect(amendmentHits(hits)).toEqual({ count, isThroughFilesOnly })
  })

  it('names the finer choices where whole files let them through', () => {
    expect(hitsText({ count: 3, isThroughFilesOnly: false })).toBe('3')
    expect(hitsText({ count: 3, isThroughFilesOnly: true })).toMatch(/^3 .*`?file`? only.*section.*clause-id/)
  })
})
