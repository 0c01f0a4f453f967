import type { Environment } from './paths.ts'
import type { Config, ModelConfig } from './types.ts'

/** The part of an environment variable that stands for a model key: upper case, `_` per foreign code point (MODEL-065). */
export function environmentForm(model: string): string {
  return [...model.toUpperCase()].map((each) => (/[A-Z0-9_]/.test(each) ? each : '_')).join('')
}

export type KeyOrigin = 'environment' | 'file'

/** The API key for requests to `model`, trimmed, or null. Asked for each request, of the model that is called (MODEL-065). */
export function resolveApiKey(model: Pick<ModelConfig, 'name' | 'apiKey'>, env: Environment): string | null {
  return findApiKey(model, env)?.key ?? null
}

/** The same with the place it came from: a variable's name or the file. */
export function findApiKey(
  model: Pick<ModelConfig, 'name' | 'apiKey'>,
  env: Environment
): { readonly key: string; readonly origin: KeyOrigin; readonly variable: string | null } | null {
  for (const variable of [`GHYLL_API_KEY_${environmentForm(model.name)}`, 'GHYLL_API_KEY']) {
    const key = env[variable]?.trim()
    if (key) return { key, origin: 'environment', variable }
  }
  const key = model.apiKey?.trim()
  return key ? { key, origin: 'file', variable: null } : null
}

/**
 * Every key and token this process could come upon, those that another one takes precedence over included: what must never be
 * shown, logged or kept (MODEL-066).
 */
export function knownSecrets({ models, vault }: Pick<Config, 'models' | 'vault'>, env: Environment): readonly string[] {
  const variables = Object.keys(env).filter((name) => name === 'GHYLL_API_KEY' || name.startsWith('GHYLL_API_KEY_'))
  const found = [
    ...variables.map((name) => env[name]),
    ...Object.values(models).map(({ apiKey }) => apiKey),
    vault?.token
  ]
  return [...new Set(found.map((secret) => secret?.trim() ?? '').filter((secret) => secret !== ''))]
}
