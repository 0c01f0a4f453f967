import { describe, expect, test } from 'vitest'
import type { CommandInfo } from '../../../src/protocol/command.ts'
import {
  commandItems,
  completionTarget,
  isCompletedByEnter,
  moveSelection,
  pathItems
} from '../../../ui/prompt/completion.ts'

const commands: readonly CommandInfo[] = [
  { name: 'help', description: 'show help', source: 'built-in' },
  { name: 'status', description: 'show the state', source: 'built-in' },
  { name: 'restart', description: 'mine', source: 'project' }
]

describe('what a completion would replace (TERM-42)', () => {
  test.each([
    ['/st', 3, { kind: 'command', prefix: 'st', from: 0, to: 3 }],
    ['/status', 3, { kind: 'command', prefix: 'st', from: 0, to: 7 }],
    ['/status x', 9, null],
    ['say /st', 7, null],
    ['look at @src/c', 14, { kind: 'path', prefix: 'src/c', from: 9, to: 14 }],
    ['@', 1, { kind: 'path', prefix: '', from: 1, to: 1 }],
    ['me@example.com', 14, null],
    ['src/c', 5, null]
  ] as const)('%j at %i', (text, cursor, target) => {
    expect(completionTarget(text, cursor)).toEqual(target)
  })

  test('Tab completes any word as a path', () => {
    expect(completionTarget('cat src/c', 9, true)).toEqual({ kind: 'path', prefix: 'src/c', from: 4, to: 9 })
    expect(completionTarget('cat ', 4, true)).toBeNull()
  })
})

test('commands that begin with the word come first, user commands say whose they are', () => {
  expect(commandItems(commands, 'st').map((item) => item.label)).toEqual(['/status', '/restart'])
  expect(commandItems(commands, 'res')[0]?.detail).toBe('mine (project)')
})

test('a folder can be continued, a file ends the word', () => {
  expect(pathItems(['src/', 'a.ts']).map((item) => item.insert)).toEqual(['src/', 'a.ts '])
})

test('Enter completes what was chosen or is no command yet, and sends what is one', () => {
  const open = (prefix: string) => ({
    target: { kind: 'command' as const, prefix, from: 0, to: prefix.length + 1 },
    items: commandItems(commands, prefix),
    selected: 0,
    isChosen: false,
    request: null
  })
  expect(isCompletedByEnter(open('stat'), commands)).toBe(true)
  expect(isCompletedByEnter(open('status'), commands)).toBe(false)
  expect(isCompletedByEnter(moveSelection(open('status'), 1), commands)).toBe(true)
  expect(isCompletedByEnter(open('nothing'), commands)).toBe(false)
  expect(isCompletedByEnter(null, commands)).toBe(false)
})
