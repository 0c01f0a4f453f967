import { describe, expect, it } from 'vitest'
import { type Block, BlockReader } from '../../../ui/transcript/blocks.ts'
import { markdownLines } from '../../../ui/transcript/markdown.ts'
import { fc } from '../../support/laws.ts'
import { foreignText } from '../../support/text.ts'
import { plainPen } from '../../support/transcript.ts'

function whole(text: string): Block[] {
  const reader = new BlockReader()
  reader.feed(text)
  return [...reader.closed, ...reader.open()]
}

/** Feeds the text in pieces, checks that nothing closed ever changes. */
function streamed(text: string, cuts: readonly number[]): Block[] {
  const reader = new BlockReader()
  const before: Block[] = []
  for (const cut of [...cuts.map((at) => at % (text.length + 1)).sort((a, b) => a - b), text.length]) {
    reader.feed(text.slice(0, cut))
    reader.open()
    expect(reader.closed.slice(0, before.length)).toEqual(before)
    before.splice(0, before.length, ...reader.closed)
  }
  return [...reader.closed, ...reader.open()]
}

const word = fc.constantFrom('cart', 'total', '*tax*', '`code`', 'a|b', '日本', '1.5', 'https://x.y/z')
const words = fc.array(word, { minLength: 1, maxLength: 8 }).map((all) => all.join(' '))
const block = fc.oneof(
  words,
  words.map((text) => `## ${text}`),
  fc.array(words, { minLength: 1, maxLength: 5 }).map((items) => items.map((item) => `- ${item}`).join('\n')),
  fc
    .array(words, { minLength: 1, maxLength: 5 })
    .map((items) => items.map((item, at) => `${at + 1}. ${item}\n\n   more\n`).join('\n')),
  fc.array(words, { maxLength: 90 }).map((lines) => ['```ts', ...lines, '```'].join('\n')),
  fc
    .array(words, { minLength: 1, maxLength: 80 })
    .map((rows) => `| a | b |\n|---|---|\n${rows.map((row) => `| ${row.replaceAll('|', '')} | x |`).join('\n')}`),
  words.map((text) => `> ${text}`),
  fc.constant('---')
)
const doc = fc.array(block, { maxLength: 8 }).map((blocks) => blocks.join('\n\n'))

// Pieces that follow each other without an empty line, as models write them.
const tight = fc
  .array(
    fc.constantFrom(
      'text ',
      'more\n',
      '\n',
      '- item\n',
      '  nested\n',
      '1. one\n',
      '# Head\n',
      '> quote\n',
      '```ts\nx\n```\n',
      '| a | b |\n|---|---|\n| 1 | 2 |\n',
      '---\n',
      '**b** '
    ),
    { maxLength: 30 }
  )
  .map((parts) => parts.join(''))

describe('BlockReader', () => {
  it('cuts a text at its blocks', () => {
    const text = '# Title\nhello\n\n- a\n- b\n\n```ts\nx\n```\nafter\n'
    expect(whole(text)).toEqual([
      { kind: 'markdown', raw: '# Title\n', gap: false },
      { kind: 'markdown', raw: 'hello', gap: true },
      { kind: 'markdown', raw: '- a\n', gap: true },
      { kind: 'markdown', raw: '- b', gap: false },
      { kind: 'code', language: 'ts', text: 'x', gap: true },
      { kind: 'markdown', raw: 'after\n', gap: true }
    ])
  })

  it('gives the same blocks however the text arrives (TERM-14)', () => {
    fc.assert(
      fc.property(fc.oneof(doc, tight), fc.array(fc.nat(100_000), { maxLength: 30 }), (text, cuts) => {
        expect(streamed(text, cuts)).toEqual(whole(text))
      })
    )
  })

  it('never changes a closed block, whatever arrives', () => {
    fc.assert(
      fc.property(foreignText, fc.array(fc.nat(10_000), { maxLength: 10 }), (text, cuts) => {
        streamed(text, cuts)
      })
    )
  })

  it('keeps an unfinished fence as code', () => {
    expect(whole('```py\nx = 1\n')).toEqual([{ kind: 'code', language: 'py', text: 'x = 1', gap: false }])
    expect(whole('```\n# no heading\n~~~\n')).toEqual([
      { kind: 'code', language: '', text: '# no heading\n~~~', gap: false }
    ])
  })

  it('leaves a small tail open, however long the block', () => {
    const endless = {
      words: 'word '.repeat(20_000),
      lines: 'some words on a line\n'.repeat(5_000),
      code: `\`\`\`ts\n${'const x = 1\n'.repeat(5_000)}`,
      table: `a | b\n---|---\n${'cell | cell\n'.repeat(5_000)}`,
      list: '- item\n'.repeat(5_000),
      item: `- item\n${'  more of it\n'.repeat(5_000)}`,
      quote: '> quoted\n'.repeat(5_000)
    }
    for (const [kind, text] of Object.entries(endless)) {
      const reader = new BlockReader()
      reader.feed(text)
      const open = reader.open().reduce((sum, each) => sum + (each.kind === 'code' ? each.text : each.raw).length, 0)
      expect(open, kind).toBeLessThanOrEqual(8192)
    }
  })

  it('cuts long code and tables into blocks that belong together', () => {
    const code = whole(`\`\`\`ts\n${'x\n'.repeat(150)}\`\`\`\nend`)
    expect(code.map((each) => each.gap)).toEqual([false, false, false, true])
    expect(code.filter((each) => each.kind === 'code').map((each) => each.text.split('\n').length)).toEqual([
      64, 64, 22
    ])
    const table = whole(`a | b\n---|---\n${'1 | 2\n'.repeat(40)}\nend`)
    expect(table.map((each) => each.kind)).toEqual(['markdown', 'table-rows', 'markdown'])
  })

  it('makes its text safe (TERM-30)', () => {
    expect(whole('a\x1b[31mb\x07\n\x1b]52;c;AA\x07c')).toEqual([{ kind: 'markdown', raw: 'ab�\nc', gap: false }])
  })

  it.each(['>', '> ', '- ', '1. ', ' > - ', '*\t', '>1) '])('survives %j without end', (mark) => {
    for (const block of whole(`${mark.repeat(10_000)}x\n`)) {
      if (block.kind === 'markdown') expect(() => markdownLines(block.raw, 20, plainPen)).not.toThrow()
    }
  })

  it('shows link definitions as text, since blocks before them are closed', () => {
    expect(whole('[a]: http://x\n')).toEqual([{ kind: 'markdown', raw: '[a]: http://x\n', gap: false }])
  })
})
