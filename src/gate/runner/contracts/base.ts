import type { Dependency, Role } from '../../../protocol/grid.ts'
import { type ContractClause, machine } from './contract.ts'

// What every arrow except the bootstrap one carries before the clauses of its role (ROLE-16, ROLE-21).

/** Where a role's artifacts lie, as the scope of its base clauses (ROLE-16). */
export const baseScopes: Readonly<Record<Role, string>> = {
  analyst: 'specs/{context}/**',
  architect: 'architecture/{context}/**',
  implementer: '{source-globs}',
  integrator: 'integration/{context}/**'
}

/** The base clauses of the arrow that leaves `role`. Those with a `{language}` exist once per language (ROLE-17). */
export function baseClauses(role: Role): readonly ContractClause[] {
  const scope = baseScopes[role]
  const noMarker = (id: string, where: string) =>
    machine(id, [1], 'nothing is left open by a marker', 0, 'no-todo-marker', { scope: where })
  return [
    noMarker('C1', scope),
    ...(role === 'implementer' ? [noMarker('C1.tests', '{test-globs}')] : []),
    machine('C2', [1], 'the linter has nothing of weight to say', 0, 'lint-clean', {
      scope,
      language: '{language}',
      'severity-threshold': 'medium'
    }),
    machine('C3', [1], 'everything compiles or parses', 0, 'compiles', { scope, language: '{language}' }),
    machine('C4', [3], 'every step, case and branch has a body', 0, 'every-step-bound', {
      scope,
      language: '{language}'
    })
  ]
}

/** What the work on the arrow that leaves `source` rests on, all at file granularity; `{context}` is to be resolved (ROLE-21). */
export function defaultDependencies(source: Role | 'init'): readonly Dependency[] {
  return artifacts[source].map((artifact) => ({ artifact, granularity: 'file', onChange: 'invalidate' }))
}

const artifacts: Readonly<Record<Role | 'init', readonly string[]>> = {
  init: [],
  analyst: ['specs/context-map.md', 'specs/{context}/cross-context/**'],
  architect: ['specs/{context}/**'],
  implementer: ['specs/{context}/**', 'architecture/{context}/**'],
  integrator: ['specs/*/cross-context/**', 'specs/{context}/failure-modes.md']
}
