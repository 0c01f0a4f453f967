import type { OfflineOptions } from '../app/offline/support.ts'
import { type GhyllCommand, NamedCommand, UsageError } from './command.ts'
import { folderOf } from './folder.ts'
import { wholeNumber } from './numbers.ts'
import type { CliContext } from './subcommand.ts'

export type OfflineFlags = { dir: string; timeout: string; json?: true; verbose?: true; force?: true }

/** Longest path of a folder, in bytes. */
const maxPathBytes = 4096

/** A group of commands that look at what the gate keeps, added to the program. */
export function offlineGroup(program: GhyllCommand, name: string, description: string): NamedCommand {
  const group = new NamedCommand(name)
  group.copyInheritedSettings(program)
  group.description(description)
  program.addCommand(group)
  return group
}

/** A subcommand of `group` with what all of them take (OPUI-600); `verbose` says what that adds. */
export function offlineCommand(
  group: NamedCommand,
  usage: string,
  description: string,
  verbose = 'tell more'
): NamedCommand {
  return (group.command(usage) as NamedCommand)
    .description(description)
    .option('--dir <path>', 'folder of the project', '.')
    .option('--timeout <seconds>', 'give up after this time', '60')
    .option('--verbose', verbose)
}

/** The common options as they were given. Throws `UsageError` or `NotADirectory`. */
export function offlineOptions(command: NamedCommand, flags: OfflineFlags, { io }: CliContext): OfflineOptions {
  if (Buffer.byteLength(flags.dir) > maxPathBytes)
    throw new UsageError(`option "--dir" is longer than ${maxPathBytes} bytes`, command)
  const seconds = wholeNumber(command, '--timeout', flags.timeout, 1, 86_400)
  return {
    dir: folderOf(flags.dir, io),
    timeoutMs: seconds * 1000,
    json: flags.json === true,
    verbose: flags.verbose === true
  }
}
