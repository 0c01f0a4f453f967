import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigFailure } from '../../src/config/errors.ts'
import { type LoadOptions, loadConfig } from '../../src/config/load.ts'
import type { Config } from '../../src/config/types.ts'

/** A home folder of its own with `text` as its configuration. */
export function homeWith(text: string | Uint8Array | null, mode = 0o600): { home: string; path: string } {
  const home = mkdtempSync(join(tmpdir(), 'ghyll-home-'))
  const path = join(home, '.ghyll', 'config.toml')
  mkdirSync(join(home, '.ghyll'), { mode: 0o700 })
  if (text !== null) {
    writeFileSync(path, text)
    chmodSync(path, mode)
  }
  return { home, path }
}

export const minimal = '[models.m25]\nendpoint = "http://127.0.0.1:9/v1"\n'

/** Loads `text` from a real file. */
export function load(
  text: string,
  options: { env?: Record<string, string>; mode?: number; checkKeys?: LoadOptions['checkKeys'] } = {}
): Config {
  const { home } = homeWith(text, options.mode)
  const { checkKeys } = options
  return loadConfig({ env: { HOME: home, ...options.env }, ...(checkKeys === undefined ? {} : { checkKeys }) })
}

/** The problems that loading `text` ends in. */
export function problems(text: string, options?: Parameters<typeof load>[1]): readonly string[] {
  return failureOf(() => load(text, options)).problems
}

export function failureOf(act: () => unknown): ConfigFailure {
  try {
    act()
  } catch (error) {
    if (error instanceof ConfigFailure) return error
    throw error
  }
  throw new Error('expected a ConfigFailure')
}
