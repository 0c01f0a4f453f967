import { allLayers, attested, type Contract, machine } from './contract.ts'

/** Decide shape, so that an implementer needs no structural invention (ROLE-27…29). */
export const architect: Contract = {
  role: 'architect',
  clauses: [
    machine('C5', [1], 'every module has an interface document', 1, 'trace-link-present', {
      from: 'architecture/{context}/modules.md#Modules',
      to: 'architecture/{context}/interfaces/*.md',
      'link-rule': '([A-Za-z][A-Za-z0-9_.-]*)'
    }),
    machine('C6', [3], 'every feature is allocated', 1, 'trace-link-present', {
      from: 'specs/{context}/features/*.feature',
      to: 'architecture/{context}/module-feature-map.md#Map',
      'link-rule': '@id:([A-Za-z0-9_.-]+)'
    }),
    machine('C7', [1], 'module dependencies form no cycle', 0, 'acyclic-dependency-graph', {
      scope: '{source-globs}',
      language: '{language}',
      kind: 'import-graph'
    }),
    machine('C8', [4], 'every cross-context interaction has a contract', 1, 'trace-link-present', {
      from: 'specs/{context}/cross-context/*.md',
      to: 'architecture/{context}/contracts/*.md',
      'link-rule': String.raw`^id:\s*([A-Za-z0-9_.-]+)`,
      'on-empty-from': 'pass'
    }),
    machine(
      'C9',
      [5],
      'every failure mode has a treatment, or is listed there as out of scope',
      1,
      'trace-link-present',
      {
        from: 'specs/{context}/failure-modes.md#Failure modes',
        to: 'architecture/{context}/error-model.md#Treatments',
        'link-rule': '(FM-[A-Za-z0-9_-]+)'
      }
    ),
    machine('C10', allLayers, 'the module-feature map exists', 0, 'arrow-artifact-present', {
      'artifact-path': 'architecture/{context}/module-feature-map.md'
    }),
    attested('C11', [1], 'each interface can be exercised from outside its module, not merely typed', 3),
    attested(
      'C12',
      [4, 5],
      'contracts state behaviour when the other side is unavailable, out of order or duplicated',
      3
    ),
    attested('C13', [5], 'error treatments say how far a failure may spread', 1),
    attested('C14', [6], 'each bet names an alternative and a sign of being wrong', 1),
    attested('C15', allLayers, 'no feature of the coverage claim was dropped without being recorded', 5),
    attested('C16', [4], 'both sides of every contract state the same shape and failure semantics', 3)
  ]
}
