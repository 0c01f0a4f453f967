import { type Contract, machine } from './contract.ts'

/** The built-in baseline becomes the project's grid, and an analyst may begin on a context (ROLE-22, ROLE-23). */
export const init: Contract = {
  role: 'init',
  clauses: [
    machine('C1', [1], 'the context is declared exactly once', 1, 'cardinality-check', {
      query: 'contexts[id={context}]',
      'query-target': 'project-state',
      expected: 1
    }),
    machine('C2', [1], 'greenfield or brownfield follows from the repository alone', 1, 'mode-determinable-from-repo', {
      discriminator: 'project-mode',
      rule: 'builtin:profile',
      'valid-modes': ['greenfield', 'brownfield']
    }),
    machine('C3', [1], 'no analyst work on this context is already in flight', 0, 'single-active-role-instance', {
      role: 'analyst',
      context: '{context}'
    })
  ]
}
