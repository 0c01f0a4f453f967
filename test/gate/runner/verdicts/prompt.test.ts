import { describe, expect, it } from 'vitest'
import {
  answerPrompt,
  openPrompt,
  type PromptEffect,
  type PromptInput,
  type PromptState
} from '../../../../src/gate/runner/verdicts/prompt.ts'
import type { QueueItem } from '../../../../src/gate/runner/verdicts/queue.ts'
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

const open = (type: QueueItem['type'], opId = 'alice') => openPrompt({ item: itemOf(type), opId })

describe('line mode (OPUI-420…432)', () => {
  it.each([
    [['pass'], { choice: 'pass', text: '' }],
    [['P'], { choice: 'pass', text: '' }],
    [['f', 'src/a.ts:1, src/b.ts:2-9'], { choice: 'fail', text: 'src/a.ts:1, src/b.ts:2-9' }],
    [['ib', 'too thin'], { choice: 'insufficient-basis', text: 'too thin' }],
    [['', 'yes', 'approve', 'pass'], { choice: 'pass', text: '' }],
    [['fail', ' , ', 'src/a.ts:1'], { choice: 'fail', text: 'src/a.ts:1' }]
  ])('a verdict: %j is recorded without a confirmation', (lines, answer) => {
    expect(play(open('verdict'), ...lines.map(line)).effects).toEqual([{ kind: 'answer', opId: 'alice', ...answer }])
  })

  it.each([
    [['1', 'we accept'], { choice: 'accept-risk', text: 'we accept' }],
    [['2', 'too shallow'], { choice: 'route-upstream', text: 'too shallow' }]
  ])('an escalation: %j', (lines, answer) => {
    expect(play(open('escalation'), ...lines.map(line)).effects).toEqual([{ kind: 'answer', opId: 'alice', ...answer }])
  })

  it('has no skip for an escalation and says what there is', () => {
    for (const word of ['skip', 's', '3', 'pass', '']) {
      const { state, effects } = play(open('escalation'), line(word))
      expect(effects).toEqual([])
      expect(state.error).toBe(word === '' ? null : 'choose 1 or 2')
    }
  })

  it('names the words it knows', () => {
    expect(play(open('verdict'), line('maybe')).state.error).toBe(
      'verdict "maybe" not in {pass, fail, insufficient-basis, skip}'
    )
    expect(play(open('risk'), line('maybe')).state.error).toBe('answer "maybe" not in {accept, reject, skip}')
  })

  it('skips and cancels without recording', () => {
    expect(play(open('verdict'), line('s')).effects).toEqual([{ kind: 'skip' }])
    expect(play(open('verdict'), line('f'), { kind: 'cancel' }).effects).toEqual([{ kind: 'cancel' }])
  })

  it('asks for the identity first where none is set, and keeps asking for a good one (OPUI-407)', () => {
    const { state, effects } = play(open('verdict', ''), line('a b'), line('bob'), line('p'))
    expect(effects).toEqual([
      { kind: 'op-id', opId: 'bob' },
      { kind: 'answer', choice: 'pass', text: '', opId: 'bob' }
    ])
    expect(state.error).toBeNull()
    expect(play(open('verdict', ''), line('a b')).state.error).toBe(
      'invalid op-id: op-id-invalid-characters: whitespace at offset 1'
    )
  })
})

describe('what cannot be taken (OPUI-405, OPUI-406)', () => {
  it('refuses an empty text and one over the cap in place, and takes the next', () => {
    const field = play(open('verdict'), line('i'), line(' '))
    expect(field).toMatchObject({ effects: [], state: { step: 'text', error: 'verdict-unit-missing-field: residue' } })
    expect(play(field.state, line('too thin')).effects).toMatchObject([{ text: 'too thin' }])
    const small = openPrompt({ item: itemOf('verdict'), opId: 'a', residueMaxBytes: 4 })
    expect(play(small, line('i'), line('ééé')).state.error).toBe('verdict-residue-too-long: 6 > 4')
    expect(play(open('risk'), line('a'), line('')).state.error).toBe('rationale is empty')
  })

  it.each([
    ['i', 'text', ['too thin', 'too thin']],
    ['p', 'choice', ['p']]
  ])('asks for what was answered last when recording failed: %s', (word, step, lines) => {
    const asked = play(open('verdict'), line(word), ...lines.slice(1).map(line))
    expect(asked.effects).toHaveLength(1)
    const failed = play(asked.state, { kind: 'failed', text: 'attestation-audit-write-failed: disk full' })
    expect(failed.state).toMatchObject({ step, error: 'attestation-audit-write-failed: disk full' })
    expect(play(failed.state, line(lines[0] ?? '')).effects).toEqual(asked.effects)
  })
})

describe('whatever is typed', () => {
  const anyInput: fc.Arbitrary<PromptInput> = fc.oneof(
    fc.constantFrom('p', 'f', 'i', 's', '1', '2', 'a', 'r', 'y', 'n', ' ', 'src/a.ts:1', 'a note').map(line),
    fc.string({ maxLength: 12 }).map(line),
    fc.constant<PromptInput>({ kind: 'failed', text: 'x' })
  )

  it.each(['verdict', 'escalation', 'risk'] as const)(
    'a %s is answered by a choice and the text it needs, in this order',
    (type) => {
      fc.assert(
        fc.property(fc.array(anyInput, { minLength: 1, maxLength: 30 }), (inputs) => {
          let state = open(type)
          for (const input of inputs) {
            const { effect, state: next } = answerPrompt(state, input)
            if (effect?.kind === 'answer') {
              const isPlain = effect.choice === 'pass' || effect.choice === 'reject'
              expect(state.step).toBe(isPlain ? 'choice' : 'text')
              expect(effect.text.trim() === '').toBe(isPlain)
            }
            expect(effect?.kind === 'skip' && type === 'escalation').toBe(false)
            state = next
          }
        }),
        { numRuns: runs(300) }
      )
    }
  )

  it.each(['verdict', 'escalation', 'risk'] as const)(
    'the end of input and empty lines say nothing about a %s (OPUI-422)',
    (type) => {
      const { effects } = play(open(type), line(''), line(' '), { kind: 'cancel' })
      expect(effects).toEqual([{ kind: 'cancel' }])
    }
  )
})
