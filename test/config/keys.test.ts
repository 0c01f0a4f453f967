import { describe, expect, test } from 'vitest'
import type { KeyCheck } from '../../src/config/keys.ts'
import { load, minimal, problems } from './support.ts'

describe('CFG-012', () => {
  test('nested tables are joined with dots; one name is a list of one; an empty list stays', () => {
    const config = load(`${minimal}[keys]\n"panel.arrows" = "f4"\nhelp = []\n[keys.verdict]\npass = ["p", "alt+p"]`)
    expect({ ...config.keys }).toEqual({ 'panel.arrows': ['f4'], help: [], 'verdict.pass': ['p', 'alt+p'] })
    expect(config.given.has('keys.verdict.pass')).toBe(true)
  })

  test('anything but names is a problem', () => {
    expect(problems(`${minimal}[keys]\nhelp = 5\nother = ["a", 1]`)).toEqual([
      'config: keys.help: must be a key name or a list of key names, got 5',
      'config: keys.other: must be a key name or a list of key names, got ["a",1]'
    ])
  })

  test('what the key map finds is worded here', () => {
    const checkKeys: KeyCheck = (overrides) => {
      expect({ ...overrides }).toEqual({ help: ['f77'] })
      return [
        { kind: 'unknown-action', action: 'nope' },
        { kind: 'unknown-key', action: 'help', key: 'f77' },
        { kind: 'clash', key: 'f1', actions: ['help', 'redraw'] },
        { kind: 'not-for-verdict', action: 'verdict.pass', key: 'enter' }
      ]
    }
    expect(problems(`${minimal}[keys]\nhelp = "f77"`, { checkKeys })).toEqual([
      'config: keys.nope: unknown action',
      'config: keys.help: unknown key, got "f77"',
      'config: keys: "f1" is bound to both help and redraw',
      'config: keys.verdict.pass: not allowed for a verdict'
    ])
  })
})
