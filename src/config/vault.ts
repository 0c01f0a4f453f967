import { checkPath, checkSecrets } from './checks.ts'
import { ConfigFailure } from './errors.ts'
import { readConfigFile } from './file.ts'
import { type Environment, expandHome, homeFolder } from './paths.ts'
import { emptyReport, type Report, reportValue } from './report.ts'
import { sections } from './schema.ts'
import { readSection } from './sections.ts'
import { parseToml } from './toml.ts'
import type { VaultConfig } from './types.ts'
import { httpUrl, isLoopback, withoutUserInfo } from './urls.ts'

/** The `[vault]` section, or null without one. A token is not sent over an open connection to another machine (MEM-099). */
export function readVault(report: Report, raw: unknown, home: string): VaultConfig | null {
  if (raw === undefined) return null
  const { url, token: given, keys_dir, listen, allow_segments } = readSection(report, 'vault', sections.vault, raw)
  const token = given?.trim() || null
  if (keys_dir !== undefined) checkPath(report, 'vault.keys_dir', keys_dir)
  if (url !== undefined && token !== null && isOpenAndRemote(url))
    reportValue(report, 'vault.url', 'must be https, as vault.token would be sent in the clear', withoutUserInfo(url))
  return {
    url: url ?? null,
    token,
    keysDir: keys_dir === undefined ? null : expandHome(keys_dir, home),
    listen: listen ?? null,
    allowSegments: allow_segments
  }
}

/**
 * The `[vault]` section alone, for the server, which talks to no model and so needs none configured (CLI-033). Throws `ConfigFailure`.
 */
export function loadVaultConfig(
  path: string,
  env: Environment
): { readonly vault: VaultConfig | null; readonly warnings: readonly string[] } {
  const source = readConfigFile(path)
  const report = emptyReport()
  const vault = readVault(report, parseToml(source).vault, homeFolder(env))
  checkSecrets(report, [vault?.token ?? null], source)
  if (report.problems.length > 0) throw new ConfigFailure('config-invalid', report.problems)
  return { vault, warnings: report.warnings }
}

function isOpenAndRemote(text: string): boolean {
  const url = httpUrl(text)
  return url?.protocol === 'http:' && !isLoopback(url)
}
