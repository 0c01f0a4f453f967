import { findApiKey } from './api-key.ts'
import type { Environment } from './paths.ts'
import { sections } from './schema.ts'
import type { Config, ModelConfig } from './types.ts'
import { withoutUserInfo } from './urls.ts'

/** One value in force and where it comes from (CLI-011). */
export type Effective = {
  readonly value: string | number | boolean | readonly string[] | null
  readonly origin: 'default' | 'file'
}

export type ConfigDescription = {
  readonly path: string
  /** By model name; `api_key` says `<unset>`, `<env>` or `<toml>`. */
  readonly models: Readonly<Record<string, Readonly<Record<string, Effective | string>>>>
  /** By section and key, spelled as in the file. */
  readonly sections: Readonly<Record<string, Readonly<Record<string, Effective>>>>
  readonly keys: Readonly<Record<string, readonly string[]>>
}

/** Everything in force, without any secret nor its length (CLI-032). */
export function describeConfig(config: Config, env: Environment): ConfigDescription {
  const section = (path: string, keys: readonly string[], values: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(keys.map((key) => [key, effective(config, `${path}.${key}`, values[camelCase(key)])]))
  const keysOf = (name: keyof typeof sections) => Object.keys(sections[name].shape)
  return {
    path: config.path,
    models: Object.fromEntries(
      Object.values(config.models).map((model) => [model.name, describeModel(config, model, env)])
    ),
    sections: {
      routing: section('routing', keysOf('routing'), config.routing),
      memory: section('memory', keysOf('memory'), config.memory),
      'memory.embedder': section('memory.embedder', keysOf('embedder'), config.memory.embedder),
      tools: section('tools', keysOf('tools'), config.tools),
      sub_agent: section('sub_agent', keysOf('sub_agent'), config.subAgent),
      workflow: section('workflow', keysOf('workflow'), config.workflow),
      ui: section('ui', keysOf('ui'), config.ui),
      ...(config.vault === null ? {} : { vault: describeVault(config, config.vault) })
    },
    keys: config.keys
  }
}

function describeModel(config: Config, model: ModelConfig, env: Environment): Record<string, Effective | string> {
  const at = (key: string, value: unknown) => effective(config, `models.${model.name}.${key}`, value)
  const key = findApiKey(model, env)
  return {
    endpoint: at('endpoint', withoutUserInfo(model.endpoint)),
    dialect: at('dialect', model.dialect ?? model.family),
    model: at('model', model.model ?? model.dialect ?? 'default'),
    max_context: at('max_context', model.maxContext),
    api_key: key === null ? '<unset>' : key.origin === 'environment' ? '<env>' : '<toml>',
    stamp_label: at('stamp_label', model.stampLabel),
    max_request_bytes: at('max_request_bytes', model.maxRequestBytes),
    price_input: at('price_input', model.priceInput),
    price_output: at('price_output', model.priceOutput),
    price_cached: at('price_cached', model.priceCached)
  }
}

/** The token is left out altogether: even whether it is set is nobody's business here. */
function describeVault(config: Config, vault: NonNullable<Config['vault']>): Record<string, Effective> {
  return {
    url: effective(config, 'vault.url', vault.url === null ? null : withoutUserInfo(vault.url)),
    keys_dir: effective(config, 'vault.keys_dir', vault.keysDir),
    listen: effective(config, 'vault.listen', vault.listen),
    allow_segments: effective(config, 'vault.allow_segments', vault.allowSegments)
  }
}

function effective(config: Config, key: string, value: unknown): Effective {
  return { value: (value ?? null) as Effective['value'], origin: config.given.has(key) ? 'file' : 'default' }
}

function camelCase(key: string): string {
  return key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}
