import { describe, expect, test } from 'vitest'
import type { GateView } from '../../../src/protocol/gate-view.ts'
import { requestId } from '../../../src/protocol/ids.ts'
import { whyNot } from '../../../ui/panels/actions.ts'
import { entriesOf, markedOf } from '../../../ui/panels/entries.ts'
import { sourcesOf } from '../../../ui/panels/press.ts'
import { fitted, type PanelName } from '../../../ui/panels/state.ts'
import type { ScreenState } from '../../../ui/store/state.ts'
import { arrowDetail, arrowRow, arrows, finding, pass, queued, verdict, view } from '../../support/gate-view.ts'
import { ctrl, keys, paste } from '../../support/keys.ts'
import { armedBy, gateScreen, told, typing } from '../../support/screen-state.ts'

const f = { arrows: '\x1bOQ', passes: '\x1bOR', queue: '\x1bOS', findings: '\x1b[15~', events: '\x1b[17~' }

function withView(changes: Partial<GateView> = {}, size = { columns: 80, rows: 24 }): ScreenState {
  return told(gateScreen(size), { kind: 'gate-viewed', view: { ...view, ...changes } })
}

function marked(state: ScreenState, name: PanelName): string | null {
  return markedOf(entriesOf(name, sourcesOf(state)), state.panels.panels[name].cursor)?.entry.id ?? null
}

const grid = withView()
const wide = withView({}, { columns: 120, rows: 40 })

describe('focus (OPUI-711)', () => {
  test.each(Object.entries(f) as [PanelName, string][])(
    '%s opens by its key and takes the keys; the same key gives them back',
    (name, key) => {
      const open = typing(grid, key).state
      expect(open.panels).toMatchObject({ focus: name, open: name })
      expect(typing(open, key).state.panels).toMatchObject({ focus: null, open: null })
    }
  )

  test('Ctrl+G opens the arrows too, and beside a wide transcript the panel stays open', () => {
    const open = typing(wide, ctrl('g'), keys.down).state
    expect(open.panels.focus).toBe('arrows')
    expect(typing(open, ctrl('g')).state.panels).toMatchObject({ focus: null, open: 'arrows' })
  })

  test('Esc gives the keys back; the draft was never touched', () => {
    const draft = typing(grid, 'my draft').state
    const back = typing(draft, f.arrows, keys.down, keys.escape).state
    expect(back.panels.focus).toBeNull()
    expect(back.prompt.editor.text).toBe('my draft')
  })

  test('Tab with an empty prompt goes from the prompt through the panels and back', () => {
    let state = grid
    const places: (PanelName | null)[] = []
    for (let step = 0; step < 6; step += 1) {
      state = typing(state, keys.tab).state
      places.push(state.panels.focus)
    }
    expect(places).toEqual(['arrows', 'passes', 'queue', 'findings', 'events', null])
    expect(typing(typing(grid, keys.tab).state, keys.shiftTab).state.panels.focus).toBeNull()
    expect(typing(gateScreen(), keys.tab).state.panels.focus).toBeNull()
  })

  test('a printable key that means nothing in a panel goes to the prompt and focuses it; so does a paste', () => {
    const typed = typing(typing(grid, f.arrows).state, 'x').state
    expect(typed.prompt.editor.text).toBe('x')
    expect(typed.panels.focus).toBeNull()
    const pasted = typing(typing(grid, f.arrows).state, paste('run i')).state
    expect(pasted.prompt.editor.text).toBe('run i')
  })

  test('an overlay keeps the keys from the panels (OPUI-711)', () => {
    const asked = armedBy(told(grid, { kind: 'prompt-opened', prompt: verdict, place: { at: 1, of: 1 } }))
    expect(typing(asked, f.findings, ctrl('g')).state.panels.focus).toBeNull()
  })

  test('Ctrl+C in a panel interrupts what runs, else is as Esc (TERM-45a)', () => {
    const busy = told(typing(grid, f.arrows).state, { kind: 'phase-changed', from: 'ready', to: 'turn', reason: '' })
    expect(typing(busy, ctrl('c')).commands).toEqual([{ kind: 'interrupt' }])
    expect(typing(typing(grid, f.arrows).state, ctrl('c')).state.panels.focus).toBeNull()
  })

  test('a command line that asks for a panel moves the focus there (OPUI-310)', () => {
    expect(told(grid, { kind: 'panel-asked', panel: 'arrows' }).panels.focus).toBe('arrows')
  })
})

describe('the cursor (OPUI-713)', () => {
  test('moves by every key and stops at the ends', () => {
    const ids = arrows.map(({ id }) => id)
    const open = typing(grid, f.arrows).state
    expect(marked(open, 'arrows')).toBe(ids[0])
    expect(marked(typing(open, keys.down, 'j', keys.up).state, 'arrows')).toBe(ids[1])
    expect(marked(typing(open, 'j', 'k', 'k').state, 'arrows')).toBe(ids[0])
    expect(marked(typing(open, keys.end, keys.down).state, 'arrows')).toBe(ids[3])
    expect(marked(typing(open, keys.pageDown).state, 'arrows')).toBe(ids[3])
    expect(marked(typing(open, keys.end, keys.home).state, 'arrows')).toBe(ids[0])
  })

  test('follows the row, not its place, and takes what stands there when the row is gone', () => {
    const second = typing(grid, f.arrows, keys.down).state
    const moved = told(second, { kind: 'gate-viewed', view: { ...view, arrows: [...arrows].reverse() } })
    expect(marked(moved, 'arrows')).toBe(arrows[1]!.id)
    const gone = told(second, { kind: 'gate-viewed', view: { ...view, arrows: [arrows[0]!, arrows[2]!] } })
    expect(marked(gone, 'arrows')).toBe(arrows[2]!.id)
    expect(marked(told(second, { kind: 'gate-viewed', view: { ...view, arrows: [] } }), 'arrows')).toBeNull()
  })
})

describe('the arrow panel (OPUI-720)', () => {
  const open = typing(grid, f.arrows, keys.down).state
  const arrow = arrows[1]!.id

  test('r runs the marked arrow without a confirmation, once', () => {
    expect(typing(open, 'r').commands).toEqual([{ kind: 'run-arrow', arrow }])
    const held = typing(open, 'r', '\x1b[114;1:2u', '\x1b[114;1:2u')
    expect(held.commands).toEqual([{ kind: 'run-arrow', arrow }])
  })

  test('a burst in which an r comes runs nothing (TERM-43)', () => {
    const { state, commands } = typing(open, 'run it\r')
    expect(commands).toEqual([])
    expect(state.prompt.editor.text).toBe('run it\n')
  })

  test('i asks a reason, then y or n', () => {
    const asked = typing(open, 'i', 'spec changed', keys.enter)
    expect(asked.commands).toEqual([])
    expect(typing(asked.state, 'y').commands).toEqual([{ kind: 'invalidate-arrow', arrow, reason: 'spec changed' }])
    expect(typing(open, 'i', keys.enter, 'y').commands).toEqual([
      { kind: 'invalidate-arrow', arrow, reason: 'operator-requested' }
    ])
    const back = typing(open, 'i', keys.escape).state
    expect(back.overlays).toEqual([])
    expect(back.panels.focus).toBe('arrows')
  })

  test('what is not possible is said in the panel (OPUI-103, 340, 722)', () => {
    const closed = typing(withView({ isEngineOpen: false }), f.arrows, 'r')
    expect(closed.commands).toEqual([])
    expect(closed.state.panels.refusal).toBe('✗ engine not initialized; /run-arrow unavailable')
    const anonymous = told(open, { kind: 'header-changed', header: { opId: null } })
    expect(typing(anonymous, 'i').state.panels.refusal).toBe(
      '✗ /invalidate-arrow refuses: no op-id set; use /op-id <identity> first'
    )
    const none = typing(withView({ grid: null, arrows: [] }), f.arrows, 'r')
    expect(none.state.panels.refusal).toBe('✗ no grid; run `ghyll init` first')
    const refused = told(open, {
      kind: 'gate-refused',
      text: '/run-arrow: (role=analyst, context=default) held by pass p-7'
    })
    expect(refused.panels.refusal).toBe('✗ /run-arrow: (role=analyst, context=default) held by pass p-7')
    // Nobody looks at a panel: then the status line tells.
    expect(told(grid, { kind: 'gate-refused', text: 'engine not initialized' }).notice).toBe('✗ engine not initialized')
    expect(typing(refused, keys.down).state.panels.refusal).toBeNull()
  })

  test('v presents its first waiting verdict, or says that none waits', () => {
    expect(typing(open, 'v').commands).toEqual([{ kind: 'present-verdicts', item: queued.item }])
    const other = typing(open, keys.up, 'v')
    expect(other.commands).toEqual([])
    expect(other.state.panels.refusal).toContain('waits for a verdict')
  })

  test('f and p show its findings and passes; Esc comes back', () => {
    const findings = typing(open, 'f').state
    expect(findings.panels.focus).toBe('findings')
    expect(findings.panels.panels.findings.arrow).toBe(arrow)
    expect(typing(findings, keys.escape).state.panels.focus).toBe('arrows')
    expect(typing(open, 'p').state.panels).toMatchObject({ focus: 'passes' })
    const first = typing(open, keys.up, 'f').state
    expect(entriesOf('findings', sourcesOf(first))).toEqual([])
  })

  test('a asks for its attestations, y copies its id', () => {
    expect(typing(open, 'a').commands).toEqual([
      { kind: 'inspect', request: 'ui-1', subject: { kind: 'attestations', arrow } }
    ])
    const copied = typing(open, 'y')
    expect(copied.effects[0]).toEqual({ kind: 'offer-clipboard', text: arrow })
    expect(copied.commands).toEqual([{ kind: 'copy', request: 'ui-1', text: arrow }])
  })

  test('/ filters as you type, letters that are keys included; Esc clears (OPUI-102, 311)', () => {
    const filtered = typing(open, '/', 'i', 'n', 'i', 't', '-', '>').state
    expect(entriesOf('arrows', sourcesOf(filtered)).map(({ id }) => id)).toEqual([arrows[0]!.id])
    const kept = typing(filtered, keys.enter, 'r')
    expect(kept.commands).toEqual([{ kind: 'run-arrow', arrow: arrows[0]!.id }])
    expect(entriesOf('arrows', sourcesOf(typing(filtered, keys.escape).state))).toHaveLength(4)
    expect(typing(open, '/', 'not st').state.panels.panels.arrows.filter).toBe('not st')
    expect(entriesOf('arrows', sourcesOf(typing(open, '/', paste('not started')).state))).toHaveLength(1)
  })

  test('Enter opens the detail; Enter on a clause, finding or pass in it opens that; Esc goes back step by step', () => {
    const opened = typing(open, keys.enter)
    expect(opened.commands).toEqual([{ kind: 'inspect', request: 'ui-1', subject: { kind: 'arrow', arrow } }])
    const shown = told(opened.state, {
      kind: 'inspected',
      request: requestId('ui-1'),
      inspection: { kind: 'arrow', ...arrowDetail }
    })
    const subjects = new Set<string>()
    let state = shown
    for (let step = 0; step < 40; step += 1) {
      for (const command of typing(state, keys.enter).commands) {
        if (command.kind === 'inspect') subjects.add(JSON.stringify(command.subject))
      }
      state = typing(state, keys.down).state
    }
    expect([...subjects].map((each) => JSON.parse(each).kind).sort()).toEqual([
      'clause',
      'clause',
      'finding',
      'finding',
      'pass'
    ])
    const deep = typing(shown, ...Array.from({ length: 12 }, () => keys.down), keys.enter).state
    expect(deep.panels.panels.arrows.details).toHaveLength(2)
    const back = typing(deep, keys.escape).state
    expect(back.panels.panels.arrows.details).toHaveLength(1)
    expect(typing(back, keys.left).state.panels.panels.arrows.details).toEqual([])
    expect(typing(back, keys.left, keys.left).state.panels.focus).toBeNull()
  })

  test('an answer that comes after its detail was closed is dropped', () => {
    const closed = typing(typing(open, keys.enter).state, keys.escape).state
    const late = told(closed, {
      kind: 'inspected',
      request: requestId('ui-1'),
      inspection: { kind: 'arrow', ...arrowDetail }
    })
    expect(late.panels).toBe(closed.panels)
  })

  test('m switches to the matrix over 140 columns, where the arrows move in both directions', () => {
    expect(typing(open, 'm').state.panels.refusal).toBe('the matrix needs more than 140 columns')
    const two = [...arrows, ...arrows.map(({ source, target }) => arrowRow(`${source}→${target}`, { context: 'tax' }))]
    const matrix = typing(withView({ arrows: two }, { columns: 150, rows: 40 }), f.arrows, 'm').state
    expect(matrix.panels.isMatrix).toBe(true)
    expect(marked(typing(matrix, keys.right, keys.down).state, 'arrows')).toBe('analyst→architect/tax')
    expect(marked(typing(matrix, keys.right, keys.down, keys.left).state, 'arrows')).toBe('init→analyst/tax')
    expect(typing(matrix, 'm').state.panels.isMatrix).toBe(false)
    expect(fitted(matrix.panels, 141)).toBe(matrix.panels)
    expect(fitted(matrix.panels, 140).isMatrix).toBe(false)
  })
})

describe('the other panels', () => {
  test('x aborts an open pass after y, and says so when it is not open (OPUI-370, 730)', () => {
    const open = typing(grid, f.passes).state
    const asked = typing(open, 'x')
    expect(asked.commands).toEqual([])
    expect(typing(asked.state, 'n').state.overlays).toEqual([])
    expect(typing(asked.state, 'y').commands).toEqual([{ kind: 'abort-pass', pass: 'p-7' }])
    const closed = withView({ passes: [{ ...pass, state: 'closed', closeReason: 'ok', waiting: 0 }] })
    expect(typing(closed, f.passes, 'x').state.panels.refusal).toBe('✗ no open pass "p-7"')
    expect(typing(open, 'v').commands).toEqual([{ kind: 'present-verdicts', item: queued.item }])
    expect(typing(open, keys.enter).commands).toMatchObject([
      { kind: 'inspect', subject: { kind: 'pass', pass: 'p-7' } }
    ])
  })

  test('F4 asks at once for what waits, Enter presents one, s skips all (OPUI-403, 731)', () => {
    const open = typing(grid, f.queue)
    expect(open.commands).toEqual([{ kind: 'present-verdicts', item: null }])
    expect(typing(open.state, keys.enter).commands).toEqual([{ kind: 'present-verdicts', item: queued.item }])
    expect(typing(open.state, 's').commands).toEqual([{ kind: 'skip-verdicts' }])
    expect(typing(withView({ queue: [] }), f.queue).commands).toEqual([])
    expect(typing(withView({ queue: [] }), f.queue, 's').state.panels.refusal).toBe('nothing waits for a verdict')
  })

  test('findings: accept, resolve and reopen with their text; g groups by status (OPUI-732)', () => {
    const open = typing(grid, f.findings).state
    expect(typing(open, 'a', 'known', keys.enter, 'y').commands).toEqual([
      { kind: 'settle-finding', finding: finding.id, to: 'accepted-risk', reason: 'known' }
    ])
    const refused = typing(open, 'o').state
    expect(refused.panels.refusal).toBe('✗ illegal-transition: open -> open')
    const settled = withView({ findings: [{ ...finding, status: 'resolved' }] })
    expect(typing(settled, f.findings, 'o', 'it is back', keys.enter, 'y').commands).toEqual([
      { kind: 'settle-finding', finding: finding.id, to: 'open', reason: 'it is back' }
    ])
    const headings = (state: ScreenState) =>
      entriesOf('findings', sourcesOf(state)).flatMap((entry) => (entry.kind === 'heading' ? [entry.text] : []))
    expect(headings(open)).toEqual([finding.arrow])
    expect(headings(typing(open, 'g').state)).toEqual(['open'])
  })

  test.each([
    ['open', ['accepted-risk', 'resolved']],
    ['running', ['accepted-risk', 'resolved']],
    ['resolved', ['open']],
    ['accepted-risk', ['open']],
    ['unevaluated', ['open']]
  ] as const)('of a finding that is %s the operator may make %s (OPUI-734, RUN-511)', (status, allowed) => {
    const possible = (['accepted-risk', 'resolved', 'open'] as const).filter((to) => whyNot({ status }, to) === null)
    expect(possible).toEqual(allowed)
  })

  test('events of earlier sessions stand behind those of this one, each with its own time (OPUI-706)', () => {
    const left = { kind: 'pass-closed', timestamp: '2026-08-21T10:11:12.123456789Z', pass_id: 'p-1' }
    const now = { kind: 'gate-event-told' as const, event: { kind: 'pass-opened', pass_id: 'p-2' } }
    const open = typing(told(grid, { kind: 'gate-events-read', events: [left] }, now), f.events).state
    const rows = entriesOf('events', sourcesOf(open)).flatMap((entry) => (entry.kind === 'event' ? entry.row : []))
    expect(rows.map(({ event }) => event.pass_id)).toEqual(['p-2', 'p-1'])
    expect(new Date(rows[1]?.at ?? 0).toISOString()).toBe('2026-08-21T10:11:12.123Z')
  })

  test('events: the newest first, the last 500, each whole on Enter (OPUI-706, 733)', () => {
    const events = Array.from({ length: 510 }, (_, index) => ({
      kind: 'gate-event-told' as const,
      event: { kind: index % 2 === 0 ? 'pass-opened' : 'pass-closed', pass_id: `p-${index}` }
    }))
    const open = typing(told(grid, ...events), f.events).state
    const ids = entriesOf('events', sourcesOf(open)).map((entry) =>
      entry.kind === 'event' ? entry.row.event.pass_id : ''
    )
    expect(ids).toHaveLength(500)
    expect([ids[0], ids.at(-1)]).toEqual(['p-509', 'p-10'])
    const filtered = typing(open, '/', 'closed').state
    expect(entriesOf('events', sourcesOf(filtered))).toHaveLength(250)
    const whole = typing(open, keys.enter)
    expect(whole.commands).toEqual([])
    expect(whole.state.panels.panels.events.details).toHaveLength(1)
  })
})

test('Esc stops a dispatch that runs, from the prompt (OPUI-321)', () => {
  const progress = { arrow: 'a', pass: 'p-8', phase: 'verification', round: null, clause: null, since: 0 } as const
  const running = told(grid, { kind: 'dispatch-progressed', progress })
  expect(typing(running, keys.escape).commands).toEqual([{ kind: 'interrupt' }])
  expect(typing(told(running, { kind: 'dispatch-progressed', progress: null }), keys.escape).commands).toEqual([])
})

test('the header has the numbers of the newest view (OPUI-700)', () => {
  expect(grid.header).toMatchObject({ gridVersion: 1, residue: 12, unevaluated: 2 })
  expect(told(grid, { kind: 'gate-viewed', view: { ...view, grid: null } }).header.gridVersion).toBeNull()
})
