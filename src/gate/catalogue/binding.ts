import { parseDuration } from '../../lib/duration.ts'
import type { Binding, BindingProtocol } from '../../protocol/grid.ts'
import { isLanguageId } from '../runner/arrow-id.ts'
import type { Catalogue } from './types.ts'

export type BindingProblem = {
  readonly code:
    | 'binding-concept-empty'
    | 'binding-language-empty'
    | 'binding-command-empty'
    | 'language-binding-invalid'
  readonly key: string
  readonly message: string
}

export type ReadBinding = { readonly key: string; readonly binding: Binding } | { readonly problem: BindingProblem }

const usualTimeoutMs = 5 * 60_000
/** Mutation runs are long by nature (CONC-60). */
const mutationTimeoutMs = 60 * 60_000

const protocolsOf: Readonly<Record<string, readonly BindingProtocol[]>> = {
  'mutation-score': ['auto', 'json'],
  'acyclic-dependency-graph': ['auto', 'json', 'edges'],
  'no-orphan-symbol': ['auto', 'json']
}
const protocols: readonly BindingProtocol[] = ['auto', 'exit', 'json']

/**
 * Reads one declared binding: its key `<concept>.<language>` and its value, a command or a mapping (CONC-13, CONC-15). `value` is what
 * the YAML or the flag held. Nothing is run and nothing looked up on the PATH.
 */
export function readBinding(catalogue: Catalogue, rawKey: string, value: unknown): ReadBinding {
  const key = rawKey.trim()
  const refuse = (code: BindingProblem['code'], message: string): ReadBinding => ({
    problem: { code, key, message: `${code}: "${key}": ${message}` }
  })
  const invalid = (message: string) => refuse('language-binding-invalid', message)

  const dot = key.indexOf('.')
  const concept = dot === -1 ? key : key.slice(0, dot)
  const language = dot === -1 ? '' : key.slice(dot + 1)
  if (concept === '') return refuse('binding-concept-empty', 'nothing stands before the dot')
  if (language === '') return refuse('binding-language-empty', 'nothing stands behind the dot')
  const schema = catalogue.get(concept)
  if (schema === undefined) return invalid('unknown concept')
  if (!schema.languageBound) return invalid('the concept needs no binding')
  if (!isLanguageId(language)) return invalid('not a language id')

  const fields = typeof value === 'string' ? { command: value } : value
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return invalid('requires string or map')
  const read = readFields(fields as Record<string, unknown>, concept)
  if (typeof read === 'string') return invalid(read)
  const commands = [read.command, read.extractor, read.mapper]
  if (commands.some((command) => command?.trim() === '')) return refuse('binding-command-empty', 'the command is blank')
  if (read.command === null && (read.extractor === null || read.mapper === null))
    return refuse('binding-command-empty', 'no command')
  return { key, binding: read }
}

const knownFields: readonly string[] = ['command', 'protocol', 'timeout', 'env', 'extractor', 'mapper']

/** The binding, or what is wrong with a field. */
function readFields(fields: Record<string, unknown>, concept: string): Binding | string {
  const unknown = Object.keys(fields).find((name) => !knownFields.includes(name))
  if (unknown !== undefined) return `unknown field "${unknown}"`
  const { command = null, protocol = 'auto', timeout, env = [], extractor = null, mapper = null } = fields
  if (!isTextOrNull(command) || !isTextOrNull(extractor) || !isTextOrNull(mapper)) return 'commands are strings'
  if ((extractor !== null || mapper !== null) && concept !== 'no-orphan-symbol')
    return 'extractor and mapper belong to no-orphan-symbol alone'
  if (command !== null && (extractor !== null || mapper !== null)) return 'either a command, or extractor and mapper'
  const allowed = protocolsOf[concept] ?? protocols
  const named = allowed.find((known) => known === protocol)
  if (named === undefined) return `protocol is one of ${allowed.join(', ')}`
  const timeoutMs = timeout === undefined ? defaultTimeoutMs(concept) : parseDuration(String(timeout))
  if (timeoutMs === null) return 'timeout requires duration such as 5m'
  if (!Array.isArray(env) || !env.every(isVariableName)) return 'env is a list of variable names'
  return { command, protocol: named, timeoutMs, env, extractor, mapper }
}

/** How long a binding of this concept may run where it does not say, in milliseconds (CONC-15, CONC-60). */
export function defaultTimeoutMs(concept: string): number {
  return concept === 'mutation-score' ? mutationTimeoutMs : usualTimeoutMs
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string'
}

function isVariableName(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z_][A-Za-z0-9_]*$/.test(value)
}
