import { parse, TomlError, type TomlTable } from 'smol-toml'
import { ConfigFailure } from './errors.ts'
import type { ConfigSource } from './file.ts'

/** The file's tables. Throws `ConfigFailure` with the place of a syntax error and none of the text. */
export function parseToml({ path, text }: ConfigSource): TomlTable {
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    // The first line only: behind it the parser quotes the file, which may hold a key.
    const message = error.message.split('\n', 1)[0]?.replace('Invalid TOML document: ', '')
    throw new ConfigFailure('config-syntax', [`${path}:${error.line}:${error.column}: ${message}`])
  }
}

/** The table `key` inside another, or undefined. */
export function nestedIn(table: unknown, key: string): unknown {
  return typeof table === 'object' && table !== null ? (table as Record<string, unknown>)[key] : undefined
}
