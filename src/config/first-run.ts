import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { messageOf, systemCodeOf } from '../lib/error.ts'
import { createFileExclusive } from '../platform/atomic-file.ts'
import { ConfigFailure } from './errors.ts'
import { type LoadOptions, loadConfig } from './load.ts'
import { homePaths } from './paths.ts'
import { templateText } from './template.ts'
import type { Config } from './types.ts'

export type FirstRun =
  | { readonly kind: 'ready'; readonly config: Config }
  /** The program says so and exits with 0: the operator has addresses to fill in. `notice` is without glyph. */
  | { readonly kind: 'written' | 'being-written'; readonly path: string; readonly notice: string }

/**
 * The configuration for `ghyll run`, or a new one from the template when there is none (CFG-030). Should another process have
 * created it meanwhile, that one is loaded (CFG-031). `create` writes the template and answers false when the name is taken.
 * Throws `ConfigFailure`.
 */
export function openConfig(options: LoadOptions, create: (path: string) => boolean = writeTemplate): FirstRun {
  const existing = loadIfPresent(options)
  if (existing !== null) return { kind: 'ready', config: existing }

  const path = homePaths(options.env).config
  if (create(path))
    return { kind: 'written', path, notice: `wrote default config at ${path}; edit the model endpoints and re-run` }
  const theirs = loadIfPresent(options)
  if (theirs !== null) return { kind: 'ready', config: theirs }
  const notice = `${path} is being created by another ghyll process; try again`
  return { kind: 'being-written', path, notice }
}

function loadIfPresent(options: LoadOptions): Config | null {
  try {
    return loadConfig(options)
  } catch (error) {
    if (error instanceof ConfigFailure && error.code === 'config-missing') return null
    throw error
  }
}

function writeTemplate(path: string): boolean {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    return createFileExclusive(path, templateText, 0o600)
  } catch (error) {
    if (systemCodeOf(error) === undefined) throw error
    throw new ConfigFailure('config-unreadable', [`cannot write ${path}: ${messageOf(error)}`], error)
  }
}
