import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ConfigFailure } from '../config/errors.ts'
import { loadConfig } from '../config/load.ts'
import { homePaths } from '../config/paths.ts'
import type { Config } from '../config/types.ts'
import { messageOf } from '../lib/error.ts'
import { runProcess } from '../platform/process.ts'
import { applySandboxPolicy, detectSandbox, systemSandboxProbe } from '../platform/sandbox.ts'
import { checkEndpoint, checkVault } from './doctor-servers.ts'
import type { DoctorCheck, DoctorResult, Handlers } from './handlers.ts'
import type { CliIo } from './io.ts'

/** Every check there is; those that need the configuration are left out when it cannot be read. */
export async function doctorChecks(io: CliIo, handlers: Handlers): Promise<readonly DoctorCheck[]> {
  const loaded = await tryLoad(io, handlers)
  const config = 'config' in loaded ? loaded.config : null
  return [
    { name: 'config', run: async () => configResult(loaded) },
    { name: 'key mode', run: async () => checkKeyModes(io) },
    { name: 'sandbox', run: async () => checkSandbox(io) },
    { name: 'git', run: () => checkProgram(io, 'git', 'failed') },
    { name: 'ripgrep', run: () => checkProgram(io, 'rg', 'note') },
    { name: 'sqlite', run: checkSqlite },
    ...(config === null ? [] : await configuredChecks(config, io, handlers))
  ]
}

async function configuredChecks(config: Config, io: CliIo, handlers: Handlers): Promise<readonly DoctorCheck[]> {
  return [
    { name: 'embedder', run: () => checkEmbedder(config) },
    ...(await handlers.doctorChecks(config)),
    ...Object.values(config.models).map((model) => ({
      name: `model ${model.name}`,
      run: () => checkEndpoint(model, io.env)
    })),
    ...(config.vault?.url == null ? [] : [{ name: 'vault', run: () => checkVault(config.vault?.url ?? '') }])
  ]
}

type Loaded = { readonly config: Config } | { readonly failure: ConfigFailure }

async function tryLoad(io: CliIo, handlers: Handlers): Promise<Loaded> {
  try {
    return { config: loadConfig({ env: io.env, checkKeys: await handlers.keyCheck() }) }
  } catch (failure) {
    if (failure instanceof ConfigFailure) return { failure }
    throw failure
  }
}

function configResult(loaded: Loaded): DoctorResult {
  if ('failure' in loaded) return { status: 'failed', text: loaded.failure.problems.join('; ') }
  const { path, warnings } = loaded.config
  return warnings.length === 0
    ? { status: 'ok', text: path }
    : { status: 'note', text: `${path}; ${warnings.join('; ')}` }
}

/** Device keys sign checkpoints; nobody else may read them. */
function checkKeyModes(io: CliIo): DoctorResult {
  const folder = homePaths(io.env).keys
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.key')) : []
  if (names.length === 0) return { status: 'note', text: 'no device key yet; the first session makes one' }
  const open = names.map((name) => join(folder, name)).filter((path) => (statSync(path).mode & 0o077) !== 0)
  if (open.length === 0) return { status: 'ok', text: `${names.length} private` }
  return { status: 'failed', text: `others can read ${open.join(', ')}; run chmod 0600 on it` }
}

function checkSandbox(io: CliIo): DoctorResult {
  const verdict = applySandboxPolicy(detectSandbox(systemSandboxProbe(io.env)), io.env)
  if (verdict.kind === 'refuse') return { status: 'failed', text: verdict.text }
  return { status: verdict.level === 'info' ? 'ok' : 'note', text: verdict.text }
}

async function checkProgram(io: CliIo, file: string, missing: 'failed' | 'note'): Promise<DoctorResult> {
  const { end, stdout } = await runProcess({
    file,
    args: ['--version'],
    cwd: io.cwd,
    env: { ...io.env },
    timeoutMs: 5_000
  })
  if (end.kind === 'exited' && end.code === 0)
    return { status: 'ok', text: stdout.bytes.toString('utf8').split('\n', 1)[0] ?? '' }
  const hint = missing === 'note' ? '; the built-in search takes its place' : ''
  if (end.kind === 'not-started' && end.code === 'ENOENT') return { status: missing, text: `not found${hint}` }
  return { status: missing, text: `does not work (${end.kind})${hint}` }
}

async function checkSqlite(): Promise<DoctorResult> {
  const { default: Database } = await import('better-sqlite3')
  const database = new Database(':memory:')
  try {
    return { status: 'ok', text: String(database.prepare('select sqlite_version()').pluck().get()) }
  } finally {
    database.close()
  }
}

async function checkEmbedder({ memory }: Config): Promise<DoctorResult> {
  const { modelPath, modelSha256, dimensions } = memory.embedder
  let size: number
  try {
    size = statSync(modelPath).size
  } catch {
    return { status: 'note', text: `no model at ${modelPath}; drift is not measured` }
  }
  const facts = `${modelPath} (${size} bytes, ${dimensions} dimensions configured)`
  if (modelSha256 === null) return { status: 'note', text: `${facts}; no digest configured` }
  try {
    const found = await sha256Of(modelPath)
    if (found === modelSha256) return { status: 'ok', text: facts }
    return { status: 'failed', text: `${modelPath} has sha256 ${found}, expected ${modelSha256}` }
  } catch (error) {
    return { status: 'failed', text: `cannot read ${modelPath}: ${messageOf(error)}` }
  }
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
