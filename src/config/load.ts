import type { TomlTable } from 'smol-toml'
import { checkReferences, checkSecrets, checkValues, templateWarnings } from './checks.ts'
import { readEmbedder } from './embedder.ts'
import { ConfigFailure } from './errors.ts'
import { type ConfigSource, readConfigFile } from './file.ts'
import { deepFreeze, frozenSet } from './freeze.ts'
import { type KeyCheck, readKeys } from './keys.ts'
import { readModels } from './models.ts'
import { type Environment, homeFolder, homePaths } from './paths.ts'
import { emptyReport, type Report, reportUnknown } from './report.ts'
import { foreignSections, sections } from './schema.ts'
import { readSection } from './sections.ts'
import { nestedIn, parseToml } from './toml.ts'
import type { Config } from './types.ts'
import { readVault } from './vault.ts'

export type LoadOptions = {
  readonly env: Environment
  /** Checks `[keys]` against the screen's key map; without it only the shapes are checked. */
  readonly checkKeys?: KeyCheck
}

/**
 * The configuration of `GHYLL_CONFIG` or `~/.ghyll/config.toml`: checked, every default filled in, deeply frozen (CFG-001…012).
 * Throws `ConfigFailure` with every problem there is; never writes.
 */
export function loadConfig(options: LoadOptions): Config {
  return parseConfig(readConfigFile(homePaths(options.env).config), options)
}

/** The same for text that is at hand. */
function parseConfig(source: ConfigSource, options: LoadOptions): Config {
  const file = parseToml(source)
  const report = emptyReport()
  const home = homeFolder(options.env)

  const models = readModels(report, file.models, options.env)
  const routing = readSection(report, 'routing', sections.routing, file.routing)
  const memory = readSection(report, 'memory', sections.memory, file.memory, ['embedder'])
  const embedder = readEmbedder(report, nestedIn(file.memory, 'embedder'), home)
  const tools = readSection(report, 'tools', sections.tools, file.tools)
  const subAgent = readSection(report, 'sub_agent', sections.sub_agent, file.sub_agent)
  const workflow = readSection(report, 'workflow', sections.workflow, file.workflow)
  const vault = readVault(report, file.vault, home)
  const ui = readSection(report, 'ui', sections.ui, file.ui)
  const keys = readKeys(report, file.keys, options.checkKeys)
  warnOfForeignTables(report, file)

  const config: Config = {
    path: source.path,
    models,
    routing: {
      defaultModel: routing.default_model,
      deepModel: routing.deep_model ?? null,
      contextDepthThreshold: routing.context_depth_threshold,
      toolDepthThreshold: routing.tool_depth_threshold,
      enableAutoRouting: routing.enable_auto_routing,
      gateFloorEscalateAtRank: routing.gate_floor_escalate_at_rank,
      gateFloorDisabled: routing.gate_floor_disabled
    },
    memory: {
      branch: memory.branch,
      autoSync: memory.auto_sync,
      syncIntervalSeconds: memory.sync_interval_seconds,
      checkpointIntervalTurns: memory.checkpoint_interval_turns,
      driftCheckIntervalTurns: memory.drift_check_interval_turns,
      driftThreshold: memory.drift_threshold,
      embedder
    },
    tools: {
      bashTimeoutSeconds: tools.bash_timeout_seconds,
      fileTimeoutSeconds: tools.file_timeout_seconds,
      webTimeoutSeconds: tools.web_timeout_seconds,
      webMaxResponseTokens: tools.web_max_response_tokens,
      webSearchBackend: 'duckduckgo',
      webSearchUrl: tools.web_search_url,
      preferRipgrep: tools.prefer_ripgrep,
      maxResultBytes: tools.max_result_bytes
    },
    subAgent: {
      defaultModel: subAgent.default_model ?? routing.default_model,
      maxTurns: subAgent.max_turns,
      tokenBudget: subAgent.token_budget,
      timeoutSeconds: subAgent.timeout_seconds
    },
    workflow: {
      instructionBudgetTokens: workflow.instruction_budget_tokens,
      fallbackFolders: workflow.fallback_folders
    },
    vault,
    ui: { mouse: ui.mouse, screenReader: ui.screen_reader, notify: ui.notify },
    keys,
    given: frozenSet(report.given),
    warnings: [...report.warnings, ...templateWarnings(models)]
  }
  checkReferences(report, config)
  checkValues(report, {
    searchBackend: tools.web_search_backend,
    gateRank: routing.gate_floor_escalate_at_rank
  })
  checkSecrets(report, [vault?.token ?? null, ...Object.values(models).map(({ apiKey }) => apiKey)], source)
  if (report.problems.length > 0) throw new ConfigFailure('config-invalid', report.problems)
  return deepFreeze(config)
}

const ownSections = new Set(['models', 'keys', ...Object.keys(sections).filter((name) => name !== 'embedder')])

function warnOfForeignTables(report: Report, file: TomlTable): void {
  for (const name of Object.keys(file)) {
    if (!ownSections.has(name) && !foreignSections.has(name)) reportUnknown(report, name)
  }
}
