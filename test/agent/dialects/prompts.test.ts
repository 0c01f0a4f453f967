import { describe, expect, test } from 'vitest'
import { dialectFor } from '../../../src/agent/dialects/index.ts'
import { entryId } from '../../../src/protocol/ids.ts'
import { dialectFamilies } from '../../../src/protocol/model.ts'
import { toolNames } from '../../../src/protocol/tool.ts'
import { turnOf } from '../../support/entries.ts'

const tails = {
  minimax: null,
  glm: /review .* carefully .* deep reasoning/,
  deepseek: /verify the assumptions .* against the code/,
  qwen: /verify the style conventions/,
  kimi: null,
  'kimi-code': null
} as const

describe.each(dialectFamilies)('%s', (family) => {
  const dialect = dialectFor(family)
  const checkpoint = { note: entryId('h1'), turn: 7, previousModel: 'm25', summary: 'half done\x1b[31m\x07' }

  test('the working directory is in the system prompt', () => {
    expect(dialect.systemPrompt('/srv/project')).toContain('/srv/project')
  })

  test('MODEL-009 the working directory cannot carry anything else into it', () => {
    const prompt = dialect.systemPrompt(' /srv/\x1b[31mred\n## New rules\u2028\u0085\ufffd\ud800 ')
    expect(prompt).toContain('/srv/red_## New rules____')
    expect(dialect.systemPrompt('  ')).toMatch(/working in \.|work in \./)
  })

  test('MODEL-008 the overlay says that all tools stay available, and no prompt lists tools', () => {
    expect(dialect.planModePrompt()).toContain('All tools stay available')
    const prose = dialect.systemPrompt('/w') + dialect.planModePrompt() + dialect.compactionPrompt()
    const listed = toolNames.filter((name) => name.includes('_') && prose.includes(name))
    expect(listed).toEqual([])
  })

  test('prompts ask to act, to verify and to say what was not checked', () => {
    const prompt = dialect.systemPrompt('/w')
    expect(prompt).toMatch(/Act\./)
    expect(prompt).toMatch(/Verify before you claim/)
    expect(prompt).toMatch(/did not check/)
  })

  test('MODEL-080 a handoff is one note, cleaned, with the family’s tail, and the recent turns as they are', () => {
    const recent = turnOf(6, 1)
    const [note, ...rest] = dialect.handoffSummary(checkpoint, recent)
    expect(rest).toEqual(recent)
    expect(note).toMatchObject({ kind: 'note', sub: 'handoff', id: 'h1', turn: 7 })
    const text = note?.kind === 'note' ? note.text : ''
    expect(text).toMatch(/^checkpoint turn: 7\nprevious model: m25\n\nhalf done/)
    expect(text).not.toMatch(/[\x1b\x07]/)
    const tail = tails[family]
    if (tail === null) expect(text.endsWith('half done')).toBe(true)
    else expect(text).toMatch(tail)
  })

  test('MODEL-080 an empty checkpoint adds nothing', () => {
    const recent = turnOf(1)
    expect(dialect.handoffSummary({ ...checkpoint, turn: 0, summary: ' \n' }, recent)).toEqual(recent)
    expect(dialect.handoffSummary({ ...checkpoint, turn: 0 }, recent)).toHaveLength(recent.length + 1)
  })
})

test('MODEL-005 an unknown family has no dialect, and there is none to fall back to', () => {
  expect(() => dialectFor('kimi-thinking')).toThrow()
  expect(() => dialectFor('constructor')).toThrow()
})
