import { parseDuration } from '../../lib/duration.ts'
import type { Args } from '../../protocol/grid.ts'
import { Undecided } from './result.ts'

// Arguments were validated when the grid was read; these readers only give them their type back. What does not fit after all leaves
// the clause unevaluated instead of judged by a guess.

/** A text. */
export function textArg(args: Args, name: string): string {
  const value = args[name]
  return typeof value === 'string' ? value : wrong(name, 'string')
}

/** A text, or null where the argument was left out. */
export function optionalText(args: Args, name: string): string | null {
  return args[name] === undefined || args[name] === null ? null : textArg(args, name)
}

/** A finite number. */
export function numberArg(args: Args, name: string): number {
  const value = args[name]
  return typeof value === 'number' && Number.isFinite(value) ? value : wrong(name, 'number')
}

/** A finite number, or null where the argument was left out. */
export function optionalNumber(args: Args, name: string): number | null {
  return args[name] === undefined || args[name] === null ? null : numberArg(args, name)
}

/** A boolean. */
export function flagArg(args: Args, name: string): boolean {
  const value = args[name]
  return typeof value === 'boolean' ? value : wrong(name, 'boolean')
}

/** A list of texts. */
export function textsArg(args: Args, name: string): readonly string[] {
  const value = args[name]
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) return wrong(name, 'list of string')
  return value
}

/** A map from text to text. */
export function mapArg(args: Args, name: string): ReadonlyMap<string, string> {
  const value = args[name]
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong(name, 'map')
  return new Map(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

/** Milliseconds. */
export function durationArg(args: Args, name: string): number {
  return parseDuration(textArg(args, name)) ?? wrong(name, 'duration')
}

function wrong(name: string, type: string): never {
  throw new Undecided('evaluator-error', `argument "${name}" requires ${type}`)
}
