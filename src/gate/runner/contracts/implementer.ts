import { allLayers, attested, type Contract, machine } from './contract.ts'

/** Build what was specified and shaped, with tests that would notice if it were not so (ROLE-30…32). */
export const implementer: Contract = {
  role: 'implementer',
  clauses: [
    machine('C5', [3], 'the test suite is green and not empty', 2, 'tests-pass', {
      scope: '{test-globs}',
      language: '{language}',
      timeout: '5m'
    }),
    machine('C6', [3, 2], 'tests kill enough mutants', 3, 'mutation-score', {
      scope: '{source-globs}',
      'test-scope': '{test-globs}',
      threshold: 0.7,
      language: '{language}'
    }),
    machine('C7', [3], 'every feature appears in the coverage map', 1, 'trace-link-present', {
      from: 'specs/{context}/features/*.feature',
      to: 'implementation/{context}/coverage-map.md#Coverage',
      'link-rule': '@id:([A-Za-z0-9_.-]+)'
    }),
    machine('C8', [4], 'integration tests notice a missing dependency', 3, 'kill-server-fails-integration', {
      'test-suite': '{integration-globs}'
    }),
    machine('C9', [6], 'no deviation is left open', 1, 'cardinality-check', {
      query: String.raw`^\s*status:\s*open\b`,
      'query-target': 'implementation/{context}/deviations.md',
      expected: 0
    }),
    machine('C10', allLayers, 'the coverage map exists', 0, 'arrow-artifact-present', {
      'artifact-path': 'implementation/{context}/coverage-map.md'
    }),
    attested('C11', [3, 5], 'assertions are predicates from the behaviour or failure specification', 3),
    attested('C12', [5], 'failure tests make the system under test fail; the test setup does not fake it', 3),
    attested('C13', [4], 'integration tests cross the real wire and break without the dependency', 3, { minTier: 3 }),
    attested('C14', allLayers, 'the coverage map is honest about smoke-only and uncovered features', 5)
  ]
}
