import { allLayers, attested, type Contract, machine } from './contract.ts'

/** Extract, challenge and formalise what the system must do in one context (ROLE-24…26). */
export const analyst: Contract = {
  role: 'analyst',
  clauses: [
    machine('C5', [1], 'each term is defined once', 0, 'unique-definition', {
      scope: 'specs/{context}/ubiquitous-language.md',
      field: 'term',
      'field-locator-rule': 'heading:2',
      'case-sensitive': false
    }),
    machine('C6', [2], 'each invariant is a predicate, not a wish', 1, 'predicate-form', {
      scope: 'specs/{context}/invariants.md',
      'collection-locator': 'markdown-section:Invariants'
    }),
    machine('C7', [1, 4], 'every other context mentioned exists in the context map', 1, 'trace-link-present', {
      from: 'specs/{context}/cross-context/*.md',
      to: 'specs/context-map.md#Contexts',
      'link-rule': String.raw`\bcontext:([A-Za-z][A-Za-z0-9_-]*)`,
      'on-empty-from': 'pass'
    }),
    machine(
      'C8',
      [3],
      'brownfield: every exported behaviour traces to a feature; orphans appear as residue of the coverage claim',
      1,
      'no-orphan-symbol',
      { scope: '{source-globs}', 'spec-index': 'specs/{context}/features/**', language: '{language}' },
      'brownfield'
    ),
    machine(
      'C9',
      [6],
      'brownfield: no divergence is left open',
      1,
      'cardinality-check',
      {
        query: String.raw`^\s*status:\s*open\b`,
        'query-target': 'specs/{context}/divergences.md',
        expected: 0
      },
      'brownfield'
    ),
    machine('C10', allLayers, 'the coverage claim exists', 0, 'arrow-artifact-present', {
      'artifact-path': 'specs/{context}/coverage-claim.md'
    }),
    attested('C11', [3], 'every feature has failure scenarios, not only the happy path', 3),
    attested('C12', [3], 'scenarios use concrete values instead of placeholders', 1),
    attested('C13', [3, 2], 'what the system must reject is written down', 3),
    attested('C14', [6], 'assumptions can be proven wrong, and the dangerous ones are marked', 3),
    attested('C15', [5], 'failure modes carry a severity and an intended degradation', 3),
    attested('C16', allLayers, 'the coverage claim is honest about what no feature covers', 5),
    attested(
      'C17',
      [6],
      'brownfield: each divergence was decided, not explained away by bending the spec to the code',
      3,
      { applies: 'brownfield' }
    )
  ]
}
