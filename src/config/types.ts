import type { DialectFamily } from '../protocol/model.ts'
import type { RoutingConfig, SubAgentConfig } from '../protocol/settings.ts'

// The configuration after loading: checked, every default filled in, deeply frozen (CFG-009). Keys are camelCase here and
// snake_case in the file. Configuration travels as these values; no folder reads the file but this one.

export type { SubAgentConfig }

export type ModelConfig = {
  readonly name: string
  readonly endpoint: string
  /** As configured, or null when omitted (MODEL-006, MODEL-021). */
  readonly dialect: string | null
  readonly family: DialectFamily
  readonly maxContext: number
  /** Sent verbatim as the wire model, or null when omitted. */
  readonly model: string | null
  readonly apiKey: string | null
  readonly stampLabel: string
  readonly maxRequestBytes: number
  readonly priceInput: number | null
  readonly priceOutput: number | null
  readonly priceCached: number | null
}

export type MemoryConfig = {
  readonly branch: string
  readonly autoSync: boolean
  readonly syncIntervalSeconds: number
  readonly checkpointIntervalTurns: number
  readonly driftCheckIntervalTurns: number
  readonly driftThreshold: number
  readonly embedder: {
    readonly modelUrl: string
    readonly modelSha256: string | null
    readonly modelPath: string
    readonly dimensions: number
    readonly tokenizer: 'wordpiece' | 'hash'
  }
}

export type ToolsConfig = {
  readonly bashTimeoutSeconds: number
  readonly fileTimeoutSeconds: number
  readonly webTimeoutSeconds: number
  readonly webMaxResponseTokens: number
  readonly webSearchBackend: 'duckduckgo'
  readonly webSearchUrl: string
  readonly preferRipgrep: boolean
  /** -1 = off. */
  readonly maxResultBytes: number
}

export type WorkflowConfig = {
  /** 0 = unlimited. */
  readonly instructionBudgetTokens: number
  readonly fallbackFolders: readonly string[]
}

export type VaultConfig = {
  readonly url: string | null
  readonly token: string | null
  readonly keysDir: string | null
  readonly listen: string | null
  readonly allowSegments: boolean
}

export type UiConfig = {
  readonly mouse: boolean
  readonly screenReader: boolean
  readonly notify: 'bell' | 'osc9' | 'none'
}

export type Config = {
  readonly path: string
  readonly models: Readonly<Record<string, ModelConfig>>
  readonly routing: RoutingConfig
  readonly memory: MemoryConfig
  readonly tools: ToolsConfig
  readonly subAgent: SubAgentConfig
  readonly workflow: WorkflowConfig
  /** null without a `[vault]` section. */
  readonly vault: VaultConfig | null
  readonly ui: UiConfig
  readonly keys: Readonly<Record<string, readonly string[]>>
  /** Keys that the file set, dotted (`routing.deep_model`), so that omitted and explicit differ (CFG-008). */
  readonly given: ReadonlySet<string>
  /** Warnings to show at start, without glyph (CFG-005, CFG-034, MODEL-006). */
  readonly warnings: readonly string[]
}
