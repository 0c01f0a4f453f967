import { allLayers, attested, type Contract, machine } from './contract.ts'

/** Find defects that exist only in composition, on real dependencies (ROLE-33…35). */
export const integrator: Contract = {
  role: 'integrator',
  clauses: [
    machine('C5', [4], 'every interaction was exercised', 1, 'trace-link-present', {
      from: 'specs/{context}/cross-context/*.md',
      to: 'integration/{context}/interactions/*.spec.md',
      'link-rule': String.raw`^id:\s*([A-Za-z0-9_.-]+)`,
      'on-empty-from': 'pass'
    }),
    machine('C6', [4], 'every exercised case refers to a specified interaction', 1, 'trace-link-present', {
      from: 'integration/{context}/interactions/*.spec.md',
      to: 'specs/{context}/cross-context/*.md',
      'link-rule': String.raw`^interaction:\s*([A-Za-z0-9_.-]+)`,
      'on-empty-from': 'pass'
    }),
    machine(
      'C7',
      [4],
      'the integration suite notices every missing critical dependency',
      3,
      'kill-server-fails-integration',
      { 'test-suite': '{integration-globs}' }
    ),
    machine('C8', [4], 'every finding has a known type', 1, 'cardinality-check', {
      query: String.raw`^\s*type:\s*(?!(?:local-bug|missing-cross-context-spec)\s*$)\S.*`,
      'query-target': 'integration/{context}/findings.md',
      expected: 0
    }),
    machine(
      'C9',
      [4],
      'no finding is plainly open: resolved, accepted, or turned into an amendment',
      1,
      'cardinality-check',
      {
        query: String.raw`^\s*status:\s*open\b`,
        'query-target': 'integration/{context}/findings.md',
        expected: 0
      }
    ),
    machine('C10', allLayers, 'the integration report exists', 0, 'arrow-artifact-present', {
      'artifact-path': 'integration/{context}/integration-report.md'
    }),
    attested('C11', [4], 'interactions ran with both contexts on real dependencies', 3, { minTier: 3 }),
    attested('C12', [5], 'each composition failure was actually triggered', 3, { minTier: 3 }),
    attested('C13', [3], 'each `local-bug` was reproduced in isolation', 3),
    attested('C14', [4], 'each `missing-cross-context-spec` names a gap precise enough to specify', 3),
    attested('C15', allLayers, 'the report is honest about interactions and failures not exercised', 5),
    attested('C16', [4], 'when an amendment was requested, the arrows it invalidates are named', 1)
  ]
}
