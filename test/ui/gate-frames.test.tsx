import { afterEach, describe, expect, test } from 'vitest'
import { requestId } from '../../src/protocol/ids.ts'
import { arrowDetail, escalation, finding, pass, queued, start, verdict, view } from '../support/gate-view.ts'
import { ctrl, keys } from '../support/keys.ts'
import { boot, openScreen, type ScreenHarness } from '../support/screen-harness.ts'

// What an operator sees of the gate, as whole frames kept in test/terminal/frames: wide, ordinary, narrow and cramped.

let harness: ScreenHarness | null = null
afterEach(async () => {
  await harness?.close()
  harness = null
})

const header = { ...boot.header, opId: 'alice@example.com' }
const f = { passes: '\x1bOR', queue: '\x1bOS', findings: '\x1b[15~', events: '\x1b[17~' }

// An age that reads the same for as long as the test takes.
const TWO_DAYS_MS = 2 * 86_400_000

async function open(columns: number, rows: number): Promise<ScreenHarness> {
  const screen = openScreen({ columns, rows, boot: { header } })
  harness = screen
  screen.emit(
    { kind: 'phase-changed', from: 'init', to: 'ready', reason: '' },
    { kind: 'turn-started', turn: 3 },
    { kind: 'notice', level: 'detail', text: 'pass-opened   pass=p-7 role=analyst context=default' },
    { kind: 'gate-viewed', view: { ...view, queue: [{ ...queued, since: Date.now() - TWO_DAYS_MS }] } },
    {
      kind: 'gate-event-told',
      event: { kind: 'pass-opened', pass_id: 'p-7', arrow_id: pass.arrow, payload: { context: 'default' } }
    }
  )
  await screen.until(() => screen.text().includes('turn 3') || screen.text().includes('pass-opened'), 'the session')
  return screen
}

async function frame(screen: ScreenHarness, name: string, holds: (text: string) => boolean): Promise<void> {
  await screen.until(() => holds(screen.text()), name)
  expect(screen.terminal.buffer.active.baseY).toBe(0)
  const text = `${screen.lines().join('\n')}\n`.replace(/\d\d:\d\d:\d\d/, 'hh:mm:ss')
  await expect(text).toMatchFileSnapshot(`../terminal/frames/${name}.txt`)
}

const sizes = [
  [120, 40],
  [80, 24],
  [50, 15],
  [20, 10]
] as const

describe.each(sizes)('at %d×%d', (columns, rows) => {
  const size = `${columns}x${rows}`

  test('the arrow panel and the detail of an arrow (OPUI-720, 721)', async () => {
    const screen = await open(columns, rows)
    screen.type(ctrl('g'))
    await frame(screen, `arrows-${size}`, (text) => text.includes('▸ ●'))
    screen.type(keys.down)
    await screen.until(() => screen.text().includes('▸ ◐'))
    screen.type(keys.enter)
    await screen.until(() => screen.commands.some(({ kind }) => kind === 'inspect'))
    screen.emit({ kind: 'inspected', request: requestId('ui-2'), inspection: { kind: 'arrow', ...arrowDetail } })
    await frame(screen, `arrow-${size}`, (text) => text.includes('why:'))
  })

  test('passes, queue, findings and events (OPUI-730…733)', async () => {
    const screen = await open(columns, rows)
    screen.type(f.passes)
    await frame(screen, `passes-${size}`, (text) => text.includes('▸ p-7'))
    screen.type(f.queue)
    await frame(screen, `queue-${size}`, (text) => text.includes('▸ •'))
    screen.type(f.findings)
    await frame(screen, `findings-${size}`, (text) => text.includes('▸ high'))
    screen.type(f.events)
    await frame(screen, `events-${size}`, (text) => /▸ \d\d:\d\d:\d\d/.test(text))
  })

  test('a verdict, unarmed and armed, its text and its confirmation (OPUI-740…745)', async () => {
    const screen = await open(columns, rows)
    screen.emit({ kind: 'prompt-opened', prompt: verdict, place: { at: 1, of: 2 } })
    await frame(screen, `verdict-unarmed-${size}`, (text) => text.includes('takes keys when'))
    const isTyped = columns < 40
    await frame(screen, `verdict-${size}`, (text) => text.includes(isTyped ? 'verdict?' : 'i insufficient-basis'))
    screen.type('i')
    if (isTyped) {
      await screen.until(() => screen.text().includes('▸ i'))
      screen.type(keys.enter)
    }
    await screen.until(() => screen.text().includes('residue note:'))
    screen.type('nobody looked')
    await frame(screen, `verdict-text-${size}`, (text) => text.includes('nobody looked'))
    screen.type(keys.enter)
    await frame(screen, `verdict-confirm-${size}`, (text) => text.includes('[y/n]'))
    expect(screen.commands.filter(({ kind }) => kind === 'attest')).toEqual([])
    screen.type('y')
    await screen.until(() => screen.commands.some(({ kind }) => kind === 'attest'))
    screen.emit({ kind: 'prompt-closed', item: verdict.item, how: 'recorded', notice: '' })
    await screen.until(() => !screen.text().includes('attestation request'))
  })

  test('an escalation (OPUI-430)', async () => {
    const screen = await open(columns, rows)
    screen.emit({ kind: 'prompt-opened', prompt: escalation, place: { at: 1, of: 1 } })
    await frame(screen, `escalation-${size}`, (text) => /choice \(1 or 2\)|1 accept risk/.test(text))
  })
})

test('the caret stands in the field of the overlay (TERM-44)', async () => {
  const screen = await open(80, 24)
  screen.emit({ kind: 'prompt-opened', prompt: verdict, place: { at: 1, of: 1 } })
  await screen.until(() => screen.text().includes('i insufficient-basis'))
  screen.type('i')
  await screen.until(() => screen.text().includes('residue note:'))
  screen.type('ab')
  await screen.until(() => screen.text().includes('▸ ab'))
  const row = screen.lines().findIndex((line) => line.includes('▸ ab'))
  await screen.until(() => screen.cursor().row === row)
  expect(screen.cursor().column).toBe((screen.lines()[row] ?? '').indexOf('▸ ab') + 4)
})

test('an answered verdict, a settled arrow and a dispatch show in the status line (OPUI-321, 701, 746)', async () => {
  const screen = await open(120, 40)
  const status = () => screen.lines().at(-1) ?? ''
  screen.emit({
    kind: 'dispatch-progressed',
    progress: {
      arrow: 'analyst→architect/default',
      pass: 'p-8',
      phase: 'adversarial',
      round: { at: 2, of: 5 },
      clause: null,
      since: Date.now()
    }
  })
  await screen.until(() => status().includes('arrow ▶ p-8 adversarial 2/5'))
  expect(status()).toContain('verdicts 1 (F4) · passes 1')
  expect(status()).toContain('Esc stop')
  screen.emit(
    { kind: 'dispatch-progressed', progress: null },
    { kind: 'arrow-settled', text: 'analyst→architect/default valid', status: 'complete' }
  )
  await screen.until(() => status().includes('✓ analyst→architect/default valid') && !status().includes('▶'))
  screen.emit({ kind: 'arrow-settled', text: 'analyst→architect/default blocked', status: 'blocked' })
  await screen.until(() => status().includes('default blocked'))
  expect(status(), 'nothing but a valid arrow is ticked off').not.toContain('✓')
})

test('a verdict that is asked while the window has no focus rings the bell (TERM-63)', async () => {
  const screen = await open(80, 24)
  const bells = () => screen.written().split('\x07').length
  const before = bells()
  screen.emit({ kind: 'prompt-opened', prompt: verdict, place: { at: 1, of: 1 } })
  await screen.until(() => screen.text().includes('takes keys when'))
  expect(bells()).toBe(before)
  screen.type('\x1b[O')
  screen.emit({ kind: 'prompt-opened', prompt: { ...verdict, item: 'other' }, place: { at: 2, of: 2 } })
  await screen.until(() => bells() === before + 1)
})

test('an open detail is asked for again when the gate has changed (EVT-401)', async () => {
  const screen = await open(80, 24)
  screen.type(f.findings)
  await screen.until(() => screen.text().includes('▸ high'))
  screen.type(keys.enter)
  await screen.until(() => screen.commands.some(({ kind }) => kind === 'inspect'))
  const asked = () => screen.commands.filter(({ kind }) => kind === 'inspect')
  screen.emit({ kind: 'gate-viewed', view })
  await screen.until(() => asked().length === 2)
  expect(asked()[1]).toEqual(asked()[0])
  const inspection = {
    kind: 'finding',
    row: finding,
    basis: 'the total is computed before the check',
    evidence: 'total(-5) = -5',
    locations: ['src/cart.ts:10'],
    clause: 'C2',
    requirement: null,
    gridVersion: 1,
    raisedAt: start,
    raisedBy: 'adversary',
    transitions: []
  } as const
  screen.emit({ kind: 'inspected', request: requestId('ui-2'), inspection })
  await screen.until(() => screen.text().includes('total(-5)'))
})
