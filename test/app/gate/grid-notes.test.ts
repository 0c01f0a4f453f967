import { expect, test } from 'vitest'
import { gridNotes } from '../../../src/app/gate/grid-notes.ts'
import { arrowOf, gridOf } from '../../support/grid.ts'

test('a sound grid has nothing to be told', () => {
  expect(gridNotes({ grid: gridOf(), unknownKeys: [] })).toEqual([])
})

test('INIT-71: a key nobody knows is told, on one line whatever it holds', () => {
  expect(gridNotes({ grid: gridOf({ version: 3 }), unknownKeys: ['arrows[0].note', 'a\u001b[31mb\nc'] })).toEqual([
    '⚠ grid v3: nobody knows the key arrows[0].note; it is ignored',
    expect.stringMatching(/^⚠ grid v3: nobody knows the key a[^\u001b\n]*; it is ignored$/)
  ])
})

test('GATE-9: a label that differs from the one the clauses make is told', () => {
  const grid = gridOf({ arrows: [arrowOf({ stratum: 'L2' })] })
  expect(gridNotes({ grid, unknownKeys: [] })).toEqual([
    '⚠ grid v1: analyst→architect/default is recorded as L2, its clauses make it L1; they route it'
  ])
})
