import { describe, expect, test } from 'vitest'
import { parseAnswer } from '../../../src/gate/bootstrap/answers.ts'
import { asWizard, runWizard } from '../../../src/gate/bootstrap/drive-wizard.ts'
import { type FitFacts, unknownFit } from '../../../src/gate/bootstrap/fit.ts'
import { answerWizard, startWizard, type WizardSetup, type WizardState } from '../../../src/gate/bootstrap/wizard.ts'
import { viewOf } from '../../../src/gate/bootstrap/wizard-view.ts'
import { monorepo } from '../../support/project.ts'
import { proposalFor, rules } from '../../support/proposal.ts'

const strong: FitFacts = { contexts: null, seams: 1, novel: true, critical: true }
const weak: FitFacts = { contexts: null, seams: 0, novel: false, critical: false }

async function begin(
  files: Readonly<Record<string, string>> = {},
  more: Partial<WizardSetup> = {}
): Promise<WizardState> {
  const { facts } = await proposalFor(files)
  return startWizard({ facts, rules, contexts: null, fit: strong, override: null, ...more })
}
const play = (state: WizardState, ...lines: string[]) => lines.reduce(answerWizard, state)
const here = (state: WizardState) => viewOf(state).title

describe('INIT-37: contexts are asked first', () => {
  test('default is the fallback, and Enter takes it', async () => {
    const start = await begin()
    expect(viewOf(start)).toMatchObject({
      step: 'contexts',
      lines: expect.arrayContaining([expect.stringMatching(/^ {2}default /)])
    })
    expect(here(play(start, ''))).toBe('init→analyst/default  C1')
  })

  test('other contexts can be declared, with the rules of INIT-36', async () => {
    const start = await begin()
    expect(play(start, 'pay, 1x').refused).toBe('profile-context-id-invalid: "1x"')
    expect(play(start, 'pay, pay').refused).toBe('profile-context-id-duplicate: "pay"')
    const declared = play(start, 'pay, ship=Sends things')
    expect(declared.contexts).toEqual([
      { id: 'pay', description: null },
      { id: 'ship', description: 'Sends things' }
    ])
    expect(declared.verdicts.arrows).toHaveLength(8)
  })

  test('one that was detected can be left out, visibly', async () => {
    const start = await begin(monorepo)
    expect(play(start, 'drop billing').refused).toBe('residue-required-for-skip')
    expect(play(start, 'drop nothing why').refused).toBe('no context "nothing" is proposed')
    const dropped = play(start, 'drop billing bought elsewhere')
    expect(dropped.residue).toEqual([
      {
        kind: 'context-undeclared',
        arrow: '*',
        clauseId: null,
        concept: null,
        description: 'billing',
        cost: null,
        reason: 'init-v1: context not declared: bought elsewhere'
      }
    ])
    expect(play(dropped, '').verdicts.arrows).toHaveLength(8)
    expect(play(dropped, 'drop catalog x', 'drop checkout x').refused).toBe('at least one context is needed')
    // Declaring it after all takes the residue back.
    expect(play(dropped, 'billing, catalog').residue).toEqual([])
  })

  test('declared by flag: nobody is asked', async () => {
    expect(here(await begin({}, { contexts: [{ id: 'pay', description: null }] }))).toBe('init→analyst/pay  C1')
  })
})

describe('INIT-40…43: fit and refusal', () => {
  test('only what is unknown is asked, and an unknown answer never refuses', async () => {
    const start = await begin({}, { fit: { ...weak, novel: null } })
    const asked = play(start, '')
    expect(viewOf(asked)).toMatchObject({ step: 'fit', prompt: 'novel architecture [yes / no / ? / back / quit]:' })
    expect(play(asked, 'perhaps').refused).toBe('not understood: "perhaps"')
    expect(play(asked, '?').step).toBe('clause')
    expect(play(asked, 'no').step).toBe('refusal')
  })

  test('all three in turn, and back through them', async () => {
    const start = await begin({}, { fit: unknownFit })
    const third = play(start, '', '2', 'no')
    expect(third.step).toBe('critical')
    expect(play(third, 'back').step).toBe('novel')
    expect(play(third, 'back', 'back', 'back').step).toBe('contexts')
    expect(play(start, 'back').refused).toBe('nothing to go back to')
    expect(play(third, 'yes')).toMatchObject({ step: 'clause', fit: { seams: 2, novel: false, critical: true } })
  })

  test('a refusal is accepted, or overridden with words', async () => {
    const refused = play(await begin({}, { fit: weak }), '')
    expect(viewOf(refused).lines).toEqual([expect.stringMatching(/^refusal proposed: 1 context\(s\), 0 seams/)])
    expect(play(refused, 'confirm').refused).toMatch(/^not understood/)
    expect(play(refused, 'override').refused).toBe('refusal-override-residue-required')
    expect(play(refused, 'accept').step).toBe('refused')
    expect(play(refused, 'override we learn')).toMatchObject({
      step: 'clause',
      refusal: { kind: 'overridden', reason: 'we learn' }
    })
  })

  test('overridden by flag: nobody is asked', async () => {
    expect(play(await begin({}, { fit: weak, override: 'we learn' }), '')).toMatchObject({
      step: 'clause',
      refusal: { reason: 'we learn' }
    })
  })
})

describe('INIT-57: one clause at a time', () => {
  test('the prompt, and what is shown', async () => {
    const view = viewOf(play(await begin(), '', ...Array(3).fill('confirm')))
    expect(view.prompt).toBe(
      'analyst→architect/default C1 [confirm / modify k=v … / skip <reason> / extend / back / quit]:'
    )
    expect(view.position).toEqual({ at: 4, of: 39 })
    expect(view.clause).toMatchObject({
      arrow: 'analyst→architect/default',
      id: 'C1',
      concept: 'no-todo-marker',
      isBase: true
    })
    expect(view.clause?.arguments.slice(0, 2)).toEqual([
      { name: 'scope', value: '"specs/default/**"', type: 'path-glob', origin: 'placeholder' },
      { name: 'markers', value: '[TODO, TBD, "???", FIXME, XXX]', type: 'list', origin: 'default' }
    ])
  })

  test('an answer that is not understood or not taken asks again and uses nothing up', async () => {
    const start = play(await begin(), '')
    for (const line of [
      '',
      'yes',
      'confirm now',
      'modify',
      'modify expected',
      "modify expected='1",
      'skip',
      'modify nothing=1'
    ]) {
      const again = play(start, line)
      expect([line, again.at, again.refused === null]).toEqual([line, 0, false])
      expect(play(again, 'confirm')).toMatchObject({ at: 1, refused: null })
    }
  })

  test('back reopens the clause before; its last verdict counts', async () => {
    const start = play(await begin(), '')
    const back = play(start, 'confirm', 'confirm', 'back')
    expect(back.at).toBe(1)
    const again = play(back, 'skip no need')
    expect(again.verdicts.decisions.get('init→analyst/default')?.get('C2')).toMatchObject({
      kind: 'skipped',
      reason: 'no need'
    })
    expect(again.at).toBe(2)
  })

  test('the first clause leads to the question before it, unless that would lose a clause of one’s own', async () => {
    const start = play(await begin(), '')
    expect(play(start, 'back').step).toBe('contexts')
    const extended = play(start, 'extend id=E1 eval=attested depth=depth-robust description="a second reader agreed"')
    expect(viewOf(extended).added).toEqual(['Added to this arrow: E1  a second reader agreed'])
    expect(viewOf(extended).lines).toContain('Added to this arrow: E1  a second reader agreed')
    expect(play(extended, 'back')).toMatchObject({
      step: 'clause',
      at: 0,
      refused: expect.stringMatching(/^clauses were added here/)
    })
    const { facts } = await proposalFor({})
    const contexts = [{ id: 'pay', description: null }]
    const declared = startWizard({ facts, rules, contexts, fit: strong, override: null })
    expect(play(declared, 'back').refused).toBe('nothing to go back to')
  })

  test('tighten, bind, extend, skip: every verdict by its own words', async () => {
    const lines = ['', ...Array(3).fill('confirm'), 'modify scope=specs/default/a.md cost=2']
    let state = play(await begin(), ...lines)
    expect(state.verdicts.decisions.get('analyst→architect/default')?.get('C1')).toMatchObject({
      clause: { args: { scope: 'specs/default/a.md' }, cost: 2, modified: ['cost', 'scope'] }
    })
    expect(play(state, 'extend id=E1 eval=machine').refused).toBe(
      'extension-clause-invalid: depth is depth-robust or depth-sensitive'
    )
    expect(play(state, 'extend').refused).toBe('extension-clause-invalid: id is missing')
    state = play(
      state,
      "extend id=E1 eval=machine depth=depth-robust concept=cardinality-check layers=[2,6] query='^x y$' query-target=a.md 'expected=[0, 3]' description='no x y'"
    )
    expect(state.refused).toBeNull()
    expect(state.verdicts.extensions.get('analyst→architect/default')).toEqual([
      {
        id: 'E1',
        description: 'no x y',
        layers: [2, 6],
        eval: 'machine',
        depth: 'depth-robust',
        minTier: 0,
        cost: 1,
        source: 'operator-extension',
        concept: 'cardinality-check',
        args: { query: '^x y$', 'query-target': 'a.md', expected: [0, 3] },
        modified: [],
        missing: []
      }
    ])
    while (viewOf(state).clause?.id !== 'C8' || !here(state).startsWith('implementer'))
      state = play(
        state,
        viewOf(state).clause?.arguments.some(({ origin }) => origin === 'missing') ? 'skip not here' : 'confirm'
      )
    expect(play(state, 'confirm').refused).toBe(
      'clause-required-args-missing: kill-server-fails-integration requires critical-deps'
    )
    state = play(state, "modify 'critical-deps=[db, cache]' test-command='go test ./...' kill-cmd.db='stop db'")
    expect(state.refused).toBeNull()
    while (state.step === 'clause') state = play(state, 'confirm')
    expect(state.step).toBe('done')
    expect(play(state, 'back')).toBe(state)
  })

  test('quit ends it from anywhere', async () => {
    const start = await begin({}, { fit: unknownFit })
    for (const lines of [['quit'], ['', 'quit'], ['', '?', '?', '?', 'confirm', 'quit']])
      expect(play(start, ...lines).step).toBe('quit')
  })

  test('the first letters of a word are enough', () => {
    expect(parseAnswer(' C ')).toEqual({ kind: 'confirm' })
    expect(parseAnswer('s  because of it')).toEqual({ kind: 'skip', reason: 'because of it' })
    expect(parseAnswer('mod a=1 b="x y"')).toEqual({
      kind: 'modify',
      pairs: [
        ['a', '1'],
        ['b', 'x y']
      ]
    })
    expect(parseAnswer('=')).toMatchObject({ kind: 'unclear' })
  })
})

describe('driving it', () => {
  test('line by line; the end of the input leaves without a trace', async () => {
    const answers = ['', 'nonsense', 'confirm']
    const printed: string[] = []
    const prompts: string[] = []
    const ended = await runWizard(await begin(), {
      print: (line) => printed.push(line),
      ask: async (prompt) => {
        prompts.push(prompt)
        return answers.shift() ?? null
      }
    })
    expect(ended.step).toBe('quit')
    expect(prompts.map((prompt) => prompt.split(' [')[0])).toEqual([
      'contexts',
      'init→analyst/default C1',
      'init→analyst/default C1',
      'init→analyst/default C2'
    ])
    expect(printed.filter((line) => line.startsWith('✗'))).toEqual(['✗ not understood: "nonsense"'])
    expect(printed.filter((line) => line.startsWith('init→analyst/default  C1'))).toEqual([
      'init→analyst/default  C1  (1 of 39)'
    ])
  })

  test('as values for a screen: an answer gives the next one, the old one stays, the end is told once', async () => {
    const ends: string[] = []
    const first = asWizard(await begin(), ({ step }) => ends.push(step))
    const second = first.answer('')
    expect([first.view.step, second.view.step]).toEqual(['contexts', 'clause'])
    const left = second.answer('quit')
    expect([left.view.step, left.answer('confirm').view.step, ends]).toEqual(['quit', 'quit', ['quit']])
  })
})
