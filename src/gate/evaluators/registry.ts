import { isDeepStrictEqual } from 'node:util'
import { assert } from '../../lib/assert.ts'
import type { EvaluationContext, Evaluator, EvaluatorRegistry, Registration } from '../../protocol/evaluation.ts'
import type { EvaluationResult } from '../../protocol/gate.ts'
import type { Args, Binding } from '../../protocol/grid.ts'
import { type Catalogue, checkArguments } from '../catalogue/index.ts'
import { boundEvaluator } from './bound-evaluators.ts'
import type { Machine } from './machine.ts'
import { unevaluated } from './result.ts'
import type { LivePasses } from './single-active-role-instance.ts'
import { liveEvaluators, universalEvaluators } from './universal-evaluators.ts'

/** An evaluator that reads the passes as they are at this moment (CONC-12). */
export type LiveEvaluator = (context: EvaluationContext, passes: LivePasses) => Promise<EvaluationResult>

export type RegistrationRefused = { readonly code: 'concept-already-registered'; readonly key: string }

/** The evaluators in force. Every change is another registry, so that a pass keeps what it took when it opened (RUN-724). */
export interface Registry extends EvaluatorRegistry {
  /** Adds an evaluator; a key is registered once (CONC-11). */
  register(
    key: string,
    evaluate: Evaluator
  ): { readonly registry: Registry } | { readonly refused: RegistrationRefused }
  /** Puts an evaluator in the place of another, under the next generation. */
  replace(key: string, evaluate: Evaluator): Registry
  /** The same with exactly these bindings declared: changed ones get the next generation, unchanged ones keep theirs. */
  withBindings(bindings: Readonly<Record<string, Binding>>): Registry
}

type Tables = {
  readonly live: ReadonlyMap<string, LiveEvaluator>
  readonly plain: ReadonlyMap<string, Evaluator>
  readonly bindings: Readonly<Record<string, Binding>>
  /** The latest generation of every key, removed ones included: a number never returns. */
  readonly generations: ReadonlyMap<string, number>
}

/**
 * All universal evaluators, and one per declared binding. The two tables together hold exactly the universal concepts of the catalogue
 * and no concept twice (CONC-3, CONC-12); anything else is a bug.
 */
export function createRegistry(
  catalogue: Catalogue,
  machine: Machine,
  bindings: Readonly<Record<string, Binding>> = {}
): Registry {
  const live = new Map(Object.entries(liveEvaluators))
  const plain = new Map(Object.entries(universalEvaluators(machine)))
  const universal = [...catalogue.values()].filter(({ languageBound }) => !languageBound).map(({ concept }) => concept)
  const registered = [...live.keys(), ...plain.keys()]
  assert(isDeepStrictEqual(registered.toSorted(), universal.toSorted()), 'universal concepts and evaluators differ')
  const generations = new Map(registered.map((key) => [key, 1]))
  return registryOf(catalogue, machine, { live, plain, bindings: {}, generations }).withBindings(bindings)
}

function registryOf(catalogue: Catalogue, machine: Machine, tables: Tables): Registry {
  const { live, plain, bindings, generations } = tables
  const isRegistered = (key: string) => live.has(key) || plain.has(key)
  const put = (key: string, evaluate: Evaluator): Registry =>
    registryOf(catalogue, machine, {
      live: without(live, key),
      plain: new Map(plain).set(key, evaluate),
      bindings,
      generations: new Map(generations).set(key, (generations.get(key) ?? 0) + 1)
    })
  return {
    keyOf: (concept, args) => keyOf(catalogue, concept, args),
    lookUp(key): Registration | null {
      const evaluate = liveOf(live, key) ?? plain.get(key)
      if (evaluate === undefined) return null
      return { key, generation: generations.get(key) ?? 1, evaluate: withArguments(catalogue, evaluate) }
    },
    missing: (keys) => [...new Set(keys)].filter((key) => !isRegistered(key)).toSorted(),
    register: (key, evaluate) =>
      isRegistered(key) ? { refused: { code: 'concept-already-registered', key } } : { registry: put(key, evaluate) },
    replace: put,
    withBindings: (declared) => registryOf(catalogue, machine, withDeclared(machine, tables, declared))
  }
}

/** Concept name, or `<concept>.<language>`; without a usable language the key ends in the dot and is never registered (CONC-10). */
function keyOf(catalogue: Catalogue, concept: string, { language }: Args): string {
  if (catalogue.get(concept)?.languageBound !== true) return concept
  return `${concept}.${typeof language === 'string' ? language.trim() : ''}`
}

function liveOf(live: Tables['live'], key: string): Evaluator | undefined {
  const evaluate = live.get(key)
  return evaluate && ((context) => evaluate(context, context.state.passes()))
}

/** Arguments are checked once more and get their defaults, so that an evaluator can rely on them (CONC-8). */
function withArguments(catalogue: Catalogue, evaluate: Evaluator): Evaluator {
  return async (context) => {
    const checked = checkArguments(catalogue, context.concept, context.args)
    if ('args' in checked) return evaluate({ ...context, args: checked.args })
    const { code, message } = checked.problem
    const reason = code === 'missing-argument' ? 'args-unbound' : 'evaluator-error'
    return unevaluated(reason, { error: message })
  }
}

function withDeclared(machine: Machine, tables: Tables, declared: Readonly<Record<string, Binding>>): Tables {
  const plain = new Map(tables.plain)
  const generations = new Map(tables.generations)
  for (const key of Object.keys(tables.bindings)) if (declared[key] === undefined) plain.delete(key)
  for (const [key, binding] of Object.entries(declared)) {
    if (plain.has(key) && isDeepStrictEqual(tables.bindings[key], binding)) continue
    const evaluate = boundEvaluator(machine, key, binding)
    // A key of no bound concept was refused when the grid was read; here it is simply never found.
    if (evaluate === null) continue
    plain.set(key, evaluate)
    generations.set(key, (generations.get(key) ?? 0) + 1)
  }
  return { ...tables, plain, generations, bindings: declared }
}

function without<Value>(map: ReadonlyMap<string, Value>, key: string): ReadonlyMap<string, Value> {
  const rest = new Map(map)
  rest.delete(key)
  return rest
}
