import { describe, expect, it } from 'vitest'
import { entriesWithId } from '../../../src/gate/evaluators/artifact-ref.ts'
import { cellsOf, findSection, headingsOf, listItems, sectionEntries } from '../../../src/gate/evaluators/markdown.ts'
import { fc } from '../../support/laws.ts'

const document = `# Map
intro

## Modules

- **auth:** signs people in
  wrapped text INV-1
  - nested detail
* \`billing\` takes money
1. first

| id | name |
| --- | :-: |
| FEAT-1 | a \\| b |
|  | second |
| FEAT 2 | c |

### Sub one
text of it

#### deeper
\`\`\`
# no heading
- no item
\`\`\`
## Next
- other
# Modules ##
- late
`.split('\n')

describe('path#Heading (CONC-36)', () => {
  const section = findSection(document, 'Modules')
  const entries = section === null ? [] : sectionEntries(document, section)

  it('reaches to the next heading of the same or a higher level', () => {
    expect(section).toMatchObject({ heading: { level: 2, line: 3 }, start: 4, end: 25 })
    expect(findSection(document, 'modules')).toBeNull()
    expect(findSection(document, 'Modules', { anyLevel: true })?.end).toBe(17)
  })

  it('selects list items, table body rows and sub-headings one level down, by their first token', () => {
    expect(entries.map(({ id, line }) => [id, line + 1])).toEqual([
      ['auth', 6],
      ['billing', 9],
      ['first', 10],
      ['FEAT-1', 14],
      ['second', 15],
      ['FEAT 2', 16],
      ['Sub', 18]
    ])
  })

  it('gives every entry its own text', () => {
    expect(entries[0]?.lines).toEqual(['- **auth:** signs people in', '  wrapped text INV-1', '  - nested detail'])
    expect(entries[1]?.lines).toEqual(['* `billing` takes money'])
    expect(entries[6]?.lines.join('\n')).toContain('text of it')
    expect(entries[6]?.lines.join('\n')).toContain('deeper')
  })

  it('lets a table row answer to its first cell and to the first word of it', () => {
    expect(entries[5]?.keys).toEqual(['FEAT 2', 'FEAT'])
  })
})

describe('parts of Markdown', () => {
  it('headings lose closing hashes and nothing else, and code holds none', () => {
    expect(
      headingsOf(['#a', '# C# #', '#  x ', '####### seven', '~~~', '# code', '~~~', '#']).map(({ text }) => text)
    ).toEqual(['C#', 'x', ''])
  })

  it('a list item ends at text that follows a blank line without indent', () => {
    const lines = ['- a', 'runs on', '', 'paragraph', '- b', '', '  still b', '', '- c']
    expect(listItems(lines, { start: 0, end: lines.length }).map((item) => item.lines)).toEqual([
      ['- a', 'runs on'],
      ['- b', '', '  still b'],
      ['- c']
    ])
  })

  it('a thematic break is no item', () => {
    expect(listItems(['- - -', '* * *', '- x'], { start: 0, end: 3 }).map(({ id }) => id)).toEqual(['x'])
  })

  it('cells are split at bars that are not escaped', () => {
    expect(cellsOf('| a | b \\| c ||')).toEqual(['a', 'b | c', ''])
  })

  it('takes any text without losing a line, and in linear time', () => {
    const line = fc.constantFrom('# A', '## B', '- x', '  - y', '| a | b |', '|---|---|', '```', '', 'text', '1. z')
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), (lines) => {
        for (const heading of headingsOf(lines)) {
          const section = findSection(lines, heading.text)
          if (section === null) throw new Error('a heading without a section')
          for (const entry of sectionEntries(lines, section)) {
            expect(entry.line).toBeGreaterThanOrEqual(section.start)
            expect(entry.line + entry.lines.length).toBeLessThanOrEqual(section.end)
          }
        }
      })
    )
    const hostile = Array.from({ length: 200_000 }, (_, n) => (n % 2 === 0 ? '- [[[[' : '|'.repeat(20)))
    expect(listItems(hostile, { start: 0, end: hostile.length })).toHaveLength(100_000)
  })
})

describe('manual ids (GATE-87)', () => {
  const lines = `# Invariants
## Balance
id: INV-001
never negative

- total adds up
  id: INV-002
- id: \`INV-003\` short

| id | rule |
|----|------|
| INV-004 | x |
| b | id: INV-005 |
## Other
see INV-001 and id: INV-0011
`.split('\n')

  it.each([
    ['INV-001', 2, 8],
    ['INV-002', 6, 2],
    ['INV-003', 8, 1],
    ['INV-004', 12, 1],
    ['INV-005', 13, 1]
  ])('%s is the entry at line %i', (id, line, minLines) => {
    const found = entriesWithId(lines, id)
    expect(found.map((entry) => entry.line + 1)).toEqual([line])
    expect(found[0]?.lines.length).toBeGreaterThanOrEqual(minLines)
    expect(found[0]?.id).toBe(id)
  })

  it('is nobody else', () => {
    expect(entriesWithId(lines, 'INV-006')).toEqual([])
    expect(entriesWithId(lines, 'INV-00')).toEqual([])
  })
})
