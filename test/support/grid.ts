import type { Arrow, Clause, Grid } from '../../src/protocol/grid.ts'

/** A sound machine clause. */
export function machineClause(changes: Partial<Clause> = {}): Clause {
  return {
    id: 'C1',
    description: 'nothing is left open by a marker',
    layers: [1],
    eval: 'machine',
    depth: 'depth-robust',
    minTier: 0,
    cost: 0,
    source: 'role-default',
    concept: 'no-todo-marker',
    args: { scope: 'specs/**' },
    modified: [],
    missing: [],
    ...changes
  }
}

/** A sound attested clause. */
export function attestedClause(changes: Partial<Clause> = {}): Clause {
  return machineClause({
    id: 'C11',
    description: 'somebody looked',
    layers: [3],
    eval: 'attested',
    depth: 'depth-sensitive',
    minTier: 2,
    cost: 3,
    concept: null,
    args: {},
    ...changes
  })
}

/** `analyst→architect/default` with one clause of each kind. */
export function arrowOf(changes: Partial<Arrow> = {}): Arrow {
  return {
    id: 'analyst→architect/default',
    sourceRole: 'analyst',
    targetRole: 'architect',
    producerRole: 'analyst',
    context: 'default',
    stratum: 'L1',
    severityThreshold: null,
    clauses: [machineClause(), attestedClause()],
    requirements: [],
    dependencies: [],
    ...changes
  }
}

/** A sound grid with one context and one arrow. */
export function gridOf(changes: Partial<Grid> = {}): Grid {
  return {
    version: 1,
    contractRevision: '1',
    createdAt: '2026-08-21T09:15:02Z',
    createdByOpId: 'you@example.com',
    mode: 'greenfield',
    languages: [],
    boundedContexts: [{ id: 'default', description: null }],
    languageBindings: {},
    depthLadder: ['NONE', 'SHALLOW', 'MOCKED', 'REALISTIC'],
    severityThreshold: 'medium',
    insufficientBasisRoundsMax: 3,
    remediationRoundsMax: 5,
    residueNoteMaxBytes: 16_384,
    modalPendingMaxLen: 64,
    onTheSpotInterruptions: 0,
    strictOpIdSeparation: false,
    retention: { kind: 'keep-all' },
    amendmentId: null,
    refusalOverride: null,
    arrows: [arrowOf()],
    residue: [],
    ...changes
  }
}
