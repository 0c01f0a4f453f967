import { parseArgs } from 'node:util'

export type VaultCommand =
  | { readonly kind: 'version' }
  | { readonly kind: 'help' }
  | {
      readonly kind: 'serve'
      readonly config: string | null
      readonly listen: string | null
      readonly keysDir: string | null
      readonly verify: boolean
    }
  | { readonly kind: 'usage-error'; readonly problem: string }

/** The usage text (CLI-033). */
export const usage = `Usage: ghyll-vault [--config <file>] [--listen <address>] [--keys-dir <folder>]
       ghyll-vault version

Serves the checkpoints of a team over HTTP: push, and search by vector.

  --config <file>       configuration with a [vault] section (default: ~/.ghyll/config.toml)
  --listen <address>    host:port or :port (default: vault.listen, else :9090)
  --keys-dir <folder>   public keys of the devices, <device-id>.pub (default: vault.keys_dir, else ~/.ghyll/vault/devices)
  --insecure-no-verify  keep checkpoints without checking signatures; for tests only
`

/** Reads the command line without the program's name (CLI-033). */
export function readArguments(argv: readonly string[]): VaultCommand {
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true, strict: true })
    if (values.help === true) return { kind: 'help' }
    if (values.version === true || (positionals.length === 1 && positionals[0] === 'version'))
      return { kind: 'version' }
    if (positionals.length > 0) return { kind: 'usage-error', problem: `unexpected argument '${positionals[0]}'` }
    return {
      kind: 'serve',
      config: values.config ?? null,
      listen: values.listen ?? null,
      keysDir: values['keys-dir'] ?? null,
      verify: values['insecure-no-verify'] !== true
    }
  } catch (error) {
    if (error instanceof TypeError) return { kind: 'usage-error', problem: error.message.split('. ', 1)[0] ?? '' }
    throw error
  }
}

const options = {
  config: { type: 'string' },
  listen: { type: 'string' },
  'keys-dir': { type: 'string' },
  'insecure-no-verify': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' }
} as const
