import { expect, test } from 'vitest'
import { createAsker, type OpenPrompt } from '../../../src/app/gate/ask.ts'
import { createAskLines } from '../../../src/app/gate/ask-lines.ts'
import { createIdentity } from '../../../src/app/gate/op-id.ts'
import type { AmendmentPrompt, BindingPrompt, DeclarationPrompt } from '../../../src/protocol/gate-prompt.ts'
import { askingGates } from './asking.ts'

const binding: BindingPrompt = {
  kind: 'binding',
  item: 'b',
  key: 'compiles.go',
  arrow: 'analyst→architect/shop',
  note: ''
}
const amendment: AmendmentPrompt = {
  kind: 'amendment',
  item: 'a',
  amendment: 'amend-1',
  diff: '+one\n-two',
  rationale: 'because',
  invalidates: [],
  aborts: ['p-1'],
  gridVersionAfter: 4
}
const declaration: DeclarationPrompt = {
  kind: 'declaration',
  item: 'd',
  arrow: 'architect→integrator/shop',
  source: 'architect',
  target: 'integrator',
  context: 'shop',
  gridVersionAfter: 2,
  roles: ['operator', 'analyst'],
  clauses: ['C1', 'C7'].map((id) => ({
    id,
    description: `what ${id} says`,
    eval: 'machine',
    depth: 'depth-robust',
    concept: 'no-todo-marker',
    isSkippable: id !== 'C1'
  })),
  requirements: [],
  noteMaxBytes: 64
}

/** An asker by typed lines over a presenter of real gates. */
function typed(opId = 'alice') {
  const at = askingGates()
  const identity = createIdentity(() => undefined)
  if (opId !== '') identity.set(opId)
  const printed: string[] = []
  const lines = createAskLines({
    identity,
    print: (text) => printed.push(...text),
    answer: (given) => void asker.answer(given)
  })
  const asker = createAsker(lines, at.presenter)
  const signal = new AbortController()
  const ask = (prompt: OpenPrompt, ...entered: readonly string[]) => {
    const answer = asker.ask(prompt, signal.signal)
    return { answer, enter: () => entered.map((line) => [lines.enter(line), lines.asking()][1]) }
  }
  return { at, asker, lines, printed, signal, ask, identity }
}

/** Until what is about to be asked is asked. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('a binding takes a command, and skip is no answer (INIT-130, OPUI-800)', async () => {
  const { ask } = typed()
  const first = ask(binding, '', 'go build ./...')
  await turn()
  expect(first.enter()).toEqual(['command for compiles.go (or skip):', null])
  expect(await first.answer).toEqual({ kind: 'bind', item: 'b', command: 'go build ./...' })
  const second = ask(binding, 'skip')
  await turn()
  second.enter()
  expect(await second.answer).toBeNull()
})

test('an answer that cannot be taken is told, and the question stays (OPUI-406)', async () => {
  const { asker, lines, printed, signal } = typed()
  const answer = asker.ask(binding, signal.signal, {
    problem: (given) => (given.kind === 'bind' && given.command === 'bad' ? 'no such thing' : null)
  })
  await turn()
  lines.enter('bad')
  expect(printed.at(-1)).toBe('✗ no such thing')
  lines.enter('good')
  expect(await answer).toMatchObject({ command: 'good' })
})

test('an amendment is accepted, committed empty or stopped; y/n names the version (OPUI-560)', async () => {
  const { ask, printed } = typed('')
  const stopped = ask(amendment, 'perhaps', 'accept', 'n', 'commit-empty', 'what', 'n', 'stop')
  await turn()
  expect(stopped.enter()).toEqual([
    'accept / commit-empty / stop:',
    'commit the proposal as grid v4? [y/n]',
    'accept / commit-empty / stop:',
    'commit without new arrows as grid v4? [y/n]',
    'commit without new arrows as grid v4? [y/n]',
    'accept / commit-empty / stop:',
    null
  ])
  expect(await stopped.answer).toMatchObject({ how: 'stop' })
  expect(printed).toContain('  aborts:       p-1')
  expect(printed).toContain('+one')
  const accepted = ask(amendment, 'a', 'y')
  await turn()
  accepted.enter()
  expect(await accepted.answer).toMatchObject({ how: 'accept' })
})

test('a declaration asks for op-id and role; a clause of the contract leaves with residue, a base clause never (OPUI-550, ATT-344)', async () => {
  const { ask, printed, identity } = typed('')
  const asked = ask(
    declaration,
    'a b',
    'bob',
    'architect',
    'analyst',
    'skip C1 x',
    'skip C7',
    'skip C9 x',
    'skip C7 not here',
    'declare',
    'y'
  )
  await turn()
  expect(asked.enter().at(-2)).toBe('declare architect→integrator/shop in grid v2? [y/n]')
  expect(await asked.answer).toEqual({
    kind: 'declare-arrow',
    item: 'd',
    role: 'analyst',
    skipped: [{ clause: 'C7', residue: 'not here' }]
  })
  expect(identity.current()).toBe('bob')
  expect(printed.filter((line) => line.startsWith('✗'))).toEqual([
    '✗ invalid op-id: op-id-invalid-characters: whitespace at offset 1',
    '✗ role "architect" not in {operator, analyst}',
    '✗ base-clause-not-skippable: C1',
    '✗ residue-required-for-skip: C7',
    '✗ unknown-clause-id: C9'
  ])
})

test('it waits behind a question of the queue, and none of the queue covers it (OPUI-743)', async () => {
  const { at, lines, ask } = typed()
  await at.run()
  void at.presenter.drain()
  const asked = ask(binding, 'make')
  await turn()
  expect(lines.asking()).toBeNull()
  at.presenter.answer(at.key('C1'), { kind: 'cancel' })
  await turn()
  expect(lines.asking()).toBe('command for compiles.go (or skip):')
  void at.presenter.drainNow()
  await turn()
  expect(at.told.filter((each) => each.startsWith('show'))).toEqual(['show C1 1/3'])
  asked.enter()
  await asked.answer
  await turn()
  expect(at.told.at(-1)).toBe('show C1 1/3')
})

test('an interrupt withdraws it, also while it waits; where nobody is there nothing is asked', async () => {
  const { at, lines, signal, ask } = typed()
  const asked = ask(binding)
  await turn()
  signal.abort()
  expect(await asked.answer).toBeNull()
  expect(lines.asking()).toBeNull()
  expect(await ask(binding).answer).toBeNull()
  const nobody = createAsker(null, at.presenter)
  expect(nobody.canAsk).toBe(false)
  expect(await nobody.ask(binding, new AbortController().signal)).toBeNull()
})
