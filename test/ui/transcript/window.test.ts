import { expect, it } from 'vitest'
import { HeightIndex } from '../../../ui/transcript/height-index.ts'
import {
  bottomWindow,
  down,
  firstLine,
  type Heights,
  isAtOrAbove,
  lastLine,
  nearest,
  type Position,
  up,
  visible
} from '../../../ui/transcript/window.ts'
import { fc } from '../../support/laws.ts'

const grid = fc.array(fc.array(fc.nat(5), { maxLength: 4 }), { maxLength: 8 })

function heightsOf(rows: readonly (readonly number[])[]): Heights {
  return {
    rowCount: rows.length,
    pieceCount: (row) => rows[row]!.length,
    height: (row, piece) => rows[row]![piece]!
  }
}

/** Every line, flat: what the window has to agree with. */
function flat(rows: readonly (readonly number[])[]): Position[] {
  return rows.flatMap((pieces, row) =>
    pieces.flatMap((height, piece) => Array.from({ length: height }, (_, line) => ({ row, piece, line })))
  )
}

it('walks as if the lines were one list, empty pieces and rows included', () => {
  fc.assert(
    fc.property(grid, fc.nat(100), fc.nat(30), (rows, start, count) => {
      const heights = heightsOf(rows)
      const lines = flat(rows)
      expect(firstLine(heights)).toEqual(lines[0] ?? null)
      expect(lastLine(heights)).toEqual(lines.at(-1) ?? null)
      expect(bottomWindow(heights, count)).toEqual(
        lines.length === 0 ? null : lines[Math.max(0, lines.length - Math.max(1, count))]
      )
      if (lines.length === 0) return
      const at = start % lines.length
      const from = lines[at]!
      expect(down(heights, from, count)).toEqual(lines[Math.min(lines.length - 1, at + count)])
      expect(up(heights, from, count)).toEqual(lines[Math.max(0, at - count)])
      const seen = [...visible(heights, from, count)].flatMap((part) =>
        Array.from({ length: part.count }, (_, line) => ({ row: part.row, piece: part.piece, line: part.from + line }))
      )
      expect(seen).toEqual(lines.slice(at, at + count))
      expect(isAtOrAbove(from, down(heights, from, count))).toBe(true)
    })
  )
})

it('finds a line near any place, if there is one', () => {
  fc.assert(
    fc.property(grid, fc.nat(12), fc.nat(6), fc.nat(8), (rows, row, piece, line) => {
      const found = nearest(heightsOf(rows), { row, piece, line })
      const lines = flat(rows)
      if (lines.length === 0) expect(found).toBeNull()
      else expect(lines).toContainEqual(found)
      if (lines.some((each) => each.row === row && each.piece === piece && each.line === line)) {
        expect(found).toEqual({ row, piece, line })
      }
    })
  )
})

it('HeightIndex sums like a plain list through any changes', () => {
  const change = fc.oneof(
    fc.record({ kind: fc.constant('append' as const), height: fc.nat(9) }),
    fc.record({ kind: fc.constant('set' as const), at: fc.nat(50), height: fc.nat(9) }),
    fc.record({ kind: fc.constant('truncate' as const), at: fc.nat(50) })
  )
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
      const index = new HeightIndex()
      const plain: number[] = []
      for (const each of changes) {
        if (each.kind === 'append') {
          index.set(plain.length, each.height)
          plain.push(each.height)
        } else if (each.kind === 'truncate') {
          index.truncate(each.at)
          plain.length = Math.min(plain.length, each.at)
        } else if (plain.length > 0) {
          index.set(each.at % plain.length, each.height)
          plain[each.at % plain.length] = each.height
        }
        expect(index.count).toBe(plain.length)
        for (let row = 0; row <= plain.length; row++) {
          expect(index.before(row)).toBe(plain.slice(0, row).reduce((sum, height) => sum + height, 0))
        }
        expect(index.total).toBe(index.before(plain.length))
      }
    })
  )
})
