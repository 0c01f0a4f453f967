import { describe, expect, test } from 'vitest'
import { matrixLines, matrixOf, neighbour } from '../../../ui/grid/matrix.ts'
import { lineText } from '../../../ui/parts/lines.ts'
import { unicodeGlyphs } from '../../../ui/theme/glyphs.ts'
import { arrowRow } from '../../support/gate-view.ts'
import { fc } from '../../support/laws.ts'

const rows = [
  arrowRow('init→analyst', { status: 'complete', isStarted: true }),
  arrowRow('analyst→architect'),
  arrowRow('init→analyst', { context: 'tax' }),
  arrowRow('architect→implementer', { context: 'tax', status: 'blocked', isStarted: true })
]
const matrix = matrixOf(rows)

describe('the matrix (OPUI-720)', () => {
  test('has contexts as rows and role pairs as columns; what is not declared is empty', () => {
    const lines = matrixLines(matrix, 'init→analyst/tax', 72, unicodeGlyphs).map((line) => lineText(line).trimEnd())
    expect(lines).toEqual([
      '        init→analyst         analyst→architect    architect→implement…',
      'default ● valid              · not started',
      'tax    ▸· not started                             ✗ blocked'
    ])
  })

  test('moving steps over what is not declared and stops at the edges', () => {
    expect(neighbour(matrix, 'init→analyst/tax', 'right')).toBe('architect→implementer/tax')
    expect(neighbour(matrix, 'architect→implementer/tax', 'left')).toBe('init→analyst/tax')
    expect(neighbour(matrix, 'analyst→architect/default', 'down')).toBe('analyst→architect/default')
    expect(neighbour(matrix, 'init→analyst/default', 'up')).toBe('init→analyst/default')
    expect(neighbour(matrix, 'nobody', 'up')).toBe('nobody')
  })

  test('any walk stays on declared arrows', () => {
    const ids = rows.map(({ id }) => id)
    fc.assert(
      fc.property(fc.constantFrom(...ids), fc.array(fc.constantFrom('left', 'right', 'up', 'down')), (from, steps) => {
        const end = steps.reduce((at, step) => neighbour(matrix, at, step), from)
        expect(ids).toContain(end)
      })
    )
  })
})
