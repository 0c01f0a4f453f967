import { describe, expect, test } from 'vitest'
import {
  arrowId,
  attestationId,
  attestationRef,
  autoClauseId,
  defaultPairs,
  isClauseId,
  isContextId,
  languageClauseId,
  normaliseArrowId,
  parseArrowId,
  passId
} from '../../../src/gate/runner/arrow-id.ts'
import { arrowListing } from '../../../src/gate/runner/listing.ts'
import { arrowOf, gridOf } from '../../support/grid.ts'

describe('GATE-1, GATE-4: arrow ids', () => {
  test('a context has four arrows, and their ids are read back from either spelling', () => {
    const ids = defaultPairs.map(({ source, target }) => arrowId(source, target, 'pay_1'))
    expect(ids).toEqual([
      'init→analyst/pay_1',
      'analyst→architect/pay_1',
      'architect→implementer/pay_1',
      'implementer→integrator/pay_1'
    ])
    for (const [n, id] of ids.entries()) {
      const { source, target } = defaultPairs[n]!
      expect(parseArrowId(id)).toEqual({ source, target, context: 'pay_1' })
      expect(normaliseArrowId(` ${id.replace('→', '->')} `)).toBe(id)
    }
  })

  test.each([
    '',
    'analyst',
    'analyst→architect',
    'analyst→architect/',
    'analyst→analyst/x',
    'tester→analyst/x',
    'analyst→init/x',
    'analyst→architect/1x',
    'analyst→architect/a/b'
  ])('%j is none', (text) => expect(parseArrowId(text)).toBeNull())
})

test('GATE-10: context ids', () => {
  for (const id of ['a', 'default', 'A-b_9']) expect(isContextId(id)).toBe(true)
  for (const id of ['', '1a', '-a', 'a b', 'a.b', 'é', 'a\n']) expect(isContextId(id)).toBe(false)
})

test('GATE-6: clause ids have no hyphen, and a language goes into one with what fits', () => {
  for (const id of ['C1', 'C1.tests', 'E_2']) expect(isClauseId(id)).toBe(true)
  for (const id of ['', '1C', 'C-1', 'C 1', 'C1\n']) expect(isClauseId(id)).toBe(false)
  expect(languageClauseId('C2', 'c++')).toBe('C2.c__')
  expect(isClauseId(languageClauseId('C2', 'objective-c#'))).toBe(true)
})

test('GATE-7, GATE-8, GATE-11: ids of passes, added clauses and attestations', () => {
  expect(passId(3)).toBe('p-3')
  expect(autoClauseId('init→analyst/x', 'no-open-finding')).toBe('auto/init→analyst/x/no-open-finding')
  const ref = attestationRef('init→analyst/x', 'C1', 2)
  expect(ref).toBe('att-init→analyst/x-C1-v2')
  expect(attestationRef('init→analyst/x', null, 2)).toBe('att-init→analyst/x-v2')
  expect([attestationId(ref, 1), attestationId(ref, 3)]).toEqual([ref, `${ref}-r3`])
})

test('GATE-12, OPUI-310: the listing', () => {
  const long = 'analyst→architect/a-context-with-a-long-name'
  const grid = gridOf({ version: 7, arrows: [arrowOf(), arrowOf({ id: long, context: 'a-context-with-a-long-name' })] })
  expect(arrowListing(grid)).toEqual([
    'grid arrows (2, version=7):',
    '  analyst→architect/default    analyst → architect    stratum=L1 context=default clauses=2',
    `  ${long} analyst → architect    stratum=L1 context=a-context-with-a-long-name clauses=2`
  ])
})
