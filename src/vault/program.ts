import { once } from 'node:events'
import { mkdirSync, readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Environment, homePaths, loadVaultConfig, type VaultConfig } from '../config/index.ts'
import { Failure, messageOf, systemCodeOf } from '../lib/error.ts'
import { safeText } from '../lib/safe-text.ts'
import { version } from '../lib/version.ts'
import { parseAddress } from './address.ts'
import { readArguments, usage, type VaultCommand } from './arguments.ts'
import { deviceKeys } from './device-keys.ts'
import { serveVault } from './serve.ts'

/** What the program sees of its process. */
export type VaultProcess = {
  readonly env: Environment
  out(text: string): void
  err(text: string): void
  /** Aborts when the server shall end. */
  readonly stop: AbortSignal
}

/** Runs one command line of `ghyll-vault` to its end and resolves to the exit code (CLI-033). Rejects only for bugs. */
export async function runVault(argv: readonly string[], process: VaultProcess): Promise<number> {
  const command = readArguments(argv)
  switch (command.kind) {
    case 'version':
      process.out(`ghyll-vault ${version}\n`)
      return 0
    case 'help':
      process.out(usage)
      return 0
    case 'usage-error':
      process.err(`ghyll-vault: ${command.problem}\n\n${usage}`)
      return 2
    case 'serve':
      return serveUntilStopped(command, process)
  }
}

async function serveUntilStopped(
  command: Extract<VaultCommand, { kind: 'serve' }>,
  { env, out, err, stop }: VaultProcess
): Promise<number> {
  const say = (text: string) => err(`ghyll-vault: ${safeText(text)}\n`)
  try {
    const paths = homePaths(env)
    const { vault, warnings } = loadVaultConfig(command.config === null ? paths.config : resolve(command.config), env)
    if (vault === null) {
      say('no [vault] section in config')
      return 1
    }
    const listen = command.listen ?? vault.listen ?? ':9090'
    const address = parseAddress(listen)
    if (address === null) {
      say(`not an address to listen on: ${listen}`)
      return 1
    }
    const keysDir = command.keysDir === null ? (vault.keysDir ?? paths.vaultDevices) : resolve(command.keysDir)
    if (keysDir === paths.vaultDevices) makeKeysFolder(keysDir)
    for (const warning of [...warnings, ...startWarnings(vault, keysDir, command.verify)]) say(`warning: ${warning}`)

    const running = await serveVault({
      databasePath: paths.vaultDb,
      address,
      token: vault.token,
      allowSegments: vault.allowSegments,
      keyFor: command.verify ? deviceKeys(keysDir) : null,
      onError: (error) => say(`internal error: ${messageOf(error)}`)
    })
    out(`ghyll-vault listening on ${running.address}\n`)
    if (!stop.aborted) await once(stop, 'abort')
    await running.drain()
    return 0
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    for (const line of [...error.message.split('\n'), ...(error.hint === undefined ? [] : [error.hint])]) say(line)
    return 1
  }
}

function startWarnings({ token }: VaultConfig, keysDir: string, verify: boolean): readonly string[] {
  const warnings: string[] = []
  if (token === null) warnings.push('vault.token is not set; only requests from this machine are answered')
  if (!verify) warnings.push('--insecure-no-verify: signatures are not checked, anybody may write in any name')
  else if (!hasKeys(keysDir)) warnings.push(`no device keys in ${keysDir}; every push is refused until there are some`)
  return warnings
}

/** The usual place for keys is made for whoever is to put some there (MEM-095); one that was configured is not ours to make. */
function makeKeysFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    if (systemCodeOf(error) === undefined) throw error
    // Without it there are no keys, which is told next.
  }
}

function hasKeys(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => name.endsWith('.pub'))
  } catch (error) {
    if (systemCodeOf(error) === undefined) throw error
    return false
  }
}
