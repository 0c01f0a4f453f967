import { describe, expect, test } from 'vitest'
import { examineChain, type Link } from '../../src/memory/chain.ts'
import { zeroHash } from '../../src/memory/record.ts'
import { fc } from '../support/laws.ts'

const name = (n: number) => (n + 1).toString(16).padStart(64, '0')
const line = (length: number): Link[] =>
  Array.from({ length }, (_, n) => ({ hash: name(n), parent: n === 0 ? zeroHash : name(n - 1), intact: true }))

const lengthAndPlace = fc
  .integer({ min: 2, max: 60 })
  .chain((length) => fc.record({ length: fc.constant(length), at: fc.integer({ min: 1, max: length - 1 }) }))

describe('laws of a chain (MEM-051…054)', () => {
  test('an unbroken line is sound, in whatever order its links are looked at', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(line(40), { minLength: 40 }), (links) => {
        expect(examineChain(links).broken.size).toBe(0)
      })
    )
  })

  test('an altered record breaks the chain at that link: it and all that follow, nothing before', () => {
    fc.assert(
      fc.property(lengthAndPlace, ({ length, at }) => {
        const links = line(length).map((link, n) => (n === at ? { ...link, intact: false } : link))
        const { broken } = examineChain(links)
        expect([...broken.keys()].sort()).toEqual(links.slice(at).map(({ hash }) => hash))
        expect([...broken.values()].every((fault) => fault === name(at))).toBe(true)
      })
    )
  })

  test('a missing record breaks it at the one that hangs on it', () => {
    fc.assert(
      fc.property(lengthAndPlace, ({ length, at }) => {
        const { broken } = examineChain(line(length).filter((_, n) => n !== at - 1 || at === 0))
        expect([...broken.keys()].sort()).toEqual(
          line(length)
            .slice(at)
            .map(({ hash }) => hash)
        )
        expect(new Set(broken.values())).toEqual(new Set([name(at)]))
      })
    )
  })

  test('a new segment is sound behind a broken stretch, and reported (MEM-052)', () => {
    const links = [...line(3).slice(1), { hash: 'a'.repeat(64), parent: zeroHash, intact: true }]
    const { broken, restarts } = examineChain(links)
    expect([...broken.keys()]).toEqual([name(1), name(2)])
    expect(restarts).toEqual(['a'.repeat(64)])
  })

  test('both sides of a fork stay usable, and it is reported once (MEM-054)', () => {
    const child = (hash: string): Link => ({ hash, parent: name(1), intact: true })
    const { broken, forks } = examineChain([...line(3), child('a'), child('b')])
    expect(broken.size).toBe(0)
    expect(forks).toEqual([name(1)])
  })

  test('records that name each other, which only altered ones can, end the walk', () => {
    const links = [
      { hash: name(1), parent: name(2), intact: true },
      { hash: name(2), parent: name(1), intact: true }
    ]
    expect(examineChain(links).broken.size).toBe(2)
  })

  test('a long chain costs one look per link', () => {
    expect(examineChain(line(50_000).reverse()).broken.size).toBe(0)
  })
})
