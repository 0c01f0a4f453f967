import { describe, expect, test } from 'vitest'
import { cellWidth } from '../../../src/lib/width.ts'
import type { GateView } from '../../../src/protocol/gate-view.ts'
import { requestId } from '../../../src/protocol/ids.ts'
import { arrowLabel, arrowMark } from '../../../ui/grid/status.ts'
import { bindKeys } from '../../../ui/keys/index.ts'
import { divideColumns, stackPanels } from '../../../ui/layout.ts'
import { lookOfPanel } from '../../../ui/panels/look.ts'
import { emptyPanels, type PanelsState, panelNames, withPanel } from '../../../ui/panels/state.ts'
import { lineText } from '../../../ui/parts/lines.ts'
import { emptyGate } from '../../../ui/store/gate.ts'
import { asciiGlyphs, unicodeGlyphs } from '../../../ui/theme/glyphs.ts'
import { arrowDetail, arrowRow, arrows, finding, pass, queued, start, view } from '../../support/gate-view.ts'
import { fc } from '../../support/laws.ts'
import { gateScreen } from '../../support/screen-state.ts'
import { foreignText } from '../../support/text.ts'

const place = {
  width: 36,
  height: 12,
  isFocused: true,
  glyphs: unicodeGlyphs,
  bindings: bindKeys({}),
  now: start + 125_000
}

function linesOf(name: (typeof panelNames)[number], of: GateView | null, panels: PanelsState = emptyPanels): string[] {
  return lookOfPanel(name, { view: of, events: [], panels }, place).lines.map((line) => lineText(line).trimEnd())
}

describe('marks and words of an arrow (OPUI-720, GATE-52)', () => {
  test.each([
    ['valid', arrowRow('a→b', { status: 'complete', isStarted: true }), '●', 'v', 'valid'],
    ['outdated', arrowRow('a→b', { status: 'complete', isStarted: true, isOutdated: true }), '◍', 'V', 'valid'],
    ['provisional', arrowRow('a→b', { status: 'provisional', isStarted: true }), '◐', 'p', 'provisional'],
    ['blocked', arrowRow('a→b', { status: 'blocked', isStarted: true }), '✗', 'x', 'blocked'],
    ['unevaluated', arrowRow('a→b', { isStarted: true }), '?', '?', 'unevaluated'],
    ['invalidated', arrowRow('a→b', { status: 'invalidated', isStarted: true }), '⊘', 'i', 'invalidated'],
    ['aborted', arrowRow('a→b', { status: 'aborted-remediation', isStarted: true }), '!', '!', 'aborted-remediation'],
    ['running', arrowRow('a→b', { openPass: 'p-1' }), '▶', '>', 'running'],
    ['parked', arrowRow('a→b', { openPass: 'p-1', liveStatus: 'provisional', waiting: 2 }), '◐', 'p', 'provisional'],
    [
      'blocked, its next pass parked',
      arrowRow('a→b', { status: 'blocked', isStarted: true, openPass: 'p-2', liveStatus: 'provisional', waiting: 2 }),
      '✗',
      'x',
      'blocked (provisional)'
    ],
    ['never run', arrowRow('a→b'), '·', '.', 'not started']
  ] as const)('%s', (_, row, unicode, ascii, word) => {
    expect(arrowMark(row, unicodeGlyphs).glyph).toBe(unicode)
    expect(arrowMark(row, asciiGlyphs).glyph).toBe(ascii)
    expect(arrowLabel(row)).toBe(word)
  })
})

describe('lists', () => {
  test('arrows are grouped by context only where there is more than one', () => {
    expect(linesOf('arrows', view).slice(0, 2)).toEqual([
      '▸ ● init→analyst           valid',
      '  ◐ analyst→architect      provisio…'
    ])
    const two = { ...view, arrows: [...arrows, arrowRow('init→analyst', { context: 'tax' })] }
    expect(linesOf('arrows', two).filter((line) => /^ \w/.test(line))).toEqual([' default', ' tax'])
  })

  test('a pass shows its age, or how many verdicts it waits for', () => {
    expect(linesOf('passes', view)[0]).toBe('▸ p-7 analyst/default      waiting 1')
    expect(linesOf('passes', { ...view, passes: [{ ...pass, waiting: 0 }] })[0]).toBe(
      '▸ p-7 analyst/default        open 2m'
    )
  })

  test('the queue shows clause, arrow, round and age', () => {
    expect(linesOf('queue', view)[0]).toBe('▸ • C2 analyst→architect… round 1 2m')
  })

  test('a finding of an earlier grid says so (RUN-512)', () => {
    const wide = { ...place, width: 90 }
    const look = lookOfPanel(
      'findings',
      { view: { ...view, findings: [{ ...finding, isOlder: true }] }, events: [], panels: emptyPanels },
      wide
    )
    expect(lineText(look.lines[1]!)).toContain(
      'high     open open-sweep (earlier grid) analyst→architect/default: the cart'
    )
  })

  test('without a grid the panel says what to do (OPUI-103)', () => {
    for (const name of ['arrows', 'passes', 'queue', 'findings'] as const) {
      expect(linesOf(name, { ...view, grid: null })[0]).toBe(' no grid; run `ghyll init` first')
    }
    expect(linesOf('arrows', null)[0]).toBe(' …')
  })

  test('with a grid and a gate that does not open it says why, not to make a grid (PERS-401)', () => {
    const closedBy = 'attestation-audit-lost: \u001b[31mp-2.jsonl line 3'
    const lines = linesOf('arrows', { ...view, grid: null, closedBy })
    expect(lines.slice(0, 3)).toEqual([
      ' engine not initialized:',
      ' attestation-audit-lost:',
      ' ␛[31mp-2.jsonl line 3'
    ])
  })

  test('the marked row is in sight wherever it is, and told by its place', () => {
    const many = Array.from({ length: 1_000 }, (_, index) => arrowRow('init→analyst', { context: `c${index}` }))
    const panels = withPanel(emptyPanels, 'arrows', { cursor: { id: many[700]!.id, index: 700 } })
    const look = lookOfPanel('arrows', { view: { ...view, arrows: many }, events: [], panels }, place)
    expect(look.lines.map(lineText).some((line) => line.startsWith('▸'))).toBe(true)
    expect(look.note).toBe('701/1000')
  })

  test('only the focused panel has a cursor (OPUI-712)', () => {
    const look = lookOfPanel('arrows', { view, events: [], panels: emptyPanels }, { ...place, isFocused: false })
    expect(look.lines.map(lineText).join('')).not.toContain('▸')
  })
})

describe('the detail of an arrow (OPUI-721)', () => {
  const detail = { subject: { kind: 'arrow' as const, arrow: 'a' }, request: requestId('r'), at: 0 }
  const shown = (inspection: Parameters<typeof withPanel>[2]['details']) =>
    lookOfPanel(
      'arrows',
      { view, events: [], panels: withPanel(emptyPanels, 'arrows', { details: inspection ?? [] }) },
      { ...place, width: 100, height: 40 }
    ).lines.map((line) => lineText(line).trimEnd())

  test('begins with why it is not valid; what blocks comes first among the findings', () => {
    const lines = shown([{ ...detail, inspection: { kind: 'arrow', ...arrowDetail } }])
    expect(lines[0]).toBe('▸ why: C2 fail: 3 problems; 1 finding at or above medium')
    const [first, second] = lines.filter((line) => line.includes('open-sweep'))
    expect(first).toContain('high')
    expect(second).toContain('low')
    expect(lines).toContain('    predecessor: init→analyst/default valid')
    expect(lines).toContain('    R1 min-depth=2 observed=none tax is computed per item')
    expect(lines).toContain('    p-7 closed:derived-blocked')
  })

  test('a clause says beside its pass that it looked at nothing, and below a failure why (CONC-35)', () => {
    const clauses = arrowDetail.clauses.map((clause) =>
      clause.id === 'C1' ? { ...clause, reason: 'vacuous' } : clause
    )
    const lines = shown([{ ...detail, inspection: { kind: 'arrow', ...arrowDetail, clauses } }])
    expect(lines).toContain('    ✓ C1 no-todo-marker (depth-robust, min-tier=0) pass (vacuous)')
    expect(lines).toContain('        3 problems')
  })

  test('how often amendments voided it, with the advice; nothing where none did (RUN-852)', () => {
    const amendmentHits = '3 (through dependencies of granularity file only: section or clause-id is the finer choice)'
    const text = (inspection: typeof arrowDetail) =>
      shown([{ ...detail, inspection: { kind: 'arrow', ...inspection } }]).join('\n')
    expect(text({ ...arrowDetail, amendmentHits }).replace(/\s+/g, ' ')).toContain(
      `invalidated by amendments: ${amendmentHits}`
    )
    expect(text(arrowDetail)).not.toContain('invalidated by amendments')
  })

  test('a valid arrow whose artifact moved says how far (RUN-252)', () => {
    const row = arrowRow('analyst→architect', { status: 'complete', isStarted: true, isOutdated: true })
    const outdated = { files: 2, passId: 'p-7' }
    expect(shown([{ ...detail, inspection: { kind: 'arrow', ...arrowDetail, row, outdated } }])).toContain(
      '    status: valid (outdated: 2 file(s) changed since p-7)'
    )
  })

  test('a valid arrow has no why', () => {
    const row = arrowRow('analyst→architect', { status: 'complete', isStarted: true })
    const lines = shown([{ ...detail, inspection: { kind: 'arrow', ...arrowDetail, row } }])
    expect(lines.join('\n')).not.toContain('why:')
    expect(lines[0]).toContain('● analyst→architect/default')
  })

  test('until the answer comes there is an ellipsis, and what is gone says so', () => {
    expect(shown([{ ...detail, inspection: null }])[0]).toBe('▸ …')
    expect(shown([{ ...detail, inspection: { kind: 'nothing', text: 'arrow "a" not in grid' } }])[0]).toContain(
      'not in grid'
    )
  })
})

test('no panel line is wider than its panel and no panel taller, whatever the texts hold (TERM-1, TERM-30)', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...panelNames),
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 1, max: 20 }),
      foreignText,
      fc.boolean(),
      (name, width, height, text, isMatrix) => {
        const foreign: GateView = {
          ...view,
          arrows: [arrowRow('a→b', { id: text, source: text, context: text }), ...arrows],
          passes: [{ ...pass, role: text }],
          findings: [{ ...finding, description: text, arrow: text }],
          queue: [{ ...queued, clause: text }]
        }
        const events = [{ serial: 1, at: 0, event: { kind: text, detail: text, arrow_id: text } }]
        const panels = { ...emptyPanels, isMatrix }
        const look = lookOfPanel(name, { view: foreign, events, panels }, { ...place, width, height })
        expect(look.lines).toHaveLength(height)
        for (const line of look.lines) {
          const shown = lineText(line)
          expect(cellWidth(shown)).toBeLessThanOrEqual(width)
          expect(shown).not.toMatch(/[\x00-\x1f\x7f-\x9f]/)
        }
      }
    )
  )
})

describe('where panels stand (OPUI-710)', () => {
  test.each([
    [120, 'arrows', { transcript: 84, panel: 36 }],
    [110, null, { transcript: 77, panel: 33 }],
    [200, null, { transcript: 162, panel: 38 }],
    [80, 'arrows', { transcript: 40, panel: 40 }],
    [80, null, { transcript: 80, panel: 0 }],
    [50, 'arrows', { transcript: 0, panel: 50 }]
  ] as const)('at %d columns with %s open', (columns, open, widths) => {
    const terminal = { ...gateScreen({ columns }).terminal }
    const facts = { terminal, panels: { ...emptyPanels, open }, gate: { ...emptyGate, view } }
    expect(divideColumns(facts)).toEqual(widths)
  })

  test('a wide window without a grid gives all to the transcript', () => {
    const { terminal } = gateScreen({ columns: 120 })
    expect(divideColumns({ terminal, panels: emptyPanels, gate: emptyGate })).toEqual({ transcript: 120, panel: 0 })
  })

  test('arrows take two thirds and passes one; another panel takes the whole side', () => {
    const { terminal } = gateScreen({ columns: 120 })
    const facts = { terminal, panels: emptyPanels, gate: emptyGate }
    expect(stackPanels(facts, 36)).toEqual([
      { name: 'arrows', rows: 24 },
      { name: 'passes', rows: 12 }
    ])
    expect(stackPanels({ ...facts, panels: { ...emptyPanels, open: 'findings' } }, 36)).toEqual([
      { name: 'findings', rows: 36 }
    ])
  })
})
