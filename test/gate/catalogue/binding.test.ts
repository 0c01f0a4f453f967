import { describe, expect, it } from 'vitest'
import { loadCatalogue, readBinding } from '../../../src/gate/catalogue/index.ts'

const catalogue = loadCatalogue()

describe('a declared binding (CONC-13, CONC-15)', () => {
  it('may be a bare command', () => {
    expect(readBinding(catalogue, ' compiles.go ', 'go build ./...')).toEqual({
      key: 'compiles.go',
      binding: {
        command: 'go build ./...',
        protocol: 'auto',
        timeoutMs: 300_000,
        env: [],
        extractor: null,
        mapper: null
      }
    })
  })

  it('may be a mapping, with an extractor and a mapper for no-orphan-symbol', () => {
    const value = { command: 'x', protocol: 'json', timeout: '1m30s', env: ['CARGO_HOME'] }
    expect(readBinding(catalogue, 'lint-clean.rust', value)).toMatchObject({
      binding: { protocol: 'json', timeoutMs: 90_000, env: ['CARGO_HOME'] }
    })
    expect(readBinding(catalogue, 'no-orphan-symbol.go', { extractor: 'e', mapper: 'regex:x' })).toMatchObject({
      binding: { command: null, extractor: 'e', mapper: 'regex:x' }
    })
  })

  it('splits at the first dot and gives mutation runs an hour (CONC-60)', () => {
    expect(readBinding(catalogue, 'mutation-score.c++', 'mutate')).toMatchObject({ binding: { timeoutMs: 3_600_000 } })
    expect(readBinding(catalogue, 'compiles.go.x', 'go')).toMatchObject({
      problem: { code: 'language-binding-invalid' }
    })
  })

  it.each<[string, string, unknown]>([
    ['binding-concept-empty', '.go', 'x'],
    ['binding-language-empty', 'compiles.', 'x'],
    ['binding-language-empty', 'compiles', 'x'],
    ['language-binding-invalid', 'no-todo-marker.go', 'x'],
    ['language-binding-invalid', 'compile.go', 'x'],
    ['language-binding-invalid', 'Compiles.go', 'x'],
    ['language-binding-invalid', 'compiles.Go', 'x'],
    ['binding-command-empty', 'compiles.go', '  '],
    ['binding-command-empty', 'compiles.go', {}],
    ['binding-command-empty', 'no-orphan-symbol.go', { extractor: 'e' }],
    ['language-binding-invalid', 'compiles.go', 3],
    ['language-binding-invalid', 'compiles.go', ['x']],
    ['language-binding-invalid', 'compiles.go', { command: 'x', shell: 'zsh' }],
    ['language-binding-invalid', 'compiles.go', { command: 'x', protocol: 'xml' }],
    ['language-binding-invalid', 'compiles.go', { command: 'x', protocol: 'edges' }],
    ['language-binding-invalid', 'mutation-score.go', { command: 'x', protocol: 'exit' }],
    ['language-binding-invalid', 'compiles.go', { command: 'x', timeout: 'soon' }],
    ['language-binding-invalid', 'compiles.go', { command: 'x', env: 'PATH' }],
    ['language-binding-invalid', 'compiles.go', { command: 'x', env: ['A=B'] }],
    ['language-binding-invalid', 'compiles.go', { extractor: 'e', mapper: 'm' }],
    ['language-binding-invalid', 'no-orphan-symbol.go', { command: 'c', extractor: 'e', mapper: 'm' }]
  ])('is refused with %s: %s %j', (code, key, value) => {
    const read = readBinding(catalogue, key, value)
    expect(read).toMatchObject({ problem: { code } })
    expect('problem' in read && read.problem.message).toMatch(new RegExp(`^${code}: `))
  })
})
