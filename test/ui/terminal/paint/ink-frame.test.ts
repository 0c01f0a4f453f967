import { expect, test } from 'vitest'
import { readInkWrite } from '../../../../ui/terminal/paint/ink-frame.ts'

const erase = '\x1b[?25l\x1b[1B\x1b[1G\x1b[2K\x1b[1A\x1b[2K\x1b[G'

test.each([
  ['a frame without a caret', `${erase}\x1b[1mone\x1b[22m\ntwo`, ['\x1b[1mone\x1b[22m', 'two'], null],
  ['a frame with one on its last line', 'one\ntwo\x1b[4G\x1b[?25h', ['one', 'two'], { row: 1, column: 3 }],
  ['a frame with one above', `${erase}one\n\ntwo\x1b[2A\x1b[1G\x1b[?25h`, ['one', '', 'two'], { row: 0, column: 0 }],
  ['a frame after a full erase', '\x1b[1;1H\x1b[Jone\r\ntwo', ['one', 'two'], null],
  ['a frame that begins with an empty line', `${erase}\ntwo`, ['', 'two'], null]
])('%s', (_, text, lines, caret) => {
  expect(readInkWrite(text, 7)).toEqual({ kind: 'frame', lines, caret })
})

test('a caret that moves alone, or goes', () => {
  expect(readInkWrite('\x1b[?25l\x1b[1B\x1b[1G\x1b[2A\x1b[9G\x1b[?25h', 30)).toEqual({
    kind: 'caret',
    caret: { row: 27, column: 8 }
  })
  expect(readInkWrite('\x1b[?25l\x1b[1B\x1b[1G', 30)).toEqual({ kind: 'caret', caret: null })
})

test('a frame that is taken away', () => {
  expect(readInkWrite(erase, 2)).toEqual({ kind: 'erased' })
  expect(readInkWrite('\x1b[?25l\x1b[28A\x1b[1G\x1b[J', 30)).toEqual({ kind: 'erased' })
})
