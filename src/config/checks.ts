import type { ConfigSource } from './file.ts'
import { needsShell } from './paths.ts'
import { type Report, reportValue } from './report.ts'
import { templateEndpoints } from './template.ts'
import type { Config, ModelConfig } from './types.ts'

// What takes more than one key to judge, or has a wording of its own.

/** Every model that is named must be configured. */
export function checkReferences(report: Report, { models, routing, subAgent }: Config): void {
  const missing = (role: string, name: string) => {
    if (!(name in models)) report.problems.push(`${role} model '${name}' has no endpoint configured`)
  }
  missing('default', routing.defaultModel)
  if (routing.deepModel !== null) missing('deep', routing.deepModel)
  if (subAgent.defaultModel !== routing.defaultModel) missing('sub-agent', subAgent.defaultModel)
}

/** Values whose error has a text of its own. */
export function checkValues(
  report: Report,
  values: {
    readonly searchBackend: string
    readonly gateRank: number
  }
): void {
  const { searchBackend, gateRank } = values
  if (searchBackend !== 'duckduckgo')
    report.problems.push(`unknown web_search_backend ${JSON.stringify(searchBackend)}`)
  if (gateRank < 0 || gateRank > 3) report.problems.push(`gate_floor_escalate_at_rank = ${gateRank} out of 0..3`)
}

/** A path is taken as written, but for a leading `~/` (MEM-123). */
export function checkPath(report: Report, key: string, path: string): void {
  const problem = 'variables and ~user are not expanded; write the path out or begin it with ~/'
  if (needsShell(path)) reportValue(report, key, problem, path)
}

/** A file with a secret in it is for its owner's eyes only (CFG-007). */
export function checkSecrets(report: Report, secrets: readonly (string | null)[], { path, mode }: ConfigSource): void {
  if (secrets.every((secret) => secret === null) || (mode & 0o044) === 0) return
  const shown = mode.toString(8).padStart(4, '0')
  report.problems.push(`config holds a secret but mode ${shown} lets group or others read it; run chmod 0600 ${path}`)
}

/** One warning for each model nobody has given a real address yet (CFG-034). */
export function templateWarnings(models: Readonly<Record<string, ModelConfig>>): readonly string[] {
  return Object.values(models)
    .filter(({ endpoint }) => templateEndpoints.has(endpoint))
    .map(({ name }) => `model '${name}' still has the template endpoint`)
}
