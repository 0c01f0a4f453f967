import { CommanderError } from 'commander'
import { Failure } from '../lib/error.ts'
import { version } from '../lib/version.ts'
import { GhyllCommand, UsageError } from './command.ts'
import type { Handlers } from './handlers.ts'
import type { CliIo } from './io.ts'
import { printError } from './print.ts'
import type { CliContext } from './subcommand.ts'
import { subcommands } from './subcommands.ts'

/** Runs one command line, without the program's name, and resolves to the exit code (CLI-001…003). Rejects only for bugs. */
export async function runCli(argv: readonly string[], handlers: Handlers, io: CliIo): Promise<number> {
  let exitCode = 0
  const program = buildProgram(handlers, io, (code) => {
    exitCode = code
  })
  try {
    await program.parseAsync(argv, { from: 'user' })
    return exitCode
  } catch (error) {
    return settle(error, io)
  }
}

/** The parser with every subcommand; `onExit` is told the exit code of the one that ran. */
function buildProgram(handlers: Handlers, io: CliIo, onExit: (code: number) => void): GhyllCommand {
  const context: CliContext = {
    handlers,
    io,
    act:
      (work) =>
      async (...args) =>
        onExit(await work(...args))
  }
  const program = new GhyllCommand('ghyll')
    .description('A terminal coding agent for models of your own, where work moves only through gates.')
    .version(`ghyll ${version}`, '--version', 'print the version')
    .helpOption('-h, --help', 'show this text')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ writeOut: io.out, writeErr: io.err, getOutHasColors: () => false, getErrHasColors: () => false })
  for (const add of subcommands) add(program, context)
  return program
}

function settle(error: unknown, io: CliIo): number {
  if (error instanceof UsageError) {
    printError(io, error.message, error.command instanceof GhyllCommand ? error.command.errorPrefix : undefined)
    if (error.command !== null) io.err(`\n${error.command.helpInformation({ error: true })}`)
    else io.err('run "ghyll help" for the list of commands\n')
    return 2
  }
  // Commander has printed what it had to: help or the version that were asked for, or the usage of a bare `ghyll` or group.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof Failure) {
    for (const line of error.message.split('\n')) printError(io, line)
    if (error.hint !== undefined) printError(io, error.hint)
    return 1
  }
  throw error
}
