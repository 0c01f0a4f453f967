import { describe, expect, test } from 'vitest'
import type { Command } from '../../../src/protocol/command.ts'
import type { GatePrompt } from '../../../src/protocol/gate-prompt.ts'
import { requestId } from '../../../src/protocol/ids.ts'
import { layoutOverlay } from '../../../ui/overlays/body.ts'
import { overlaySources } from '../../../ui/overlays/front.ts'
import { lineText } from '../../../ui/parts/lines.ts'
import type { ScreenState } from '../../../ui/store/state.ts'
import { escalation, finding, verdict, view } from '../../support/gate-view.ts'
import { ctrl, keys, paste } from '../../support/keys.ts'
import { armedBy, gateScreen, told, typing } from '../../support/screen-state.ts'

const place = { at: 1, of: 2 }

function asked(prompt: GatePrompt, from: ScreenState = gateScreen()): ScreenState {
  return armedBy(told(from, { kind: 'prompt-opened', prompt, place }))
}

/** What the gate was asked to do. */
function answers(commands: readonly Command[]): Command[] {
  return commands.filter(({ kind }) => kind !== 'save-draft')
}

function footOf(state: ScreenState): string[] {
  const front = state.overlays.at(-1)
  return front === undefined ? [] : layoutOverlay(front, overlaySources(state)).foot.map(lineText)
}

function bodyOf(state: ScreenState): string {
  const front = state.overlays.at(-1)
  return front === undefined ? '' : layoutOverlay(front, overlaySources(state)).body.map(lineText).join('\n')
}

const { item } = verdict

describe('a verdict (OPUI-420…425, 740)', () => {
  test('pass takes its key and then y; the overlay stays until the record is told', () => {
    const chosen = typing(asked(verdict), 'p')
    expect(answers(chosen.commands)).toEqual([])
    expect(footOf(chosen.state)).toEqual(['record PASS for C2 as alice@example.com? [y/n]'])
    const sent = typing(chosen.state, 'y')
    expect(answers(sent.commands)).toEqual([{ kind: 'attest', item, verdict: 'pass', text: '' }])
    expect(sent.state.overlays).toHaveLength(1)
    const recorded = told(sent.state, { kind: 'prompt-closed', item, how: 'recorded', notice: '' })
    expect(recorded.overlays).toEqual([])
  })

  test.each([
    ['f', 'inspected locations (comma-separated):', 'src/a.ts:1, src/b.ts:2-3', 'fail', 'FAIL'],
    ['i', 'residue note:', 'nobody looked at tax', 'insufficient-basis', 'INSUFFICIENT-BASIS']
  ] as const)('%s asks "%s" and confirms with what was typed in sight', (key, question, text, word, name) => {
    const field = typing(asked(verdict), key)
    expect(footOf(field.state)[0]).toContain(question)
    const typed = typing(field.state, text, keys.enter)
    expect(footOf(typed.state)).toEqual([`record ${name} for C2 as alice@example.com? [y/n]`])
    expect(bodyOf(typed.state)).toContain(text)
    expect(answers(typed.commands)).toEqual([])
    expect(answers(typing(typed.state, 'y').commands)).toEqual([{ kind: 'attest', item, verdict: word, text }])
  })

  test('n returns to the field with the text kept (OPUI-424)', () => {
    const back = typing(asked(verdict), 'f', 'src/a.ts', keys.enter, 'n')
    expect(footOf(back.state).join('\n')).toContain('src/a.ts')
    expect(answers(typing(back.state, keys.enter, 'y').commands)).toHaveLength(1)
  })

  test.each([
    ['f', ' , ,', '✗ verdict-inspected-empty: inspected'],
    ['i', '   ', '✗ verdict-unit-missing-field: residue'],
    ['i', 'x'.repeat(16_385), '✗ verdict-residue-too-long: 16385 > 16384']
  ])('%s with an invalid text stays in the field and says why (OPUI-406, ATT-331)', (key, text, error) => {
    const refused = typing(asked(verdict), key, paste(text), keys.enter)
    expect(footOf(refused.state)[0]).toContain(error)
    expect(answers(typing(refused.state, 'y').commands)).toEqual([])
  })

  test('a counter tells the bytes left and warns at ninety per cent (OPUI-742)', () => {
    const half = typing(asked(verdict), 'i', paste('é'.repeat(4_096)))
    expect(footOf(half.state)[0]).toContain('8192 bytes left')
    const most = typing(asked(verdict), 'i', paste('x'.repeat(14_746)))
    const front = most.state.overlays.at(-1)!
    const [head] = layoutOverlay(front, overlaySources(most.state)).foot
    expect(head?.spans.find(({ text }) => text.includes('bytes left'))?.style.tone).toBe('warn')
  })

  test('Alt+Enter is a new line of the text (OPUI-742)', () => {
    const { commands } = typing(asked(verdict), 'i', 'one', keys.altEnter, 'two', keys.enter, 'y')
    expect(answers(commands)).toEqual([{ kind: 'attest', item, verdict: 'insufficient-basis', text: 'one\ntwo' }])
  })

  test('s and Esc skip; what was typed is there when the item returns (OPUI-405, 742)', () => {
    for (const way of [['s'], [keys.escape]]) {
      const skipped = typing(asked(verdict), ...way)
      expect(skipped.commands).toEqual([{ kind: 'skip-prompt', item }])
      expect(skipped.state.overlays).toEqual([])
    }
    const left = typing(asked(verdict), 'i', 'half a note', keys.escape, keys.escape)
    expect(left.commands).toEqual([{ kind: 'skip-prompt', item }])
    const again = typing(asked(verdict, left.state), 'i')
    expect(footOf(again.state).join('\n')).toContain('half a note')
  })

  test('Ctrl+C ends the drain and keeps item and text (OPUI-405)', () => {
    const left = typing(asked(verdict), 'i', 'half a note', ctrl('c'))
    expect(left.commands).toEqual([{ kind: 'cancel-prompt', item }])
    expect(left.state.overlays).toEqual([])
    expect(footOf(typing(asked(verdict, left.state), 'i').state).join('\n')).toContain('half a note')
  })

  test('a recording that failed shows why and keeps the answer in the form (OPUI-405)', () => {
    const sent = typing(asked(verdict), 'f', 'src/a.ts', keys.enter, 'y')
    const refused = told(sent.state, { kind: 'prompt-refused', item, text: 'Record: attestation-duplicate' })
    expect(footOf(refused)[0]).toBe('✗ Record: attestation-duplicate')
    expect(footOf(refused).join('\n')).toContain('src/a.ts')
  })

  test('a request withdrawn meanwhile closes with its reason (OPUI-405)', () => {
    const notice = 'ℹ request withdrawn: pass p-7 aborted (operator-interrupt)'
    const closed = told(typing(asked(verdict), 'p').state, { kind: 'prompt-closed', item, how: 'withdrawn', notice })
    expect(closed.overlays).toEqual([])
    expect(closed.notice).toBe(notice)
  })

  test('the answer goes out once, however often y is pressed', () => {
    expect(answers(typing(asked(verdict), 'p', 'y', 'y', 'y').commands)).toHaveLength(1)
  })

  test('e shows evidence and the named places over it, read-only; Esc goes back (OPUI-740)', () => {
    const opened = typing(asked(verdict), 'e')
    expect(opened.commands).toEqual([{ kind: 'read-places', request: 'ui-1', places: verdict.locations }])
    const read = told(opened.state, {
      kind: 'places-read',
      request: requestId('ui-1'),
      places: [{ place: 'src/cart.ts:10-42', text: 'export const total = 1' }]
    })
    expect(bodyOf(read)).toContain('checked file 12')
    expect(bodyOf(read)).toContain('export const total = 1')
    const back = typing(read, 'p', 'y', keys.escape)
    expect(back.commands).toEqual([])
    expect(footOf(back.state).join('\n')).toContain('p pass')
  })

  test('up and down scroll the body beside a field of one row (OPUI-740)', () => {
    const field = typing(asked(verdict, gateScreen({ columns: 80, rows: 14 })), 'i', keys.down, keys.down)
    expect(field.state.overlays.at(-1)?.scroll).toBe(2)
  })

  test('the draft of the prompt is never touched', () => {
    const draft = typing(gateScreen(), 'my draft').state
    const { state } = typing(asked(verdict, draft), 'i', 'a note', keys.escape, 's')
    expect(state.prompt.editor.text).toBe('my draft')
  })
})

describe('no op-id (OPUI-407)', () => {
  const anonymous = gateScreen({ opId: null })

  test('it is asked for first; no verdict key means anything before', () => {
    const waiting = typing(asked(verdict, anonymous), 'p')
    expect(footOf(waiting.state)).toEqual([
      'first: who answers for what is decided here, such as you@example.com',
      'op-id:',
      '▸ p',
      'Enter go on   Esc back'
    ])
    const entered = typing(asked(verdict, anonymous), 'alice', keys.enter)
    expect(entered.commands).toEqual([{ kind: 'set-op-id', opId: 'alice' }])
    const named = told(
      entered.state,
      { kind: 'header-changed', header: { opId: 'alice' } },
      { kind: 'op-id-answered', error: null }
    )
    expect(footOf(typing(named, 'p').state)).toEqual(['record PASS for C2 as alice? [y/n]'])
  })

  test('an invalid one is refused in place', () => {
    const entered = typing(asked(verdict, anonymous), 'a b', keys.enter)
    const refused = told(entered.state, { kind: 'op-id-answered', error: 'op-id-required' })
    expect(footOf(refused).slice(0, 3)).toEqual(['✗ invalid op-id: op-id-required', 'op-id:', '▸ a b'])
  })

  test('a changed op-id is the one named in the confirmation (OPUI-409)', () => {
    const chosen = typing(asked(verdict), 'p').state
    expect(footOf(told(chosen, { kind: 'header-changed', header: { opId: 'bob' } }))).toEqual([
      'record PASS for C2 as bob? [y/n]'
    ])
  })
})

describe('an escalation (OPUI-430…434)', () => {
  test.each([
    ['1', 'residue note:', 'accept the risk of C2 as alice@example.com? [y/n]', 'accept-risk'],
    ['2', 'rationale:', 'abort pass p-7 and route upstream? [y/n]', 'route-upstream']
  ] as const)('%s asks for a text and names the consequence', (key, question, consequence, choice) => {
    const field = typing(asked(escalation), key)
    expect(footOf(field.state)[0]).toContain(question)
    expect(footOf(typing(field.state, keys.enter).state)[0]).toBe('✗ verdict-unit-missing-field: residue')
    const typed = typing(field.state, 'because', keys.enter)
    expect(footOf(typed.state)).toEqual([consequence])
    expect(answers(typing(typed.state, 'y').commands)).toEqual([
      { kind: 'answer-escalation', item: escalation.item, choice, text: 'because' }
    ])
  })

  test('there is no skip and it says why; Ctrl+C leaves it open (TERM-54, OPUI-434)', () => {
    const refused = typing(asked(escalation), keys.escape)
    expect(refused.commands).toEqual([])
    expect(footOf(refused.state).join(' ')).toContain('this one has no skip: choose 1 or 2, or Ctrl+C to leave it open')
    expect(typing(refused.state, ctrl('c')).commands).toEqual([{ kind: 'cancel-prompt', item: escalation.item }])
  })

  test('verdict keys mean nothing (OPUI-740)', () => {
    expect(typing(asked(escalation), 'p', 'y', 'f', 'i', 's').commands).toEqual([])
  })

  test('the number of rounds is the actual one and earlier notes are listed (OPUI-431)', () => {
    const front = asked(escalation).overlays.at(-1)!
    const layout = layoutOverlay(front, overlaySources(gateScreen()))
    expect(layout.title).toContain('escalation: 3 insufficient-basis rounds')
    expect(bodyOf(asked(escalation))).toContain('2: still none')
  })
})

describe('other decisions', () => {
  const risk: GatePrompt = {
    kind: 'risk-acceptance',
    item: 'risk-1',
    arrow: 'analyst→architect/default',
    finding: finding.id,
    severity: 'high',
    type: 'open-sweep',
    claim: 'negative amounts',
    producer: 'out of scope for now',
    noteMaxBytes: 16_384
  }

  test('risk: accept takes a rationale and a confirmation, reject and skip none (OPUI-540)', () => {
    const accepted = typing(asked(risk), 'a', 'we live with it', keys.enter)
    expect(answers(accepted.commands)).toEqual([])
    expect(footOf(accepted.state).join(' ')).toBe(`accept the risk of ${finding.id} as alice@example.com? [y/n]`)
    expect(answers(typing(accepted.state, 'y').commands)).toEqual([
      { kind: 'answer-risk', item: 'risk-1', accepted: true, rationale: 'we live with it' }
    ])
    expect(typing(asked(risk), 'r').commands).toEqual([
      { kind: 'answer-risk', item: 'risk-1', accepted: false, rationale: '' }
    ])
    expect(typing(asked(risk), 's').commands).toEqual([{ kind: 'skip-prompt', item: 'risk-1' }])
  })

  const amendment: GatePrompt = {
    kind: 'amendment',
    item: 'amend-1',
    amendment: 'amend-f1',
    diff: '@@ arrows @@\n+  - id: analyst→architect/tax\n-  - id: gone',
    rationale: 'tax is a context of its own',
    invalidates: ['analyst→architect/default'],
    aborts: [],
    gridVersionAfter: 2
  }

  test('an amendment shows diff and what it takes away; the confirmation names the version (OPUI-560)', () => {
    expect(bodyOf(asked(amendment))).toMatch(/invalidates:\s+analyst→architect\/default/)
    expect(bodyOf(asked(amendment))).toContain('+  - id: analyst→architect/tax')
    const accepted = typing(asked(amendment), 'a')
    expect(footOf(accepted.state)).toEqual(['commit the proposal as grid v2? [y/n]'])
    expect(answers(typing(accepted.state, 'y').commands)).toEqual([
      { kind: 'settle-amendment', item: 'amend-1', how: 'accept' }
    ])
    expect(answers(typing(asked(amendment), 'm', 'y').commands)).toEqual([
      { kind: 'settle-amendment', item: 'amend-1', how: 'commit-empty' }
    ])
    expect(typing(asked(amendment), 's').commands).toEqual([{ kind: 'settle-amendment', item: 'amend-1', how: 'stop' }])
  })

  test('a missing binding is declared with a command or skipped (INIT-130)', () => {
    const binding: GatePrompt = { kind: 'binding', item: 'b-1', key: 'lint-clean.go', arrow: 'a', note: '' }
    expect(answers(typing(asked(binding), 'b', 'golangci-lint run', keys.enter, 'y').commands)).toEqual([
      { kind: 'bind', item: 'b-1', command: 'golangci-lint run' }
    ])
    expect(typing(asked(binding), keys.escape).commands).toEqual([{ kind: 'skip-prompt', item: 'b-1' }])
  })

  const declaration = {
    kind: 'declaration',
    item: 'spot-1',
    arrow: 'analyst→implementer/default',
    source: 'analyst',
    target: 'implementer',
    context: 'default',
    gridVersionAfter: 2,
    roles: ['operator', 'architect', 'integrator'],
    clauses: [
      {
        id: 'C1',
        description: 'base',
        eval: 'machine',
        depth: 'depth-robust',
        concept: 'compiles',
        isSkippable: false
      },
      {
        id: 'C2',
        description: 'terms are unique',
        eval: 'attested',
        depth: 'depth-robust',
        concept: null,
        isSkippable: true
      }
    ],
    requirements: ['R1 tax per item (min-depth 2)'],
    noteMaxBytes: 16_384
  } satisfies GatePrompt

  /** Moves the cursor down from the top until the marked line says `text`. */
  const onLine = (state: ScreenState, text: string): ScreenState => {
    let at = typing(state, keys.home).state
    for (let presses = 0; presses < 20 && !markedLine(at).includes(text); presses += 1) at = typing(at, keys.down).state
    return at
  }

  const markedLine = (state: ScreenState) =>
    bodyOf(state)
      .split('\n')
      .find((line) => line.startsWith('▸ ')) ?? ''

  test('a role is marked from the start, by a glyph that is there without colours, and Enter takes it (OPUI-550, OPUI-712)', () => {
    const first = asked(declaration)
    expect(markedLine(first)).toContain('operator')
    expect(bodyOf(typing(first, keys.enter).state)).toMatch(/attested by:\s+operator/)
    const last = typing(first, keys.end).state
    expect(markedLine(last)).toContain(declaration.roles.at(-1))
    expect(markedLine(typing(last, keys.up).state)).not.toBe('')
  })

  test('what stands below the clauses can be scrolled to, and the way back leads to them again (TERM-53)', () => {
    const review = typing(asked(declaration), keys.enter).state
    const bottom = typing(review, keys.end).state
    expect(markedLine(bottom)).toBe('')
    expect(markedLine(typing(bottom, keys.up, keys.up).state)).toContain('C2')
    expect(markedLine(typing(bottom, keys.home).state)).toContain('C1')
  })

  test('a declaration asks the role, lets clauses of the contract be skipped with residue, and confirms (OPUI-550)', () => {
    const role = typing(onLine(asked(declaration), 'architect'), keys.enter)
    expect(bodyOf(role.state)).toMatch(/attested by:\s+architect/)
    const base = typing(onLine(role.state, 'C1'), 'e')
    expect(footOf(base.state)[0]).toBe('✗ base-clause-not-skippable')
    const residue = typing(onLine(role.state, 'C2'), 'e')
    expect(footOf(typing(residue.state, keys.enter).state)[0]).toBe('✗ residue-required-for-skip')
    const skipped = typing(residue.state, 'later', keys.enter)
    expect(bodyOf(skipped.state)).toContain('[ ] C2')
    const confirm = typing(skipped.state, 'a')
    expect(footOf(confirm.state)).toEqual(['declare analyst→implementer/default in grid v2? [y/n]'])
    expect(answers(typing(confirm.state, 'y').commands)).toEqual([
      { kind: 'declare-arrow', item: 'spot-1', role: 'architect', skipped: [{ clause: 'C2', residue: 'later' }] }
    ])
  })

  test('refusing a declaration, and leaving it, write nothing (GATE-99)', () => {
    const review = typing(onLine(asked(declaration), 'operator'), keys.enter).state
    expect(typing(review, 'r').commands).toEqual([{ kind: 'refuse-arrow', item: 'spot-1' }])
    expect(typing(asked(declaration), keys.escape).commands).toEqual([{ kind: 'cancel-prompt', item: 'spot-1' }])
  })
})

describe('queueing (OPUI-743)', () => {
  test('a second prompt stands behind the first and comes up unarmed when that is answered', () => {
    const first = asked(verdict)
    const both = told(first, { kind: 'prompt-opened', prompt: { ...verdict, item: 'second' }, place: { at: 2, of: 2 } })
    expect(both.overlays.at(-1)?.id).toBe(first.overlays.at(-1)?.id)
    const sent = typing(both, 'p', 'y').state
    const next = told(sent, { kind: 'prompt-closed', item, how: 'recorded', notice: '' })
    expect(next.overlays).toHaveLength(1)
    // Answered at the same pace, the second one takes none of it.
    const hasty = typing(next, 'p', 'y')
    expect(answers(hasty.commands)).toEqual([])
    expect(hasty.state.prompt.editor.text).toBe('py')
  })
})

describe('a small window (OPUI-745)', () => {
  test('below 60 columns choices stand one per line, places and evidence take a line each', () => {
    const small = asked(verdict, gateScreen({ columns: 50, rows: 15 }))
    expect(footOf(small).slice(0, 4)).toEqual(['p pass', 'f fail', 'i insufficient-basis', 's skip'])
    const body = bodyOf(small).split('\n')
    expect(body.filter((line) => line.startsWith('locations'))).toEqual([
      'locations: src/cart.ts:10-42, src/tax.ts:1-30'
    ])
    expect(body.at(-1)).toBe('evidence: eslint: 0 problems (e: 12 more lines)')
  })

  test('below 40×10 the answer is typed as a line, and still confirmed', () => {
    const cramped = asked(verdict, gateScreen({ columns: 30, rows: 9 }))
    expect(footOf(cramped).join(' ')).toContain('verdict? [pass / fail /')
    expect(answers(typing(cramped, 'p', 'y').commands)).toEqual([])
    const unknown = typing(cramped, 'maybe', keys.enter)
    expect(footOf(unknown.state).join(' ')).toContain('✗ verdict "maybe" not in {pass, fail,')
    expect(answers(typing(cramped, keys.enter, keys.enter).commands)).toEqual([])
    expect(answers(typing(cramped, 'PASS', keys.enter, 'y').commands)).toEqual([
      { kind: 'attest', item, verdict: 'pass', text: '' }
    ])
    expect(typing(cramped, 's', keys.enter).commands).toEqual([{ kind: 'skip-prompt', item }])
  })

  test('a window too small to show it takes no answer', () => {
    const { commands, state } = typing(asked(verdict, gateScreen({ columns: 15, rows: 4 })), 'p', 'y', keys.enter)
    expect(answers(commands).filter(({ kind }) => kind === 'attest')).toEqual([])
    expect(state.overlays).toHaveLength(1)
  })
})

test('a finding settled from its panel closes at once and names itself (OPUI-732)', () => {
  const panel = typing(told(gateScreen(), { kind: 'gate-viewed', view }), '\x1b[15~', 'd')
  const typed = typing(panel.state, 'fixed in p-8', keys.enter)
  expect(footOf(typed.state)).toEqual([`mark ${finding.id} resolved as alice@example.com? [y/n]`])
  const done = typing(typed.state, 'y')
  expect(answers(done.commands)).toEqual([
    { kind: 'settle-finding', finding: finding.id, to: 'resolved', reason: 'fixed in p-8' }
  ])
  expect(done.state.overlays).toEqual([])
})
