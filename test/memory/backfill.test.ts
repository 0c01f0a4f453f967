import { expect, test } from 'vitest'
import { chooseBackfill } from '../../src/memory/backfill.ts'

test('a budget is spent in rank order (CTX-048)', () => {
  const [big, small] = [{ note: 'x'.repeat(300) }, { note: 'y'.repeat(30) }]
  expect(chooseBackfill([big, small], 100)).toEqual({ chosen: [big], skipped: [small] })
  expect(chooseBackfill([big, small], 99)).toEqual({ chosen: [small], skipped: [big] })
})
