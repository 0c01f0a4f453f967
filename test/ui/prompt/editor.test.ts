import { describe, expect, test } from 'vitest'
import { cellWidth } from '../../../src/lib/width.ts'
import { clusters, draftOf, draftOfPaste, expandDraft } from '../../../ui/prompt/draft.ts'
import { type Edit, type Editor, edit, emptyEditor } from '../../../ui/prompt/editor.ts'
import { layoutRows, placeOf } from '../../../ui/prompt/rows.ts'
import { fc } from '../../support/laws.ts'

const geometry = { width: 20, firstIndent: 2, indent: 2 }

function typed(...changes: readonly (Edit | string)[]): Editor {
  return changes.reduce<Editor>(
    (editor, change) => edit(editor, typeof change === 'string' ? { kind: 'insert', text: change } : change),
    emptyEditor
  )
}

/** The text with `|` at the cursor. */
function shown({ text, cursor }: Editor): string {
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`
}

const k = <Kind extends Exclude<Edit['kind'], 'insert' | 'paste' | 'set' | 'up' | 'down'>>(kind: Kind) => ({ kind })

describe('editing (TERM-40)', () => {
  test.each<[string, readonly (Edit | string)[], string]>([
    ['typing', ['a', 'b'], 'ab|'],
    ['left by grapheme', ['a', '👩‍👩‍👧', k('left')], 'a|👩‍👩‍👧'],
    ['backspace by grapheme', ['e\u0301x', k('left'), k('backspace')], '|x'],
    ['delete', ['ab', k('home'), k('delete')], '|b'],
    ['word left', ['one two-three', k('word-left'), k('word-left')], 'one |two-three'],
    ['word right', ['one two', k('home'), k('word-right')], 'one| two'],
    ['home and end keep to the line', ['a', k('newline'), 'bc', k('home')], 'a\n|bc'],
    ['cut a word', ['one two', k('kill-word')], 'one |'],
    [
      'cut to the end takes the line end next',
      ['a', k('newline'), 'b', { kind: 'up', geometry }, k('kill-end')],
      'a|b'
    ],
    ['cut and yank', ['one two', k('kill-word'), k('home'), k('yank')], 'two|one '],
    ['cuts in a row add up', ['one two', k('kill-word'), k('kill-word'), k('yank')], 'one two|'],
    ['a cut after a move starts anew', ['one two', k('kill-word'), k('left'), k('kill-start'), k('yank')], 'one| '],
    ['a trailing backslash and Enter', ['a\\', k('escaped-newline')], 'a\n|'],
    ['undo takes a run of typing at once', ['a', 'b', ' ', 'c', 'd', k('undo')], 'ab |'],
    ['undo of a cut', ['one two', k('kill-word'), k('undo')], 'one two|'],
    [
      'up keeps the column',
      ['abcdef', k('newline'), 'x', k('newline'), 'abcdef', { kind: 'up', geometry }, { kind: 'up', geometry }],
      'abcdef|\nx\nabcdef'
    ]
  ])('%s', (_, changes, result) => {
    expect(shown(typed(...changes))).toBe(result)
  })
})

describe('paste chips (TERM-43)', () => {
  const long = Array.from({ length: 432 }, (_, index) => `line ${index}`).join('\n')

  test('a large paste is shown as a chip and sent in full', () => {
    const editor = typed('see ', { kind: 'paste', text: long }, '!')
    expect(layoutRows(editor, { width: 60, firstIndent: 0, indent: 0 }).map((row) => row.shown)).toEqual([
      'see [pasted 432 lines]!'
    ])
    expect(expandDraft(editor)).toBe(`see ${long}!`)
  })

  test('it deletes as one, comes back by undo, and survives cut and yank', () => {
    const editor = typed('a', { kind: 'paste', text: long })
    const deleted = edit(editor, k('backspace'))
    expect(deleted.text).toBe('a')
    expect(expandDraft(edit(deleted, k('undo')))).toBe(`a${long}`)
    expect(expandDraft(edit(edit(editor, k('kill-word')), k('yank')))).toBe(`a${long}`)
  })

  test('two pastes do not take each other over', () => {
    const editor = typed({ kind: 'paste', text: long }, { kind: 'paste', text: `${long}2` })
    expect(expandDraft(editor)).toBe(`${long}${long}2`)
  })

  test.each([
    ['x'.repeat(2_000), false],
    ['x'.repeat(2_001), true],
    ['x\n'.repeat(20), false],
    [`${'x\n'.repeat(20)}x`, true]
  ])('a paste of %#: chip %s', (text, isChip) => {
    expect(draftOfPaste(text).text !== text).toBe(isChip)
  })

  test('text with a character that chips use is never mistaken for one', () => {
    const editor = typed({ kind: 'paste', text: long }, '\u{f0000}', { kind: 'paste', text: '\u{f0001}' })
    expect(expandDraft(editor)).toBe(`${long}\u{f0000}\u{f0001}`)
  })

  test('taken back text stays editable', () => {
    expect(draftOf(long).text).toBe(long)
  })
})

// ---- laws ----

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.constantFrom('a', ' ', '\n', '👩‍👩‍👧', 'e\u0301', '\u0301', '日本', '\u200d', '🇩🇪', '\u{f0001}', '\x1b', '\t')
)
const anyEdit: fc.Arbitrary<Edit> = fc.oneof(
  anyText.map((text) => ({ kind: 'insert' as const, text })),
  fc.oneof(anyText, fc.constant('long '.repeat(500))).map((text) => ({ kind: 'paste' as const, text })),
  fc.constantFrom<Edit>(
    { kind: 'up', geometry },
    { kind: 'down', geometry },
    ...(
      [
        'newline',
        'left',
        'right',
        'word-left',
        'word-right',
        'home',
        'end',
        'backspace',
        'delete',
        'kill-word',
        'kill-word-right',
        'kill-start',
        'kill-end',
        'yank',
        'undo'
      ] as const
    ).map((kind) => ({ kind }))
  )
)
const anyEditor = fc.array(anyEdit, { maxLength: 25 }).map((changes) => changes.reduce(edit, emptyEditor))

function boundaries(text: string): Set<number> {
  return new Set([...[...clusters(text)].map(({ index }) => index), text.length])
}

describe('laws of the editor (TERM-40)', () => {
  test('the cursor always stands between clusters', () => {
    fc.assert(fc.property(anyEditor, ({ text, cursor }) => void expect(boundaries(text)).toContain(cursor)))
  })

  test('every chip in the text has its paste', () => {
    fc.assert(
      fc.property(anyEditor, ({ text, pastes }) => {
        for (const chip of text.match(/[\u{f0000}-\u{fffff}]/gu) ?? []) expect(pastes).toHaveProperty([chip])
      })
    )
  })

  test('left undoes right, and a deleted insertion leaves no trace', () => {
    fc.assert(
      fc.property(anyEditor, (editor) => {
        if (editor.cursor < editor.text.length) {
          expect(edit(edit(editor, k('right')), k('left')).cursor).toBe(editor.cursor)
        }
        expect(edit(edit(editor, k('newline')), k('backspace')).text).toBe(editor.text)
      })
    )
  })

  test('undo gives the text before any edit that changed it and starts a step of its own', () => {
    fc.assert(
      fc.property(anyEditor, anyText, (editor, text) => {
        const settled = edit(edit(editor, k('home')), { kind: 'paste', text })
        if (settled.text !== editor.text) expect(edit(settled, k('undo')).text).toBe(editor.text)
      })
    )
  })

  test('a paste of any size is sent byte for byte', () => {
    fc.assert(
      fc.property(anyEditor, fc.string({ unit: 'binary', maxLength: 4_000 }), (editor, text) => {
        const before = expandDraft({ ...editor, text: editor.text.slice(0, editor.cursor) })
        const after = expandDraft({ ...editor, text: editor.text.slice(editor.cursor) })
        expect(expandDraft(edit(editor, { kind: 'paste', text }))).toBe(before + text + after)
      })
    )
  })

  test('rows hold the text, fit, and have a cell for the caret (TERM-32, TERM-44)', () => {
    const anyGeometry = fc.record({ width: fc.integer({ min: 4, max: 60 }) }).map(({ width }) => ({
      width,
      firstIndent: Math.floor(width / 3),
      indent: width > 8 ? 2 : 0
    }))
    fc.assert(
      fc.property(anyEditor, anyGeometry, (editor, geometry) => {
        const rows = layoutRows(editor, geometry)
        for (const row of rows) {
          const widest = [...clusters(editor.text.slice(row.start, row.end))].length > 1
          if (widest) expect(row.indent + cellWidth(row.shown)).toBeLessThan(geometry.width)
        }
        expect(rows.map((row) => editor.text.slice(row.start, row.end)).join('')).toBe(editor.text.replaceAll('\n', ''))
        const place = placeOf(rows, editor, editor.cursor, geometry)
        expect(rows[place.row]).toBeDefined()
      })
    )
  })
})
