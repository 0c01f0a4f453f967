import { type DialectFamily, dialectFamilies } from '../protocol/model.ts'
import { environmentForm, findApiKey } from './api-key.ts'
import { resolveFamily } from './dialect-family.ts'
import type { Environment } from './paths.ts'
import { type Report, reportValue } from './report.ts'
import { hasControl, modelSchema } from './schema.ts'
import { readSection, tableOf } from './sections.ts'
import type { ModelConfig } from './types.ts'
import { hasUserInfo, httpUrl, isLoopback, withoutUserInfo } from './urls.ts'

/** Reads every `[models.<name>]` table. A model with a problem is in the result all the same, so that references to it hold. */
export function readModels(report: Report, raw: unknown, env: Environment): Readonly<Record<string, ModelConfig>> {
  const models: Record<string, ModelConfig> = Object.create(null) // a model may be called `constructor`
  for (const [name, table] of Object.entries(tableOf(report, 'models', raw))) {
    if (!/^[A-Za-z0-9._-]{1,64}$/.test(name))
      reportValue(report, 'models.<name>', 'must be 1 to 64 letters, digits, dots, dashes or underscores', name)
    models[name] = readModel(report, name, table, env)
  }
  checkEnvironmentForms(report, Object.keys(models))
  return models
}

function readModel(report: Report, name: string, raw: unknown, env: Environment): ModelConfig {
  const path = `models.${name}`
  const known = withoutLookAlikes(report, name, tableOf(report, path, raw))
  const read = readSection(report, path, modelSchema, known)
  const model: ModelConfig = {
    name,
    endpoint: read.endpoint?.trim() ?? '',
    dialect: read.dialect ?? null,
    family: familyOf(report, name, read.dialect),
    maxContext: read.max_context,
    model: read.model ?? null,
    apiKey: read.api_key?.trim() || null,
    stampLabel: read.stamp_label ?? name,
    maxRequestBytes: read.max_request_bytes,
    priceInput: read.price_input ?? null,
    priceOutput: read.price_output ?? null,
    priceCached: read.price_cached ?? null
  }
  if (model.model !== null && hasControl(model.model))
    report.problems.push(`model '${name}': model contains a control character`)
  if (read.stamp_label !== undefined && looksSecret(read.stamp_label))
    report.problems.push(`model '${name}': stamp_label looks like a secret`)
  if (typeof known.endpoint === 'string' || known.endpoint === undefined) checkEndpoint(report, model)
  checkKey(report, model, read.api_key, env)
  return model
}

const keyLookAlikes = new Set(['api_token', 'api_key', 'apikey', 'auth_token', 'auth_key', 'token', 'bearer', 'secret'])

/** Reports misspelt names of the key field (CFG-005) and leaves them out, so that they are not told a second time. */
function withoutLookAlikes(
  report: Report,
  name: string,
  table: Readonly<Record<string, unknown>>
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(table).filter(([key]) => {
      if (key === 'api_key' || !keyLookAlikes.has(key.toLowerCase().replaceAll('-', '_'))) return true
      report.problems.push(`unknown key "${key}" under [models.${name}] — did you mean 'api_key'?`)
      return false
    })
  )
}

function familyOf(report: Report, name: string, dialect: string | undefined): DialectFamily {
  const family = resolveFamily(dialect ?? name)
  if (family !== null) return family
  if (dialect === undefined)
    report.warnings.push(`model '${name}': no dialect set, assuming minimax`) // MODEL-006
  else
    report.problems.push(
      `model '${name}' has unknown dialect '${dialect}' (known families: ${dialectFamilies.join(', ')})`
    )
  return 'minimax'
}

function checkEndpoint(report: Report, { name, endpoint }: ModelConfig): void {
  if (endpoint === '') {
    report.problems.push(`model '${name}' has no endpoint`)
    return
  }
  const url = httpUrl(endpoint)
  const shown = shownEndpoint(endpoint)
  if (url === null) report.problems.push(`model '${name}' endpoint "${shown}": URL scheme not allowed`)
  else if (hasUserInfo(endpoint))
    report.problems.push(`model '${name}' endpoint "${shown}": user name and password are not allowed in the URL`)
  else if (/[?#]/.test(endpoint))
    report.problems.push(`model '${name}' endpoint "${shown}": a query or fragment is not allowed in the URL`)
}

/** Without user name and password, nor a query, which may hold a key just as well. */
const shownEndpoint = (endpoint: string) => withoutUserInfo(endpoint).replace(/[?#].*$/s, '')

/** Neither a key that breaks a header nor one that would travel readable for everyone on the way (MODEL-067). */
function checkKey(report: Report, model: ModelConfig, written: string | undefined, env: Environment): void {
  const { name, endpoint } = model
  if (written !== undefined && hasControl(written))
    report.problems.push(`model '${name}': api_key contains a control character`)
  const found = findApiKey(model, env)
  if (found === null) return
  if (found.variable !== null && hasControl(found.key))
    report.problems.push(`model '${name}': ${found.variable} contains a control character`)
  const url = httpUrl(endpoint)
  if (url?.protocol === 'http:' && !isLoopback(url))
    report.problems.push(
      `model '${name}': api_key would be sent in plain text to ${shownEndpoint(endpoint)}; use https`
    )
}

function checkEnvironmentForms(report: Report, names: readonly string[]): void {
  const owners = new Map<string, string>()
  for (const name of names) {
    const form = environmentForm(name)
    const owner = owners.get(form)
    if (owner === undefined) owners.set(form, name)
    else
      report.problems.push(
        `model keys "${owner}" and "${name}" both normalize to env var GHYLL_API_KEY_${form}; rename one`
      )
  }
}

/** MODEL-091: a label is printed into commits. */
function looksSecret(label: string): boolean {
  return /sk-.{12}|bearer |api_key|secret/i.test(label)
}
