import type { OfflineOptions } from '../app/offline/support.ts'
import { GhyllCommand, UsageError } from './command.ts'
import { folderOf } from './folder.ts'
import { wholeNumber } from './numbers.ts'
import type { CliContext } from './subcommand.ts'

export type OfflineFlags = { dir: string; timeout: string; json?: true; verbose?: true; force?: true }

/** A command that looks at what the gate keeps; its complaints bear its own name, like those of the commands below it. */
export class OfflineCommand extends GhyllCommand {
  override get errorPrefix(): string {
    const parent = this.parent instanceof OfflineCommand ? this.parent.errorPrefix : 'ghyll'
    return `${parent} ${this.name()}`
  }

  override createCommand(name?: string): OfflineCommand {
    return new OfflineCommand(name)
  }
}

/** Longest path of a folder, in bytes. */
const maxPathBytes = 4096

/** A subcommand of `group` with what all of them take (OPUI-600). */
export function offlineCommand(group: OfflineCommand, usage: string, description: string): OfflineCommand {
  return (group.command(usage) as OfflineCommand)
    .description(description)
    .option('--dir <path>', 'folder of the project', '.')
    .option('--timeout <seconds>', 'give up after this time', '60')
    .option('--verbose', 'tell more')
}

/** The common options as they were given. Throws `UsageError` or `NotADirectory`. */
export function offlineOptions(command: OfflineCommand, flags: OfflineFlags, { io }: CliContext): OfflineOptions {
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
