// The declared grid as everything but its file format sees it. Immutable once read.

export const roles = ['analyst', 'architect', 'implementer', 'integrator'] as const
/** The closed set of roles (ROLE-1). */
export type Role = (typeof roles)[number]
/** A role, or an identity without a contract: the producer of the bootstrap arrow and the fresh attacker. */
export type RoleId = Role | 'init' | 'adversary'

export type EvaluationType = 'machine' | 'attested'
export type DepthType = 'depth-robust' | 'depth-sensitive'
/** NONE, SHALLOW, MOCKED, REALISTIC (GATE-20). */
export type DepthRank = 0 | 1 | 2 | 3
export type Severity = 'info' | 'low' | 'medium' | 'high' | 'critical'
/** Work layers 1–6. */
export type Layer = 1 | 2 | 3 | 4 | 5 | 6

/** A value that YAML and JSON can both hold: the arguments of a clause. */
export type ArgValue = string | number | boolean | null | readonly ArgValue[] | { readonly [key: string]: ArgValue }
export type Args = { readonly [name: string]: ArgValue }

/** Keys a grid file has beyond those known; kept as they are from version to version (INIT-71). */
export type Extra = { readonly extra?: Args }

export type Clause = Extra & {
  readonly id: string
  readonly description: string
  readonly layers: readonly Layer[]
  readonly eval: EvaluationType
  readonly depth: DepthType
  /** 0 for robust clauses, 1..3 for sensitive ones (GATE-17). */
  readonly minTier: DepthRank
  /** Operator-action units (GATE-75). */
  readonly cost: number
  /** Where the clause came from: `role-default` or `operator-extension`. */
  readonly source: string
  /** null for an attested clause without evidence. */
  readonly concept: string | null
  readonly args: Args
  /** Names changed by `modify`. */
  readonly modified: readonly string[]
  /** Required arguments without a value, as `<name>:<type>`; not empty = deferred (INIT document). */
  readonly missing: readonly string[]
}

export type Requirement = Extra & { readonly id: string; readonly minDepth: 1 | 2 | 3; readonly description: string }

export type Dependency = Extra & {
  readonly artifact: string
  readonly granularity: 'file' | 'section' | 'clause-id'
  readonly onChange: 'invalidate'
}

export type Arrow = Extra & {
  /** `<source>→<target>/<context>` (GATE-4). */
  readonly id: string
  readonly sourceRole: RoleId
  readonly targetRole: Role
  readonly producerRole: RoleId
  readonly context: string
  /** Recorded label `L0`, `L1` or `L2` (GATE-9). */
  readonly stratum: string
  /** null: the grid's. */
  readonly severityThreshold: Severity | null
  readonly clauses: readonly Clause[]
  readonly requirements: readonly Requirement[]
  /** null = undeclared, empty = declared none (GATE-90). */
  readonly dependencies: readonly Dependency[] | null
}

export type BindingProtocol = 'auto' | 'exit' | 'json' | 'edges'
export type Binding = {
  readonly command: string | null
  readonly protocol: BindingProtocol
  readonly timeoutMs: number
  readonly env: readonly string[]
  readonly extractor: string | null
  readonly mapper: string | null
}

/** One line of knowingly deferred attention (INIT-60). */
export type ResidueEntry = Extra & {
  readonly kind: string
  /** `*` when it concerns every arrow. */
  readonly arrow: string
  readonly clauseId: string | null
  readonly concept: string | null
  readonly description: string
  readonly cost: number | null
  readonly reason: string
}

export type BoundedContext = Extra & { readonly id: string; readonly description: string | null }

export type Retention =
  | { readonly kind: 'keep-all' }
  | { readonly kind: 'max-count'; readonly count: number }
  | { readonly kind: 'max-age'; readonly ageMs: number }

export type Grid = Extra & {
  readonly version: number
  readonly contractRevision: string
  readonly createdAt: string
  readonly createdByOpId: string
  readonly mode: 'greenfield' | 'brownfield'
  readonly languages: readonly string[]
  readonly boundedContexts: readonly BoundedContext[]
  /** Keyed `<concept>.<language>` (CONC-13). */
  readonly languageBindings: Readonly<Record<string, Binding>>
  /** Labels of ranks 0..3. */
  readonly depthLadder: readonly [string, string, string, string]
  readonly severityThreshold: Severity
  readonly insufficientBasisRoundsMax: number
  readonly remediationRoundsMax: number
  readonly residueNoteMaxBytes: number
  readonly modalPendingMaxLen: number
  readonly onTheSpotInterruptions: number
  readonly strictOpIdSeparation: boolean
  readonly retention: Retention
  readonly amendmentId: string | null
  readonly refusalOverride: string | null
  readonly arrows: readonly Arrow[]
  readonly residue: readonly ResidueEntry[]
}
