import type { GhyllCommand } from './command.ts'
import type { Handlers } from './handlers.ts'
import type { CliIo } from './io.ts'

export type CliContext = {
  readonly handlers: Handlers
  readonly io: CliIo
  /** Wraps what a subcommand does; its answer is the exit code. */
  act<Args extends readonly unknown[]>(
    work: (...args: Args) => number | Promise<number>
  ): (...args: Args) => Promise<void>
}

/**
 * Adds one subcommand with its flags to `program`. The file that exports it holds the whole of it and is named in the list of
 * `subcommands.ts`; what it needs beyond flags and text it imports when it runs, so that the others start without it.
 */
export type Subcommand = (program: GhyllCommand, context: CliContext) => void
