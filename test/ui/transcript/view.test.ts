import { describe, expect, it } from 'vitest'
import { entryId, requestId } from '../../../src/protocol/ids.ts'
import { lineText } from '../../../ui/parts/lines.ts'
import { toggleRow, toggleRows } from '../../../ui/transcript/fold.ts'
import { emptyTranscript, type TranscriptState } from '../../../ui/transcript/model.ts'
import { TranscriptView } from '../../../ui/transcript/view.ts'
import { fc, runs } from '../../support/laws.ts'
import { foreignText } from '../../support/text.ts'
import { assistant, notice, plainPen, reply, said, shown, toolEntry, transcriptOf } from '../../support/transcript.ts'

const numbered = (count: number, from = 0) => Array.from({ length: count }, (_, at) => notice(`n${from + at}`))

function viewOf(state: TranscriptState, cols = 40, rows = 5): TranscriptView {
  const view = new TranscriptView(plainPen)
  view.show(state, cols, rows)
  return view
}

/** Every line, laid out from nothing. */
function all(state: TranscriptState, cols: number): string[] {
  return shown(viewOf(state, cols, 1_000_000))
}

describe('following (TERM-21)', () => {
  it('shows the end whatever arrives', () => {
    const state = transcriptOf(numbered(20))
    const view = viewOf(state, 40, 3)
    expect(shown(view)).toEqual(['ℹ n17', 'ℹ n18', 'ℹ n19'])
    view.show(transcriptOf(numbered(2, 20), state), 40, 3)
    expect(shown(view)).toEqual(['ℹ n19', 'ℹ n20', 'ℹ n21'])
    expect(view.newEntries).toBe(0)
  })

  it('stays on the same line once scrolled up, counts what is new, and End returns', () => {
    const state = transcriptOf(numbered(20))
    const view = viewOf(state, 40, 3)
    view.scrollLines(-4)
    expect(shown(view)).toEqual(['ℹ n13', 'ℹ n14', 'ℹ n15'])
    view.show(transcriptOf([...numbered(2, 20), reply('a1', 'text\n'.repeat(50))], state), 40, 3)
    expect(shown(view)).toEqual(['ℹ n13', 'ℹ n14', 'ℹ n15'])
    expect(view.newEntries).toBe(3)
    view.toEnd()
    expect(view.newEntries).toBe(0)
    expect(view.isFollowing).toBe(true)
  })

  it('follows again when scrolled down to the end', () => {
    const view = viewOf(transcriptOf(numbered(20)), 40, 3)
    let returned = 0
    view.onFollow = () => {
      returned += 1
    }
    view.scrollLines(-6)
    view.scrollLines(5)
    expect(view.isFollowing).toBe(false)
    view.scrollLines(1)
    expect(view.isFollowing).toBe(true)
    expect(returned).toBe(1)
  })

  it('does not scroll what fits', () => {
    const view = viewOf(transcriptOf(numbered(3)), 40, 5)
    view.scrollLines(-10)
    view.toStart()
    expect(view.isFollowing).toBe(true)
    expect(view.percent).toBeNull()
    expect(shown(view).length).toBe(3)
  })

  it('stays on the same line while a reply above and below grows', () => {
    let state = transcriptOf([...numbered(5), { kind: 'reply-opened', entry: assistant('a1', { text: 'start\n\n' }) }])
    const view = viewOf(state, 40, 3)
    view.toStart()
    view.scrollLines(1)
    const before = shown(view)
    for (let at = 0; at < 50; at++) {
      state = transcriptOf(
        [{ kind: 'reply-delta', entry: entryId('a1'), channel: 'text', text: 'more words\n\n' }],
        state
      )
      view.show(state, 40, 3)
      expect(shown(view)).toEqual(before)
    }
  })
})

describe('moving (TERM-22)', () => {
  const state = transcriptOf([...numbered(10), said('u1', 'one\ntwo\nthree'), ...numbered(10, 10)])

  it('goes by pages, with one line in common', () => {
    const view = viewOf(state, 40, 5)
    view.scrollPages(-1)
    expect(shown(view).at(-1)).toBe('ℹ n15')
    view.scrollPages(1)
    expect(view.isFollowing).toBe(true)
  })

  it('goes to the start and by entries', () => {
    const view = viewOf(state, 40, 5)
    view.toStart()
    expect(shown(view)[0]).toBe('ℹ n0')
    for (let at = 0; at < 10; at++) view.scrollEntries(1)
    expect(shown(view).slice(0, 3)).toEqual(['', 'you      one', '         two'])
    view.scrollLines(2)
    view.scrollEntries(-1)
    expect(shown(view)[1]).toBe('you      one')
    view.scrollEntries(-1)
    expect(shown(view)[0]).toBe('ℹ n9')
  })

  it('visits every line in order, up and down, for any transcript', () => {
    fc.assert(
      fc.property(
        fc.array(foreignText, { maxLength: 6 }),
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 7 }),
        (texts, cols, rows) => {
          const any = transcriptOf(
            texts.map((text, at) => (at % 2 === 0 ? reply(`a${at}`, text) : said(`u${at}`, text)))
          )
          const lines = all(any, cols)
          const view = viewOf(any, cols, rows)
          const seen = shown(view)
          expect(seen).toEqual(lines.slice(-rows))
          while (seen.length < lines.length) {
            view.scrollLines(-1)
            seen.unshift(shown(view)[0]!)
          }
          expect(seen).toEqual(lines)
        }
      ),
      { numRuns: runs(60) }
    )
  })
})

describe('resize (TERM-4)', () => {
  const text = Array.from(
    { length: 40 },
    (_, at) => `Paragraph ${at} has a few more words than a narrow screen can hold on one line.`
  ).join('\n\n')
  const state = transcriptOf([said('u1', 'go'), reply('a1', text), ...numbered(5), reply('a2', text)])

  it('60→120→60 gives the text it began with, wherever the reader is', () => {
    fc.assert(
      fc.property(fc.nat(150), fc.integer({ min: 3, max: 30 }), (up, rows) => {
        const view = viewOf(state, 60, rows)
        view.scrollLines(-up)
        const before = shown(view)
        view.show(state, 120, rows)
        shown(view)
        view.show(state, 60, rows)
        expect(shown(view)).toEqual(before)
      }),
      { numRuns: runs(30) }
    )
  })

  it('keeps the same entry at the top', () => {
    const view = viewOf(state, 60, 10)
    view.toStart()
    view.scrollLines(60)
    const row = view.lines()[0]!.row
    const paragraph = shown(view)
      .join(' ')
      .match(/Paragraph \d+/)![0]
    view.show(state, 33, 10)
    expect(view.lines()[0]!.row).toBe(row)
    expect(shown(view).join(' ')).toContain(paragraph)
  })

  it('gives what a fresh layout gives, at any sequence of sizes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 80 }), fc.integer({ min: 0, max: 20 })), { maxLength: 5 }),
        (sizes) => {
          const view = new TranscriptView(plainPen)
          for (const [cols, rows] of sizes) {
            view.show(state, cols, rows)
            expect(shown(view)).toEqual(all(state, Math.max(1, cols)).slice(-rows || Number.POSITIVE_INFINITY))
          }
        }
      ),
      { numRuns: runs(20) }
    )
  })
})

it('a reply that arrives in pieces looks like one that came whole (TERM-14)', () => {
  const part = fc.constantFrom(
    'Hello **bold** text. ',
    'more ',
    '\n',
    '\n\n',
    '- item\n',
    '```ts\nlet x = 1\n```\n',
    '| a | b |\n|---|---|\n| 1 | 2 |\n\n',
    '# Head\n',
    '日本 '
  )
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 25 }),
      fc.array(part, { maxLength: 4 }),
      fc.boolean(),
      (parts, thoughts, isUnfolded) => {
        let state = transcriptOf([{ kind: 'reply-opened', entry: assistant('a1') }])
        if (isUnfolded) state = { ...state, rows: state.rows.map((row) => ({ ...row, unfolded: true }) as typeof row) }
        const view = viewOf(state, 50, 12)
        const deltas = [
          ...thoughts.map(
            (text) => ({ kind: 'reply-delta', entry: entryId('a1'), channel: 'reasoning', text }) as const
          ),
          ...parts.map((text) => ({ kind: 'reply-delta', entry: entryId('a1'), channel: 'text', text }) as const)
        ]
        for (const delta of deltas) {
          state = transcriptOf([delta], state)
          view.show(state, 50, 12)
          shown(view)
        }
        expect(shown(view)).toEqual(all(state, 50).slice(-12))
      }
    )
  )
})

it('folding keeps the place of what is above', () => {
  const entry = (id: string) =>
    ({
      kind: 'tool-ended',
      entry: toolEntry('bash', { command: id }, { message: entryId(id), text: 'out\n'.repeat(30) })
    }) as const
  const state = transcriptOf([...numbered(10), entry('a1'), ...numbered(10, 10)])
  const view = viewOf(state, 40, 6)
  view.scrollLines(-9)
  const target = view.foldTarget()
  expect(target).toBe('a1/c1')
  const above = shown(view)[0]
  view.show(toggleRow(state, target!), 40, 6)
  expect(shown(view)[0]).toBe(above)
  expect(shown(view).at(-1)).toBe('│ command: a1')
})

it('tells that the reply goes on which was the last entry when the reader left the end (TERM-21)', () => {
  const grows = (text: string, before?: TranscriptState) =>
    transcriptOf([{ kind: 'reply-delta', entry: entryId('a1'), channel: 'text', text }], before)
  const state = grows(Array.from({ length: 30 }, (_, at) => `- ${at}`).join('\n'), transcriptOf(numbered(3)))
  const view = viewOf(state, 40, 6)
  expect(view.hasGrown).toBe(false)
  view.scrollLines(-3)
  expect(view.hasGrown).toBe(false)
  view.show(grows('\n- 30', state), 40, 6)
  expect([view.newEntries, view.hasGrown]).toEqual([0, true])
  view.toEnd()
  expect(view.hasGrown).toBe(false)
})

describe('search (TERM-22)', () => {
  const state = transcriptOf([
    said('u1', 'the Cart'),
    ...numbered(20),
    reply('a1', 'a *cart* and\n\nanother cart'),
    ...numbered(20, 20)
  ])

  it('counts, marks and goes around', () => {
    const view = viewOf(state, 40, 6)
    view.find('cart')
    expect(view.searchStatus).toEqual({ query: 'cart', current: 3, total: 3, isPartial: false })
    expect(shown(view)).toContain('         another cart')
    const marked = view.lines().flatMap(({ line }) => line.spans.filter((span) => span.style.inverse))
    expect(marked.map((span) => span.text)).toContain('cart')
    view.findNext(1)
    expect(view.searchStatus!.current).toBe(1)
    expect(shown(view).join('\n')).toContain('the Cart')
    view.findNext(-1)
    view.findNext(-1)
    expect(view.searchStatus!.current).toBe(2)
    expect(shown(view).join('\n')).toContain('a cart and')
  })

  it('finds what arrived since, and ends with an empty query', () => {
    const view = viewOf(state, 40, 6)
    view.find('zebra')
    expect(view.searchStatus).toEqual({ query: 'zebra', current: 0, total: 0, isPartial: false })
    view.show(transcriptOf([notice('zebra')], state), 40, 6)
    view.findNext(1)
    expect(view.searchStatus).toMatchObject({ current: 1, total: 1 })
    view.find('')
    expect(view.searchStatus).toBeNull()
  })

  it('counts what a tool call shows, folded and unfolded', () => {
    const edited = toolEntry('edit_file', { path: 'cart.ts' }, { meta: { diff: '@@ -1 +1 @@\n-a cart\n+the cart' } })
    const failed = toolEntry('bash', { command: 'ls' }, { status: 'failed', text: 'no cart here' })
    const folded = transcriptOf([
      { kind: 'tool-ended', entry: edited },
      { kind: 'tool-ended', entry: { ...failed, call: { ...failed.call, id: 'c2' } } }
    ])
    for (const [each, total] of [
      [folded, 4],
      [toggleRows(folded, 'tool'), 5] // The argument once more.
    ] as const) {
      const view = viewOf(each, 40, 30)
      view.find('cart')
      expect(view.searchStatus!.total).toBe(total)
      const marked = view.lines().flatMap(({ line }) => line.spans.filter((span) => span.style.inverse))
      expect(marked).toHaveLength(total)
    }
  })

  it('goes beside a row that shows nothing of what was found', () => {
    const view = viewOf(transcriptOf([reply('a1', '```word '), ...numbered(9)]), 20, 4)
    view.find('word')
    expect(view.searchStatus).toEqual({ query: 'word', current: 1, total: 1, isPartial: false })
    expect(shown(view)[0]).toBe('ℹ n0')
  })

  it('holds for any query and any text', () => {
    fc.assert(
      fc.property(foreignText, fc.string({ maxLength: 4 }), (text, query) => {
        const view = viewOf(transcriptOf([reply('a1', text), said('u1', text)]), 20, 4)
        view.find(query)
        view.findNext(1)
        const { current, total } = view.searchStatus ?? { current: 0, total: 0 }
        expect(current).toBeLessThanOrEqual(total)
        expect(view.lines().length).toBeLessThanOrEqual(4)
      })
    )
  })
})

describe('older entries (TERM-15)', () => {
  const loaded = (from: number) =>
    ({
      kind: 'older-loaded',
      request: requestId('r'),
      entries: Array.from(
        { length: 5 },
        (_, at) => ({ kind: 'user', id: entryId(`o${from + at}`), turn: 1, text: `old ${from + at}` }) as const
      ),
      complete: from === 0
    }) as const

  it('are asked for once at the top, before the first entry the history knows, and leave the reader where they are', () => {
    const state = transcriptOf([notice('n0'), said('u', 'kept'), ...numbered(20).slice(1)])
    const view = viewOf(state, 40, 5)
    const asked: string[] = []
    view.onNeedOlder = (before) => asked.push(before)
    view.scrollPages(-1)
    expect(asked).toEqual([])
    view.toStart()
    view.scrollLines(-3)
    expect(asked).toEqual(['u'])

    const more = transcriptOf([loaded(5)], state)
    view.show(more, 40, 5)
    expect(shown(view)[0]).toBe('ℹ n0')
    view.scrollLines(-1)
    expect(shown(view)[0]).toBe('you      old 9'.trimEnd())
    view.toStart()
    expect(asked.length).toBe(2)
    view.show(transcriptOf([loaded(0)], more), 40, 5)
    view.toStart()
    expect(asked.length).toBe(2)
  })

  it('are asked for by a search that goes back before what it found, and searched at its next step (TERM-22)', () => {
    const state = { ...transcriptOf([said('u', 'an old cart'), ...numbered(9)]), older: 'some' as const }
    const view = viewOf(state, 40, 5)
    const asked: string[] = []
    view.onNeedOlder = (before) => asked.push(before)
    view.find('old')
    expect(view.searchStatus).toMatchObject({ current: 1, total: 1, isPartial: true })
    view.findNext(-1)
    expect(asked).toEqual(['u'])
    expect(view.searchStatus!.current).toBe(1)
    view.show(transcriptOf([loaded(0)], state), 40, 5)
    view.findNext(-1)
    expect(view.searchStatus).toMatchObject({ current: 5, total: 6, isPartial: false })
    expect(shown(view).join('\n')).toContain('old 4')
    view.findNext(1)
    expect(view.searchStatus!.current).toBe(6)
  })

  it('are searched from their end when nothing was found in what was there', () => {
    const state = { ...transcriptOf([said('u', 'kept'), ...numbered(9)]), older: 'some' as const }
    const view = viewOf(state, 40, 5)
    view.find('old')
    view.findNext(-1)
    view.show(transcriptOf([loaded(0)], state), 40, 5)
    view.findNext(-1)
    expect(view.searchStatus).toMatchObject({ current: 5, total: 5 })
  })

  it('an anchor whose row was dropped shows the oldest there is', () => {
    const state = transcriptOf(numbered(20))
    const view = viewOf(state, 40, 3)
    view.toStart()
    view.show({ ...state, rows: state.rows.slice(10) }, 40, 3)
    expect(shown(view)).toEqual(['ℹ n10', 'ℹ n11', 'ℹ n12'])
  })
})

it('shows nothing, and throws nothing, without rows or room (TERM-1)', () => {
  for (const state of [emptyTranscript, transcriptOf(numbered(3)), transcriptOf([reply('a1', '')])]) {
    for (const [cols, rows] of [
      [0, 0],
      [1, 0],
      [0, 1],
      [1, 1],
      [-1, -1]
    ] as const) {
      const view = viewOf(state, cols, rows)
      view.scrollLines(-1)
      view.scrollPages(1)
      view.scrollEntries(-1)
      view.scrollEntries(1)
      view.toStart()
      view.toEnd()
      view.find('n')
      expect(view.lines().length).toBeLessThanOrEqual(Math.max(0, rows))
      expect(view.percent === null || view.percent <= 100).toBe(true)
    }
  }
})

it('looks at what is visible only, with 100,000 lines behind it (TERM-12, TERM-72)', () => {
  const text = 'A line of some words.\n\n'.repeat(50)
  const rows = Array.from({ length: 1000 }, (_, at) => ({ ...transcriptOf([reply('a', text)]).rows[0]!, id: `a${at}` }))
  const state = { ...emptyTranscript, rows }
  let drawn = 0
  const glyphs = plainPen.glyphs
  // The pen is asked for its glyphs once per piece that is drawn.
  const counting = {
    get glyphs() {
      drawn += 1
      return glyphs
    },
    highlight: null
  }
  const bulleted = { ...state, rows: rows.map((row) => ({ ...row, text: '- item\n'.repeat(100) }) as typeof row) }
  const view = new TranscriptView(counting)
  view.show(bulleted, 100, 30)
  view.lines()
  expect(drawn).toBeLessThan(100)
  drawn = 0
  view.show(bulleted, 60, 30)
  view.lines()
  view.scrollPages(-1)
  view.lines()
  expect(drawn).toBeLessThan(150)
  expect(lineText(view.lines()[0]!.line)).toContain('• item')
})
