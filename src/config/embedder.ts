import { lstatSync } from 'node:fs'
import { checkPath } from './checks.ts'
import { ConfigFailure } from './errors.ts'
import { readConfigFile } from './file.ts'
import { type Environment, expandHome, homeFolder, homePaths } from './paths.ts'
import { emptyReport, isTable, type Report } from './report.ts'
import { defaultEmbedder, sections } from './schema.ts'
import { readSection } from './sections.ts'
import { nestedIn, parseToml } from './toml.ts'
import type { MemoryConfig } from './types.ts'

/** The `[memory.embedder]` section. The default URL has a pinned digest, another one only a configured digest (MEM-121). */
export function readEmbedder(report: Report, raw: unknown, home: string): MemoryConfig['embedder'] {
  const embedder = readSection(report, 'memory.embedder', sections.embedder, raw)
  checkPath(report, 'memory.embedder.model_path', embedder.model_path)
  return {
    modelUrl: embedder.model_url,
    modelSha256: embedder.model_sha256 ?? pinOf(embedder.model_url),
    modelPath: expandHome(embedder.model_path, home),
    dimensions: embedder.dimensions,
    tokenizer: embedder.tokenizer
  }
}

/**
 * The same for `fetch-embedder`, which must work before anything is configured: a missing, unreadable, symlinked or malformed file means
 * defaults (MEM-120). Whether the URL may be used is the download's to say, at every hop (MEM-122). Throws `ConfigFailure` when there is
 * no home folder, or for a digest or path that cannot be meant (MEM-123).
 */
export function loadEmbedderConfig(env: Environment): MemoryConfig['embedder'] {
  const home = homeFolder(env)
  const raw = rawEmbedder(homePaths(env).config)
  const { model_url: url, ...rest } = isTable(raw) ? raw : {}
  const report = emptyReport()
  const embedder = readEmbedder(report, rest, home)
  if (report.problems.length > 0) throw new ConfigFailure('config-invalid', report.problems)
  if (typeof url !== 'string') return embedder
  return {
    ...embedder,
    modelUrl: url,
    modelSha256: typeof rest.model_sha256 === 'string' ? embedder.modelSha256 : pinOf(url)
  }
}

function pinOf(url: string): string | null {
  return url === defaultEmbedder.url ? defaultEmbedder.sha256 : null
}

function rawEmbedder(path: string): unknown {
  try {
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) return undefined
    return nestedIn(parseToml(readConfigFile(path)).memory, 'embedder')
  } catch (error) {
    if (error instanceof ConfigFailure) return undefined
    throw error
  }
}
