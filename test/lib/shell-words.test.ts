import { describe, expect, test } from 'vitest'
import { splitShellWords } from '../../src/lib/shell-words.ts'
import { fc } from '../support/laws.ts'

describe('splitShellWords (TOOL-050)', () => {
  test.each([
    ['', []],
    ['  \t\n ', []],
    ['diff HEAD~1', ['diff', 'HEAD~1']],
    ['commit -m "two words"', ['commit', '-m', 'two words']],
    ["commit -m 'two words'", ['commit', '-m', 'two words']],
    ['a\\ b c', ['a b', 'c']],
    [`a"b c"'d e'f`, ['ab cd ef']],
    [`'' ""`, ['', '']],
    ['"a\\"b\\\\c\\$d\\`e\\nf"', ['a"b\\c$d`e\\nf']],
    ["'a\\'", ['a\\']],
    ['a\\\nb', ['ab']],
    ['"a\\\nb"', ['ab']],
    ['$HOME *.ts ~ #no `x` $(y) a|b;c&d>e', ['$HOME', '*.ts', '~', '#no', '`x`', '$(y)', 'a|b;c&d>e']]
  ])('%j', (line, words) => {
    expect(splitShellWords(line)).toEqual({ words })
  })

  test.each([
    [`commit -m "open`, { fault: 'unbalanced double quote', at: 10 }],
    [`it's`, { fault: 'unbalanced single quote', at: 2 }],
    [`"ends in \\"`, { fault: 'unbalanced double quote', at: 0 }],
    ['a\\', { fault: 'nothing follows the backslash', at: 1 }]
  ])('%j is at fault', (line, fault) => {
    expect(splitShellWords(line)).toEqual(fault)
  })

  test('law: any words, quoted, come back', () => {
    const quote = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`
    fc.assert(
      fc.property(fc.array(fc.string()), (words) => {
        expect(splitShellWords(words.map(quote).join(' '))).toEqual({ words })
      })
    )
  })
})
