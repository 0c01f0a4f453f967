import { describe, expect, it } from 'vitest'
import {
  answerPrompt,
  openPrompt,
  type PromptEffect,
  type PromptInput,
  type PromptState
} from '../../../../src/gate/runner/verdicts/prompt.ts'
import type { QueueItem } from '../../../../src/gate/runner/verdicts/queue.ts'
import { askLine } from '../../../../src/gate/runner/verdicts/texts.ts'
import { fc, runs } from '../../../support/laws.ts'

function itemOf(type: QueueItem['type']): QueueItem {
  const ref = type === 'risk' ? 'F1' : 'att-a-C2-v1'
  return {
    key: `${type}:${ref}`,
    type,
    passId: 'p-7',
    arrowId: 'a',
    clauseId: 'C2',
    ref,
    hint: null,
    rationale: '',
    seq: 1
  }
}

const line = (text: string): PromptInput => ({ kind: 'line', text })
const key = (text: string): PromptInput => ({ kind: 'key', key: text })
const edit = (text: string): PromptInput => ({ kind: 'edit', text })
const enter: PromptInput = { kind: 'enter' }
const esc: PromptInput = { kind: 'escape' }

function play(state: PromptState, ...inputs: PromptInput[]) {
  const effects: PromptEffect[] = []
  let now = state
  for (const input of inputs) {
    const step = answerPrompt(now, input)
    now = step.state
    if (step.effect !== null) effects.push(step.effect)
  }
  return { state: now, effects }
}

const open = (type: QueueItem['type'], surface: 'overlay' | 'line', opId = 'alice') =>
  openPrompt({ item: itemOf(type), surface, opId })

describe('line mode (OPUI-420…432)', () => {
  it.each([
    [['pass'], { choice: 'pass', text: '' }],
    [['P'], { choice: 'pass', text: '' }],
    [['f', 'src/a.ts:1, src/b.ts:2-9'], { choice: 'fail', text: 'src/a.ts:1, src/b.ts:2-9' }],
    [['ib', 'too thin'], { choice: 'insufficient-basis', text: 'too thin' }],
    [['', 'yes', 'approve', 'pass'], { choice: 'pass', text: '' }],
    [['fail', ' , ', 'src/a.ts:1'], { choice: 'fail', text: 'src/a.ts:1' }]
  ])('a verdict: %j is recorded without a confirmation', (lines, answer) => {
    expect(play(open('verdict', 'line'), ...lines.map(line)).effects).toEqual([
      { kind: 'answer', opId: 'alice', ...answer }
    ])
  })

  it.each([
    [['1', 'we accept'], { choice: 'accept-risk', text: 'we accept' }],
    [['2', 'too shallow'], { choice: 'route-upstream', text: 'too shallow' }]
  ])('an escalation: %j', (lines, answer) => {
    expect(play(open('escalation', 'line'), ...lines.map(line)).effects).toEqual([
      { kind: 'answer', opId: 'alice', ...answer }
    ])
  })

  it('has no skip for an escalation and says what there is', () => {
    for (const word of ['skip', 's', '3', 'pass', '']) {
      const { state, effects } = play(open('escalation', 'line'), line(word))
      expect(effects).toEqual([])
      expect(state.error).toBe(word === '' ? null : 'choose 1 or 2')
    }
  })

  it('names the words it knows', () => {
    expect(play(open('verdict', 'line'), line('maybe')).state.error).toBe(
      'verdict "maybe" not in {pass, fail, insufficient-basis, skip}'
    )
    expect(play(open('risk', 'line'), line('maybe')).state.error).toBe('answer "maybe" not in {accept, reject, skip}')
  })

  it('skips and cancels without recording', () => {
    expect(play(open('verdict', 'line'), line('s')).effects).toEqual([{ kind: 'skip' }])
    expect(play(open('verdict', 'line'), line('f'), { kind: 'cancel' }).effects).toEqual([{ kind: 'cancel' }])
  })

  it('asks for the identity first where none is set, and keeps asking for a good one (OPUI-407)', () => {
    const { state, effects } = play(open('verdict', 'line', ''), line('a b'), line('bob'), line('p'))
    expect(effects).toEqual([
      { kind: 'op-id', opId: 'bob' },
      { kind: 'answer', choice: 'pass', text: '', opId: 'bob' }
    ])
    expect(state.error).toBeNull()
    expect(play(open('verdict', 'line', ''), line('a b')).state.error).toBe(
      'invalid op-id: op-id-invalid-characters: whitespace at offset 1'
    )
  })
})

describe('the overlay (OPUI-424, OPUI-740…742, TERM-52)', () => {
  it.each([
    ['verdict', 'p', null, 'record PASS for C2 as alice? [y/n]'],
    ['verdict', 'f', 'src/a.ts', 'record FAIL for C2 as alice? [y/n]'],
    ['verdict', 'i', 'too thin', 'record INSUFFICIENT-BASIS for C2 as alice? [y/n]'],
    ['escalation', '1', 'note', 'accept the risk of C2 as alice? [y/n]'],
    ['escalation', '2', 'why', 'abort pass p-7 and route upstream? [y/n]'],
    ['risk', 'a', 'why', 'accept the risk of F1 as alice? [y/n]'],
    ['risk', 'r', null, 'leave F1 open as alice? [y/n]']
  ] as const)('%s %s asks to confirm what it will do, and only y does it', (type, choice, text, question) => {
    const steps = text === null ? [key(choice)] : [key(choice), edit(text), enter]
    const asked = play(open(type, 'overlay'), ...steps)
    expect(asked.effects).toEqual([])
    expect(askLine(asked.state)).toBe(question)
    expect(play(asked.state, enter, key(' '), key('p'), key('Y')).effects).toEqual([])
    expect(play(asked.state, key('y')).effects).toMatchObject([{ kind: 'answer', text: text ?? '' }])
    const back = play(asked.state, key('n'))
    expect(back).toMatchObject({ effects: [], state: { step: 'choice' } })
    if (text !== null) expect(play(back.state, key(choice), enter, key('y')).effects).toMatchObject([{ text }])
  })

  it('keeps to its own keys: no 1 or 2 for a verdict, no letters for an escalation', () => {
    for (const other of ['1', '2', 'y', 'n', 'a', 'pp', 'pass', ''])
      expect(play(open('verdict', 'overlay'), key(other)).state).toMatchObject({ step: 'choice', choice: null })
    for (const other of ['p', 'f', 'i', 's', 'y', '3'])
      expect(play(open('escalation', 'overlay'), key(other)).effects).toEqual([])
  })

  it('Esc skips a verdict, says why an escalation has no skip, and leaves a field with its text kept', () => {
    expect(play(open('verdict', 'overlay'), esc).effects).toEqual([{ kind: 'skip' }])
    const stuck = play(open('escalation', 'overlay'), esc)
    expect(stuck.effects).toEqual([])
    expect(stuck.state.error).toBe('this one has no skip: choose 1 or 2, or Ctrl+C to leave it open')
    const left = play(open('verdict', 'overlay'), key('i'), edit('half a tho'), esc)
    expect(left).toMatchObject({
      effects: [],
      state: { step: 'choice', drafts: { 'insufficient-basis': 'half a tho' } }
    })
    const again = openPrompt({ item: itemOf('verdict'), surface: 'overlay', opId: 'alice', drafts: left.state.drafts })
    expect(play(again, key('i'), enter, key('y')).effects).toMatchObject([{ text: 'half a tho' }])
  })

  it('keeps the answer in the form when recording failed', () => {
    const asked = play(open('verdict', 'overlay'), key('i'), edit('too thin'), enter, key('y'))
    const failed = play(asked.state, { kind: 'failed', text: 'attestation-audit-write-failed: disk full' })
    expect(failed.state).toMatchObject({ step: 'text', error: 'attestation-audit-write-failed: disk full' })
    expect(play(failed.state, enter, key('y')).effects).toMatchObject([{ text: 'too thin' }])
  })

  it('refuses an empty field and one over the cap in place', () => {
    const field = play(open('verdict', 'overlay'), key('i'), enter)
    expect(field.state).toMatchObject({ step: 'text', error: 'verdict-unit-missing-field: residue' })
    const small = openPrompt({ item: itemOf('verdict'), surface: 'overlay', opId: 'a', residueMaxBytes: 4 })
    expect(play(small, key('i'), edit('ééé'), enter).state.error).toBe('verdict-residue-too-long: 6 > 4')
  })
})

describe('whatever is typed', () => {
  const anyInput: fc.Arbitrary<PromptInput> = fc.oneof(
    fc.constantFrom('p', 'f', 'i', 's', '1', '2', 'a', 'r', 'y', 'n', ' ', '\n', 'yy').map(key),
    fc.string({ maxLength: 5 }).map(edit),
    fc.string({ maxLength: 5 }).map(key),
    fc.string({ maxLength: 12 }).map(line),
    fc.constantFrom<PromptInput>(enter, esc, { kind: 'failed', text: 'x' })
  )

  it.each(['verdict', 'escalation', 'risk'] as const)(
    'the %s overlay answers only to a choice, then y, in this order',
    (type) => {
      fc.assert(
        fc.property(fc.array(anyInput, { minLength: 1, maxLength: 30 }), (inputs) => {
          let state = open(type, 'overlay')
          for (const input of inputs) {
            const step = answerPrompt(state, input)
            if (step.effect?.kind === 'answer') {
              expect(state.step).toBe('confirm')
              expect(input).toEqual(key('y'))
            }
            expect(step.effect?.kind === 'skip' && type === 'escalation').toBe(false)
            state = step.state
          }
        }),
        { numRuns: runs(300) }
      )
    }
  )

  it('Enter, Space, Esc, pastes and the end of input alone never record anything (TERM-52)', () => {
    const harmless = fc.oneof(
      fc.constantFrom<PromptInput>(enter, key(' '), { kind: 'cancel' }, edit('pasted p y 1')),
      fc.string({ minLength: 2, maxLength: 40 }).map(key)
    )
    fc.assert(
      fc.property(
        fc.array(harmless, { maxLength: 20 }),
        fc.constantFrom('verdict', 'escalation', 'risk'),
        (inputs, type) => {
          const { effects } = play(open(type, 'overlay'), ...inputs)
          expect(effects.filter(({ kind }) => kind === 'answer')).toEqual([])
        }
      )
    )
  })
})
