import { describe, expect, it } from 'vitest'
import { exceedsWindow, needsCompaction, tokenCounter } from '../../../src/agent/context/index.ts'
import type { ToolSpec } from '../../../src/protocol/tool.ts'
import { note, user } from '../../support/entries.ts'

describe('limits', () => {
  it.each([
    [900_000, 1_000_000, false],
    [900_001, 1_000_000, true],
    [9, 11, false],
    [10, 11, true]
  ])('%i of %i tokens needs compaction: %s (CTX-011)', (tokens, max, expected) => {
    expect(needsCompaction(tokens, max)).toBe(expected)
  })

  it.each([
    [950_000, 1_000_000, false],
    [950_001, 1_000_000, true]
  ])('%i of %i tokens exceeds the window: %s (CTX-012)', (tokens, max, expected) => {
    expect(exceedsWindow(tokens, max)).toBe(expected)
  })
})

describe('counting (CTX-010, CTX-013)', () => {
  it('adds system prompt, notes, entries and tool schemas', () => {
    const { counter } = counting()
    const entries = [note('n1', 'summary', 'abc'), user('u1', 'hello')]
    expect(counter.request({ system: 'system', entries, tools: [] })).toBe(6 + 3 + 5)
    expect(counter.request({ system: 'system', entries, tools: [spec] })).toBe(
      6 + 3 + 5 + JSON.stringify([spec]).length
    )
  })

  it('counts each entry, the prompt and the schemas once', () => {
    const { counter, seen } = counting()
    const first = user('u1', 'one')
    const second = user('u2', 'two')
    const tools = [spec]
    counter.request({ system: 's', entries: [first], tools })
    counter.request({ system: 's', entries: [first, second], tools })
    counter.entries([second, first])
    expect(seen).toEqual(['s', JSON.stringify(tools), 'one', 'two'])
    counter.request({ system: 'other', entries: [first], tools })
    expect(seen.at(-1)).toBe('other')
  })

  it('multiplies by the observed ratio, never below one (MODEL-011)', () => {
    const { counter } = counting()
    const entries = [user('u1', '12345')]
    expect(counter.entries(entries, 1.5)).toBe(8)
    expect(counter.entries(entries, 0.5)).toBe(5)
  })
})

const spec: ToolSpec = { name: 'bash', description: 'runs', parameters: {} }

function counting() {
  const seen: string[] = []
  const count = (text: string) => {
    seen.push(text)
    return text.length
  }
  return { seen, counter: tokenCounter({ entry: (entry) => count(entry.text), text: count }) }
}
