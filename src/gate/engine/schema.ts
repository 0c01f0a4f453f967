import type { Database } from 'better-sqlite3'

/** Version of the schema this program writes. It grows only with a change that older programs would misread (PERS-113). */
export const schemaVersion = 1

/** The tables as version 1 began. Nothing is added here: what came later is in `additions`, for files that exist (PERS-112). */
export const baseline = `
CREATE TABLE engine_meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

CREATE TABLE passes (
  pass_id TEXT PRIMARY KEY,
  role TEXT NOT NULL,
  context TEXT NOT NULL,
  arrow_id TEXT NOT NULL,
  grid_version INTEGER NOT NULL DEFAULT 0,
  state TEXT NOT NULL CHECK (state IN ('open','closed','aborted')),
  opened_at TEXT NOT NULL DEFAULT '',
  closed_at TEXT NOT NULL DEFAULT '',
  close_reason TEXT NOT NULL DEFAULT '',
  recovered_at TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX passes_state ON passes (state);
CREATE INDEX passes_arrow ON passes (arrow_id);
CREATE INDEX passes_role_context ON passes (role, context);

CREATE TABLE evaluation_runs (
  id TEXT PRIMARY KEY,
  clause_id TEXT NOT NULL,
  pass_id TEXT NOT NULL,
  arrow_id TEXT NOT NULL,
  grid_version INTEGER NOT NULL DEFAULT 0,
  depth_type_attestation_ref TEXT NOT NULL DEFAULT '',
  actual_tier INTEGER NOT NULL DEFAULT 0,
  min_depth_tier INTEGER NOT NULL DEFAULT 0,
  evaluator_concept TEXT NOT NULL DEFAULT '',
  evaluator_generation INTEGER NOT NULL DEFAULT 0,
  started_at TEXT NOT NULL DEFAULT '',
  completed_at TEXT NOT NULL DEFAULT '',
  start_status TEXT NOT NULL,
  end_status TEXT NOT NULL,
  result_json TEXT NOT NULL DEFAULT '',
  run_error TEXT NOT NULL DEFAULT '',
  recovery_source TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX evaluation_runs_clause ON evaluation_runs (clause_id);
CREATE INDEX evaluation_runs_pass ON evaluation_runs (pass_id);
CREATE INDEX evaluation_runs_arrow ON evaluation_runs (arrow_id);

CREATE TABLE findings (
  id TEXT PRIMARY KEY,
  arrow_id TEXT NOT NULL,
  type TEXT NOT NULL,
  severity INTEGER NOT NULL CHECK (severity BETWEEN 0 AND 4),
  status TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  raised_at TEXT NOT NULL,
  raised_by_role TEXT NOT NULL DEFAULT '',
  transition_count INTEGER NOT NULL DEFAULT 0,
  grid_version INTEGER NOT NULL DEFAULT 0,
  store_version INTEGER NOT NULL DEFAULT 0,
  updated_at TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX findings_arrow ON findings (arrow_id);
CREATE INDEX findings_status ON findings (status);
CREATE INDEX findings_severity ON findings (severity);
CREATE INDEX findings_arrow_severity ON findings (arrow_id, severity DESC, id);

CREATE TABLE finding_transitions (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  finding_id TEXT NOT NULL REFERENCES findings(id) ON DELETE CASCADE,
  from_status TEXT NOT NULL,
  to_status TEXT NOT NULL,
  role TEXT NOT NULL DEFAULT '',
  reason TEXT NOT NULL DEFAULT '',
  store_version INTEGER NOT NULL DEFAULT 0,
  at TEXT NOT NULL
) STRICT;
CREATE INDEX finding_transitions_finding ON finding_transitions (finding_id);

CREATE TABLE requirements (
  arrow_id TEXT NOT NULL,
  req_id TEXT NOT NULL,
  min_depth INTEGER NOT NULL CHECK (min_depth BETWEEN 1 AND 3),
  description TEXT NOT NULL DEFAULT '',
  store_version INTEGER NOT NULL DEFAULT 0,
  declared_at TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (arrow_id, req_id)
) STRICT;

CREATE TABLE classifications (
  arrow_id TEXT NOT NULL,
  req_id TEXT NOT NULL,
  observed INTEGER NOT NULL CHECK (observed BETWEEN 0 AND 3),
  evidence TEXT NOT NULL DEFAULT '',
  overwrite_count INTEGER NOT NULL DEFAULT 0,
  store_version INTEGER NOT NULL DEFAULT 0,
  classified_at TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (arrow_id, req_id)
) STRICT;

CREATE TABLE classification_overwrites (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  arrow_id TEXT NOT NULL,
  req_id TEXT NOT NULL,
  before_observed INTEGER NOT NULL,
  after_observed INTEGER NOT NULL,
  store_version INTEGER NOT NULL DEFAULT 0,
  at TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE TABLE grid_arrows (
  id TEXT NOT NULL,
  grid_version INTEGER NOT NULL,
  source_role TEXT NOT NULL,
  target_role TEXT NOT NULL,
  stratum TEXT NOT NULL,
  context TEXT NOT NULL,
  clauses_json TEXT NOT NULL DEFAULT '[]',
  requirements_json TEXT NOT NULL DEFAULT '[]',
  kind TEXT NOT NULL CHECK (kind IN ('append','on-the-spot')),
  declared_at TEXT NOT NULL,
  PRIMARY KEY (id, grid_version)
) STRICT;

CREATE TABLE amendments (
  id TEXT PRIMARY KEY,
  reason TEXT NOT NULL,
  source_arrow TEXT NOT NULL,
  target_role TEXT NOT NULL,
  contexts_json TEXT NOT NULL,
  finding_ids_json TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  created_at TEXT NOT NULL,
  drained_at TEXT
) STRICT;
CREATE INDEX amendments_drained ON amendments (drained_at, created_at);

CREATE TABLE attestations (
  attestation_id TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('depth-type','on-the-spot')),
  arrow_id TEXT NOT NULL,
  clause_id TEXT,
  op_id TEXT NOT NULL,
  attested_by_role TEXT NOT NULL,
  source_role TEXT NOT NULL DEFAULT '',
  target_role TEXT NOT NULL DEFAULT '',
  verdict TEXT NOT NULL CHECK (verdict IN ('pass','fail','insufficient-basis')),
  reason TEXT NOT NULL DEFAULT '',
  timestamp INTEGER NOT NULL,
  grid_version INTEGER NOT NULL,
  pass_id TEXT NOT NULL DEFAULT '',
  context TEXT NOT NULL DEFAULT '',
  stratum TEXT NOT NULL DEFAULT '',
  adversary_role TEXT NOT NULL DEFAULT '',
  unit TEXT NOT NULL DEFAULT '',
  unit_payload_json TEXT NOT NULL DEFAULT '',
  hint_json TEXT NOT NULL DEFAULT '{}',
  CHECK ((kind = 'on-the-spot' AND clause_id IS NULL) OR (kind = 'depth-type' AND clause_id IS NOT NULL)),
  CHECK (trim(source_role) = '' OR lower(trim(attested_by_role)) <> lower(trim(source_role))),
  CHECK (trim(target_role) = '' OR lower(trim(attested_by_role)) <> lower(trim(target_role))),
  CHECK (trim(adversary_role) = '' OR lower(trim(adversary_role)) <> lower(trim(source_role))),
  CHECK (trim(adversary_role) = '' OR lower(trim(adversary_role)) <> lower(trim(target_role)))
) STRICT;
CREATE INDEX attestations_arrow ON attestations (arrow_id);
CREATE INDEX attestations_clause ON attestations (clause_id) WHERE clause_id IS NOT NULL;

CREATE TABLE arrow_invalidations (
  arrow_id TEXT PRIMARY KEY,
  op_id TEXT NOT NULL,
  reason TEXT NOT NULL DEFAULT '',
  invalidated_at TEXT NOT NULL DEFAULT '',
  grid_version INTEGER NOT NULL DEFAULT 0
) STRICT;
`

type Addition =
  | { readonly table: string; readonly column: string; readonly type: string }
  | { readonly create: string; readonly sql: string }

/** What was added without a new version: a column, a table or an index, each made where it is missing (PERS-112). */
export const additions: readonly Addition[] = [
  { table: 'passes', column: 'remediation_outcome', type: 'TEXT' },
  { table: 'passes', column: 'remediation_rounds_used', type: 'INTEGER' },
  { table: 'passes', column: 'actual_tier', type: 'INTEGER' },
  { table: 'passes', column: 'arrow_status', type: 'TEXT' },
  { table: 'passes', column: 'opened_by_op_id', type: "TEXT NOT NULL DEFAULT ''" },
  { table: 'passes', column: 'artifact_digest', type: "TEXT NOT NULL DEFAULT ''" },
  { table: 'passes', column: 'dependency_digests_json', type: "TEXT NOT NULL DEFAULT ''" },
  { table: 'evaluation_runs', column: 'recovered_at', type: "TEXT NOT NULL DEFAULT ''" },
  { table: 'evaluation_runs', column: 'unevaluated_reason', type: "TEXT NOT NULL DEFAULT ''" },
  { table: 'findings', column: 'basis', type: "TEXT NOT NULL DEFAULT ''" },
  { table: 'findings', column: 'evidence', type: "TEXT NOT NULL DEFAULT ''" },
  { table: 'findings', column: 'locations_json', type: "TEXT NOT NULL DEFAULT '[]'" },
  { table: 'findings', column: 'target_clause', type: 'TEXT' },
  { table: 'findings', column: 'target_requirement', type: 'TEXT' },
  { table: 'finding_transitions', column: 'op_id', type: "TEXT NOT NULL DEFAULT ''" },
  { table: 'classifications', column: 'unevaluated', type: 'INTEGER NOT NULL DEFAULT 0' },
  { table: 'amendments', column: 'grid_version_after', type: 'INTEGER' },
  { table: 'attestations', column: 'attestation_ref', type: "TEXT NOT NULL DEFAULT ''" },
  {
    create: 'attestations_ref',
    sql: "CREATE INDEX attestations_ref ON attestations (attestation_ref) WHERE attestation_ref <> ''"
  },
  { table: 'arrow_invalidations', column: 'source', type: "TEXT NOT NULL DEFAULT 'operator'" },
  { table: 'arrow_invalidations', column: 'consumed_by_pass', type: 'TEXT' },
  {
    create: 'arrow_invalidation_log',
    sql: `CREATE TABLE arrow_invalidation_log (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      arrow_id TEXT NOT NULL,
      op_id TEXT NOT NULL,
      reason TEXT NOT NULL DEFAULT '',
      invalidated_at TEXT NOT NULL DEFAULT '',
      grid_version INTEGER NOT NULL DEFAULT 0,
      source TEXT NOT NULL DEFAULT 'operator',
      consumed_by_pass TEXT
    ) STRICT`
  },
  // The newest run of a clause in a pass is asked for at every start.
  {
    create: 'evaluation_runs_waiting',
    sql: "CREATE INDEX evaluation_runs_waiting ON evaluation_runs (pass_id) WHERE end_status = 'running'"
  },
  {
    create: 'arrow_invalidation_log_arrow',
    sql: 'CREATE INDEX arrow_invalidation_log_arrow ON arrow_invalidation_log (arrow_id)'
  },
  { table: 'arrow_invalidations', column: 'because', type: "TEXT NOT NULL DEFAULT ''" },
  { table: 'arrow_invalidation_log', column: 'because', type: "TEXT NOT NULL DEFAULT ''" }
]

/** Makes what is missing. To be called inside a transaction; on a file that has everything it changes nothing (PERS-112). */
export function addMissing(db: Database): void {
  for (const addition of additions) {
    if ('column' in addition) {
      if (hasColumn(db, addition.table, addition.column)) continue
      db.exec(`ALTER TABLE ${addition.table} ADD COLUMN ${addition.column} ${addition.type}`)
    } else if (!hasName(db, addition.create)) db.exec(addition.sql)
  }
}

/** What the columns of a table that this file lacks would hold, for reading it without a right to change it (PERS-600). */
export function defaultsOf(db: Database, table: string): Readonly<Record<string, string | number | null>> {
  const missing = additions.flatMap((addition) =>
    'column' in addition && addition.table === table && !hasColumn(db, table, addition.column) ? [addition] : []
  )
  return Object.fromEntries(missing.map(({ column, type }) => [column, defaultOf(type)]))
}

function defaultOf(type: string): string | number | null {
  const text = /DEFAULT '(.*)'$/.exec(type)?.[1]
  if (text !== undefined) return text
  return type.endsWith('DEFAULT 0') ? 0 : null
}

/** Whether a table has this column; how an old file is recognised (PERS-112). */
export function hasColumn(db: Database, table: string, column: string): boolean {
  return (db.pragma(`table_info(${table})`) as readonly { readonly name: string }[]).some(({ name }) => name === column)
}

/** Whether there is a table or an index of this name. */
export function hasName(db: Database, name: string): boolean {
  return db.prepare<[string], number>('SELECT 1 FROM sqlite_master WHERE name = ?').pluck().get(name) === 1
}
