import { describe, expect, test } from 'vitest'
import type { HeaderFacts } from '../../../src/protocol/event.ts'
import { bindKeys } from '../../../ui/keys/index.ts'
import { lineText } from '../../../ui/parts/lines.ts'
import { headerLine } from '../../../ui/status/header.tsx'
import { type StatusFacts, shortCount, statusLine, waitingText } from '../../../ui/status/status.tsx'
import { emptyGate } from '../../../ui/store/gate.ts'
import { initialState } from '../../../ui/store/state.ts'
import { fc } from '../../support/laws.ts'
import { boot } from '../../support/screen-harness.ts'

const header: HeaderFacts = {
  ...boot.header,
  gridVersion: 1,
  residue: 12,
  unevaluated: 5,
  opId: 'alice@example.com'
}
const session = initialState(boot, { columns: 80, rows: 24 }).session
const facts: StatusFacts = {
  session: {
    ...session,
    phase: 'turn',
    turn: 3,
    context: { tokens: 4_200, limit: 200_000, threshold: 32_000, toolDepth: 2 },
    tokensIn: 1_200,
    tokensOut: 340
  },
  waiting: null,
  gate: emptyGate,
  isBusy: true,
  notice: null,
  bindings: bindKeys({})
}

describe('the header (TERM-3, OPUI-700)', () => {
  test('shows model, tier, folder, branch, grid and op-id', () => {
    expect(lineText(headerLine(header, 100))).toBe(
      ' ghyll  m25 fast · ~/repos/shop (main) · grid v1  R 12  C 5 · alice@example.com'
    )
  })

  test('a missing op-id is said', () => {
    expect(lineText(headerLine({ ...header, opId: null }, 100))).toMatch(/ · no op-id$/)
  })

  test('a long path is cut in the middle, the rest at the end', () => {
    const long = { ...header, workdir: `~/${'deep/'.repeat(30)}shop` }
    const shown = lineText(headerLine(long, 100))
    expect(shown).toMatch(/~\/deep.*….*shop \(main\)/)
    expect(shown).toMatch(/alice@example\.com$/)
    expect(lineText(headerLine(long, 30))).toMatch(/…$/)
  })

  test('never wider than the window', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200 }),
        fc.string({ unit: 'grapheme', maxLength: 80 }),
        (width, workdir) => {
          expect(headerLine({ ...header, workdir }, width).width).toBeLessThanOrEqual(width)
        }
      )
    )
  })
})

describe('a narrow header (OPUI-700, TERM-3)', () => {
  const gate = { ...header, gridVersion: 1, residue: 12, unevaluated: 2, opId: 'alice' }

  test('the branch goes first, then the name of the program; who answers, the grid and the op-id stay', () => {
    const shown = [90, 60, 50].map((width) => lineText(headerLine(gate, width)))
    for (const each of shown) expect(each).toMatch(/m25.* · grid v1 {2}R 12 {2}C 2 · alice$/)
    expect(shown.map((each) => each.includes('ghyll'))).toEqual([true, true, false])
    expect(shown.map((each) => each.includes('('))).toEqual([true, false, false])
  })
})

describe('the status line', () => {
  test('shows turn, context, tokens, tools and the keys that matter', () => {
    expect(lineText(statusLine(facts, 0, 100))).toBe(
      ' turn 3 · context 4.2k/200k · ↑1.2k ↓340 · tools 2/50 · Esc stop  ? help'
    )
  })

  test('where there is less room, counts make way for the keys', () => {
    expect(lineText(statusLine(facts, 0, 60))).toBe(' turn 3 · context 4.2k/200k · tools 2/50 · Esc stop  ? help')
    expect(lineText(statusLine(facts, 0, 50))).toBe(' turn 3 · context 4.2k/200k · Esc stop  ? help')
    expect(lineText(statusLine(facts, 0, 40))).toBe(' context 4.2k/200k · Esc stop  ? help')
    expect(lineText(statusLine(facts, 0, 20))).toBe(' Esc stop  ? help')
    const waiting = { what: 'model', label: 'a-model-with-a-long-name', since: 0, count: 1_000 } as const
    expect(lineText(statusLine({ ...facts, waiting }, 9_000, 64))).toBe(
      ' a-model-with-a-long-name 9s · 1000 tokens · Esc stop  ? help'
    )
  })

  test('a held session says what goes on with it while there is room (SESS-092, SESS-117)', () => {
    const held = { ...facts, isBusy: false, session: { ...facts.session, isHeld: true } }
    expect(lineText(statusLine(held, 0, 100))).toBe(
      ' turn 3 · held · /retry · context 4.2k/200k · ↑1.2k ↓340 · tools 2/50 · ? help'
    )
    expect(lineText(statusLine(held, 0, 40))).toBe(' held · context 4.2k/200k · ? help')
  })

  test('while the session is closed it says so, and how to skip the last sync (TERM-25, SESS-142)', () => {
    const waiting = { what: 'sync', label: 'last sync', since: 0, count: null } as const
    const leaving = { ...facts, waiting, session: { ...facts.session, phase: 'shutdown' as const } }
    expect(lineText(statusLine(leaving, 2_000, 60))).toBe(' last sync 2s · leaving · Ctrl+C skip the sync')
  })

  test('the context turns to warn above the routing threshold and to fail above 90 % (CTX-014)', () => {
    const tone = (tokens: number) => {
      const context = { tokens, limit: 200_000, threshold: 32_000, toolDepth: 0 }
      const shown = statusLine({ ...facts, session: { ...facts.session, context } }, 0, 100)
      return shown.spans.find(({ text }) => text.startsWith('context'))?.style.tone
    }
    expect([tone(32_000), tone(32_001), tone(180_000), tone(180_001)]).toEqual([undefined, 'warn', 'warn', 'fail'])
  })

  test('marks stay, a notice stands first and takes the place of the hints', () => {
    const marked = {
      ...facts,
      session: { ...facts.session, marks: { sandbox: 'no sandbox' } },
      notice: 'press Ctrl+C again to leave'
    }
    expect(lineText(statusLine(marked, 0, 120))).toMatch(/^ press Ctrl\+C again to leave · turn 3 .* · no sandbox$/)
  })

  test('waiting is told after 300 ms, with seconds and tokens (TERM-25)', () => {
    const waiting = { what: 'model', label: 'm25', since: 1_000, count: 120 } as const
    expect(waitingText(waiting, 1_299)).toBeNull()
    expect(waitingText(waiting, 5_400)).toBe('m25 4s · 120 tokens')
    expect(waitingText({ what: 'retry', label: 'rate limited, retrying in', since: 1_000, count: 8 }, 4_000)).toBe(
      'rate limited, retrying in 5s'
    )
  })

  test.each([
    [0, '0'],
    [999, '999'],
    [1_000, '1k'],
    [4_250, '4.2k'],
    [200_000, '200k'],
    [1_000_000, '1M'],
    [1_350_000, '1.3M']
  ])('%i tokens are %s', (count, text) => {
    expect(shortCount(count)).toBe(text)
  })
})
