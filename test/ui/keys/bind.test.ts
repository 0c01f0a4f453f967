import { describe, expect, test } from 'vitest'
import {
  actionFor,
  bindKeys,
  checkKeys,
  type KeyAction,
  keyLabel,
  keyMap,
  normalKeyName
} from '../../../ui/keys/index.ts'

test('the built-in map has no clash and every key has a name (TERM-48)', () => {
  expect(checkKeys({})).toEqual([])
  for (const { action, keys } of keyMap) {
    for (const key of keys) expect([action, normalKeyName(key)]).toEqual([action, key])
  }
})

test('actions have one name each', () => {
  const names = keyMap.map((row) => row.action)
  expect(new Set(names).size).toBe(names.length)
})

describe('checking [keys] (CFG-012)', () => {
  const table: readonly KeyAction[] = [
    { action: 'verdict.pass', focus: 'overlay', keys: ['p'], description: '', isVerdict: true },
    { action: 'verdict.fail', focus: 'overlay', keys: ['f'], description: '', isVerdict: true },
    { action: 'send', focus: 'prompt', keys: ['enter'], description: '' }
  ]
  test.each([
    [{ 'verdict.pas': ['x'] }, [{ kind: 'unknown-action', action: 'verdict.pas' }]],
    [{ send: ['ctrl+wat'] }, [{ kind: 'unknown-key', action: 'send', key: 'ctrl+wat' }]],
    [{ 'verdict.pass': ['f'] }, [{ kind: 'clash', key: 'f', actions: ['verdict.pass', 'verdict.fail'] }]],
    [{ 'verdict.pass': ['Return'] }, [{ kind: 'not-for-verdict', action: 'verdict.pass', key: 'enter' }]],
    [{ 'verdict.pass': ['space'] }, [{ kind: 'not-for-verdict', action: 'verdict.pass', key: 'space' }]],
    [{ 'verdict.pass': [] }, []],
    [{ send: ['p'] }, []] // another focus
  ])('%j', (overrides, problems) => {
    expect(checkKeys(overrides, table)).toEqual(problems)
  })
})

test.each([
  ['Ctrl+G', 'ctrl+g'],
  ['shift+ctrl+A', 'ctrl+shift+a'],
  ['shift+a', 'A'],
  ['P', 'P'],
  ['+', '+'],
  ['ctrl++', 'ctrl++'],
  ['ctrl+x  ctrl+e', 'ctrl+x ctrl+e'],
  ['Escape', 'esc'],
  ['f36', null],
  ['ctrl+ctrl+a', null],
  ['hyper+a', null],
  ['', null],
  ['word', null]
])('the key name %j is spelled %j', (written, normal) => {
  expect(normalKeyName(written)).toBe(normal)
})

test('the innermost focus that binds a key decides, overrides apply, chords wait for their second key', () => {
  const bindings = bindKeys({ redraw: ['f9'], 'prompt.undo': [] })
  expect(actionFor(bindings, ['list', 'prompt', 'anywhere'], 'up', null)).toBe('list.up')
  expect(actionFor(bindings, ['prompt', 'anywhere'], 'up', null)).toBe('prompt.up')
  expect(actionFor(bindings, ['prompt', 'anywhere'], 'f9', null)).toBe('redraw')
  expect(actionFor(bindings, ['prompt', 'anywhere'], 'ctrl+l', null)).toBeNull()
  expect(actionFor(bindings, ['prompt', 'anywhere'], 'ctrl+_', null)).toBeNull()
  expect(actionFor(bindings, ['prompt', 'anywhere'], 'ctrl+x', null)).toBe('chord')
  expect(actionFor(bindings, ['prompt', 'anywhere'], 'ctrl+e', 'ctrl+x')).toBe('prompt.editor')
  expect(keyLabel(bindings, 'prompt.editor')).toBe('Ctrl+X Ctrl+E')
  expect(keyLabel(bindings, 'prompt.undo')).toBeNull()
})
