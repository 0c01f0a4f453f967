import { describe, expect, test } from 'vitest'
import { declaredBindings, notFoundLines } from '../../../src/gate/bootstrap/bindings.ts'
import { defaultSettings, readSettings } from '../../../src/gate/bootstrap/settings.ts'
import { catalogue } from '../../support/proposal.ts'

describe('INIT-6: settings of the grid', () => {
  test.each([
    ['severity-threshold=low', { severityThreshold: 'low' }],
    ['insufficient-basis-rounds-max=7', { insufficientBasisRoundsMax: 7 }],
    ['remediation-rounds-max=1', { remediationRoundsMax: 1 }],
    ['residue-note-max-bytes=0', { residueNoteMaxBytes: 16_384 }],
    ['modal-pending-max-len=9', { modalPendingMaxLen: 9 }],
    ['strict-op-id-separation=true', { strictOpIdSeparation: true }],
    ['retention={max-count: 3}', { retention: { kind: 'max-count', count: 3 } }],
    ['retention={max-age: 720h}', { retention: { kind: 'max-age', ageMs: 720 * 3_600_000 } }],
    ['depth-ladder=[None, Thin, Mock, Real]', { depthLadder: ['None', 'Thin', 'Mock', 'Real'] }]
  ])('%s', (text, settings) => {
    expect(readSettings([text])).toEqual({ settings: { ...defaultSettings, ...settings }, residue: [] })
  })

  test.each([
    ['nothing=1', 'unknown setting "nothing"'],
    ['__proto__=1', 'unknown setting "__proto__"'],
    ['retention', 'retention is keep-all'],
    ['retention={max-count: 0}', 'retention is keep-all'],
    ['remediation-rounds-max=0', 'remediation-rounds-max-must-be-positive'],
    ['remediation-rounds-max=-3', 'remediation-rounds-max-must-be-positive'],
    ['insufficient-basis-rounds-max=x', 'insufficient-basis-rounds-max-must-be-integer'],
    ['insufficient-basis-rounds-max=', 'insufficient-basis-rounds-max-must-be-integer'],
    ['modal-pending-max-len=1.5', 'modal-pending-max-len-must-be-integer'],
    ['strict-op-id-separation=yes', 'strict-op-id-separation is true or false'],
    ['depth-ladder=[A, A, B, C]', 'depth-ladder repeats a label'],
    ['depth-ladder=A', 'depth-ladder needs four labels, got 0'],
    ['severity-threshold=loud', 'severity-threshold is no severity: "loud"'],
    ['severity-threshold=high', 'severity-threshold-weakened'],
    ['severity-threshold=critical,  ', 'severity-threshold-weakened']
  ])('%s is refused', (text, message) => {
    expect(() => readSettings([text])).toThrow(message)
  })

  test('GATE-70: a laxer threshold keeps its reason as residue; a later setting wins', () => {
    const { settings, residue } = readSettings(['severity-threshold=high,legacy, for now', 'remediation-rounds-max=2'])
    expect(settings).toMatchObject({ severityThreshold: 'high', remediationRoundsMax: 2 })
    expect(residue).toEqual([
      {
        kind: 'threshold-laxer',
        arrow: '*',
        clauseId: null,
        concept: null,
        description: 'severity threshold',
        cost: null,
        reason: 'init-v1: severity threshold high: legacy, for now'
      }
    ])
    expect(readSettings(['severity-threshold=high,x', 'severity-threshold=low']).residue).toEqual([])
  })
})

describe('CONC-13: declared bindings', () => {
  test('are commands by key, split at the first dot', () => {
    expect(declaredBindings([' compiles.go =go build ./...'], catalogue)).toEqual({
      'compiles.go': {
        command: 'go build ./...',
        protocol: 'auto',
        timeoutMs: 300_000,
        env: [],
        extractor: null,
        mapper: null
      }
    })
  })

  test.each([
    [['compiles.go'], '--bind takes <concept>.<language>=<command>, not "compiles.go"'],
    [['.go=x'], 'binding-concept-empty'],
    [['compiles=x'], 'binding-language-empty'],
    [['compiles.=x'], 'binding-language-empty'],
    [['compiles.go= '], 'binding-command-empty'],
    [['no-todo-marker.go=x'], 'language-binding-invalid'],
    [['nothing.go=x'], 'language-binding-invalid'],
    [['Compiles.go=x'], 'language-binding-invalid'],
    [['compiles.go=a', 'compiles.go=b'], 'concept-already-registered: compiles.go']
  ])('%j', (declarations, message) => {
    expect(() => declaredBindings(declarations, catalogue)).toThrow(message)
  })

  test('INIT-132: a command nobody has is told', async () => {
    const bindings = declaredBindings(
      [
        'compiles.go=no-such-tool-here ./...',
        'tests-pass.go=CGO_ENABLED=0 NAME="a b" no-such-tool-either',
        'lint-clean.go=sh -c true',
        'compiles.rust=./own.sh'
      ],
      catalogue
    )
    expect(await notFoundLines(bindings, { PATH: process.env.PATH })).toEqual([
      'binding compiles.go: "no-such-tool-here" is not on the PATH',
      'binding tests-pass.go: "no-such-tool-either" is not on the PATH'
    ])
  })

  test.each([
    'cd sub && nobody looks',
    'set -e; nobody',
    'if true; then nobody; fi',
    '$GO test',
    'CGO_ENABLED=0 sh -c true',
    '(sh; nobody)'
  ])('what the shell does itself, or only it can tell, is no missing program: %s', async (command) => {
    const bindings = declaredBindings([`compiles.go=${command}`], catalogue)
    expect(await notFoundLines(bindings, { PATH: process.env.PATH })).toEqual([])
  })
})
