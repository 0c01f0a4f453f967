import { describe, expect, it } from 'vitest'
import { createRegistry } from '../../../src/gate/evaluators/index.ts'
import { passed } from '../../../src/gate/evaluators/result.ts'
import type { EvaluationContext, Evaluator } from '../../../src/protocol/evaluation.ts'
import type { Args } from '../../../src/protocol/grid.ts'
import { bindingOf, catalogue, machine, noState } from './bench.ts'

const go = (command: string) => ({ 'compiles.go': bindingOf('compiles.go', command) })
const registry = createRegistry(catalogue, machine, go('go build ./...'))
const always: Evaluator = async ({ args }) => passed({ args })

const contextOf = (concept: string, args: Args): EvaluationContext => ({
  projectDir: '/',
  clauseId: 'C1',
  passId: 'p-1',
  arrowId: 'a→b/c',
  concept,
  args,
  signal: new AbortController().signal,
  state: noState
})

describe('keys (CONC-10)', () => {
  it.each<[string, Args, string]>([
    ['no-todo-marker', {}, 'no-todo-marker'],
    ['no-todo-marker', { language: 'go' }, 'no-todo-marker'],
    ['compiles', { language: ' go ' }, 'compiles.go'],
    ['compiles', {}, 'compiles.'],
    ['compiles', { language: '' }, 'compiles.'],
    ['compiles', { language: 3 }, 'compiles.']
  ])('%s with %j is %s', (concept, args, key) => {
    expect(registry.keyOf(concept, args)).toBe(key)
  })

  it('of a clause without a language are never registered', () => {
    expect(registry.lookUp('compiles.')).toBeNull()
    expect(registry.lookUp('compiles')).toBeNull()
  })
})

describe('the registry (CONC-3, CONC-11, CONC-12, CONC-16)', () => {
  it('holds every universal concept and every declared binding, in generation 1', () => {
    const universal = [...catalogue.values()].filter(({ languageBound }) => !languageBound)
    expect(universal).toHaveLength(11)
    for (const { concept } of universal) expect(registry.lookUp(concept)).toMatchObject({ key: concept, generation: 1 })
    expect(registry.lookUp('compiles.go')).toMatchObject({ key: 'compiles.go', generation: 1 })
  })

  it('names the missing keys once each, sorted', () => {
    expect(
      registry.missing(['tests-pass.go', 'compiles.go', 'compiles.rust', 'no-todo-marker', 'compiles.rust', 'x'])
    ).toEqual(['compiles.rust', 'tests-pass.go', 'x'])
  })

  it('registers a key once', () => {
    for (const key of ['compiles.go', 'no-todo-marker', 'single-active-role-instance'])
      expect(registry.register(key, always)).toEqual({ refused: { code: 'concept-already-registered', key } })
    const added = registry.register('compiles.rust', always)
    expect('registry' in added && added.registry.lookUp('compiles.rust')?.generation).toBe(1)
    expect(registry.lookUp('compiles.rust')).toBeNull()
  })

  it('replaces under the next generation and leaves the earlier registry as it was (RUN-724)', async () => {
    const replaced = registry.replace('single-active-role-instance', always)
    expect(replaced.lookUp('single-active-role-instance')?.generation).toBe(2)
    expect(registry.lookUp('single-active-role-instance')?.generation).toBe(1)
    const args = { role: 'analyst', context: '*' }
    const evaluate = replaced.lookUp('single-active-role-instance')?.evaluate
    expect(await evaluate?.(contextOf('single-active-role-instance', args))).toEqual(passed({ args }))
  })

  it('counts a generation per changed binding and none for an unchanged one', () => {
    const same = registry.withBindings(go('go build ./...'))
    expect(same.lookUp('compiles.go')?.generation).toBe(1)
    const changed = same.withBindings({ ...go('make'), 'tests-pass.go': bindingOf('tests-pass.go', 'go test') })
    expect(changed.lookUp('compiles.go')?.generation).toBe(2)
    expect(changed.lookUp('tests-pass.go')?.generation).toBe(1)
    const removed = changed.withBindings({})
    expect(removed.lookUp('compiles.go')).toBeNull()
    expect(removed.withBindings(go('make')).lookUp('compiles.go')?.generation).toBe(3)
    expect(removed.lookUp('no-todo-marker')?.generation).toBe(1)
  })
})

describe('arguments on the way in (CONC-7, CONC-8)', () => {
  const put = (concept: string) => registry.replace(concept, always).lookUp(concept)

  it('get their defaults', async () => {
    const result = await put('no-todo-marker')?.evaluate(contextOf('no-todo-marker', { scope: 'x' }))
    expect(result?.details.args).toMatchObject({ 'case-sensitive': false, markers: expect.any(Array) })
  })

  it('that are missing or wrong leave the clause unevaluated', async () => {
    const evaluate = put('no-todo-marker')?.evaluate
    expect(await evaluate?.(contextOf('no-todo-marker', {}))).toMatchObject({ reason: 'args-unbound' })
    expect(await evaluate?.(contextOf('no-todo-marker', { scope: 3 }))).toMatchObject({
      reason: 'evaluator-error',
      details: { error: 'no-todo-marker: argument "scope": requires string' }
    })
  })
})
