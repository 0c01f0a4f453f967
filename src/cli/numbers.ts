import type { Command } from 'commander'
import { UsageError } from './command.ts'

/** The value of an option that takes a whole number from `least` to `most`. Throws `UsageError`. */
export function wholeNumber(command: Command, option: string, value: string, least: number, most?: number): number {
  const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
  if (number >= least && number <= (most ?? Number.MAX_SAFE_INTEGER)) return number
  const range = most === undefined ? `of at least ${least}` : `from ${least} to ${most}`
  throw new UsageError(`option "${option}" needs a whole number ${range}, got "${value}"`, command)
}
