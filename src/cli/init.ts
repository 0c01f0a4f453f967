import { resolve } from 'node:path'
import { type GhyllCommand, NamedCommand, UsageError } from './command.ts'
import type { CliContext, Subcommand } from './subcommand.ts'

/** A command of the `init` family, which words a missing value in its own way (INIT-1, INIT-4). */
class InitCommand extends NamedCommand {
  override createCommand(name?: string): InitCommand {
    return new InitCommand(name)
  }

  override optionMissingArgument(option: { readonly long?: string; readonly flags: string }): never {
    throw new UsageError(`${option.long ?? option.flags} requires a value`, this)
  }
}

type InitFlags = {
  opId?: string
  language: string
  forceTraits?: true
  interactive?: true
  context?: readonly string[]
  bind?: readonly string[]
  set?: readonly string[]
  fit?: string
  overrideRefusal?: string
  dryRun?: true
}
type GridFlags = { opId?: string; dir: string }

/** `ghyll init` and its subcommands (INIT-1…5). Needs no configuration, model or repository. */
export const initCommand: Subcommand = (program, context) => {
  const init = new InitCommand('init')
  init.copyInheritedSettings(program)
  init
    .description('declare the gates of a project: its first grid')
    .argument('[project-dir]', 'folder of the project', '.')
    .option('--op-id <id>', 'who you are; every record bears it (required)')
    .option('--language <list>', 'languages of the project, comma-separated, or auto, or none', 'auto')
    .option('--force-traits', 'rewrite the block of guidelines in the project instructions')
    .option('--interactive', 'decide on every proposed clause')
    .option('--context <id>', 'declare a bounded context, <id> or <id>=<description>; repeatable', collect)
    .option('--bind <binding>', 'declare <concept>.<language>=<command>; repeatable', collect)
    .option('--set <setting>', 'a setting of the grid, <key>=<value>; repeatable', collect)
    .option('--fit <facts>', 'contexts=…,seams=…,novel=yes/no,critical=yes/no')
    .option('--override-refusal <text>', 'go on against a proposed refusal, for this reason')
    .option('--dry-run', 'print the grid, write nothing')
    .action(
      context.act(async (dir: string, flags: InitFlags) => {
        const { runInit } = await import('../app/init.ts')
        return runInit(
          {
            ...gridOptions({ dir, opId: flags.opId }, init, context),
            language: flags.language,
            forceTraits: flags.forceTraits === true,
            interactive: flags.interactive === true,
            contexts: flags.context ?? [],
            bindings: flags.bind ?? [],
            settings: flags.set ?? [],
            fit: flags.fit ?? null,
            overrideRefusal: flags.overrideRefusal ?? null,
            dryRun: flags.dryRun === true
          },
          context.io
        )
      })
    )
  addAttest(init, context)
  addRepoint(init, context)
  addAmend(init, context)
  program.addCommand(init)
}

function addAttest(init: GhyllCommand, context: CliContext): void {
  const command = withGridOptions(
    init.command('attest') as GhyllCommand,
    'vouch for every arrow of the grid as a whole'
  )
  command.action(
    context.act(async (flags: GridFlags) => {
      const { runAttest } = await import('../app/init.ts')
      return runAttest(gridOptions(flags, command, context), context.io)
    })
  )
}

function addRepoint(init: GhyllCommand, context: CliContext): void {
  const command = withGridOptions(
    init.command('repoint') as GhyllCommand,
    'name the version in force after the pointer was lost'
  )
  command.argument('<version>', 'v<N>').action(
    context.act(async (version: string, flags: GridFlags) => {
      const { runRepoint } = await import('../app/init.ts')
      return runRepoint({ ...gridOptions(flags, command, context), version }, context.io)
    })
  )
}

function addAmend(init: GhyllCommand, context: CliContext): void {
  const command = withGridOptions(init.command('amend') as GhyllCommand, 'decide on what the first grid deferred')
  command
    .argument('<act>', 'bind, skip or language')
    .argument('[words...]', '<arrow-id> <clause-id> <name>=<value>… | <arrow-id> <clause-id> <reason> | <language-id>')
    .action(
      context.act(async (act: string, words: readonly string[], flags: GridFlags) => {
        if (act !== 'bind' && act !== 'skip' && act !== 'language')
          throw new UsageError(`unknown act "${act}" (bind, skip or language)`, command)
        const { runAmend } = await import('../app/init.ts')
        return runAmend({ ...gridOptions(flags, command, context), act, words }, context.io)
      })
    )
}

function withGridOptions(command: GhyllCommand, description: string): GhyllCommand {
  return command
    .description(description)
    .option('--op-id <id>', 'who you are (required)')
    .option('--dir <path>', 'folder of the project', '.')
}

function gridOptions(
  flags: { readonly dir: string; readonly opId?: string | undefined },
  command: GhyllCommand,
  { io }: CliContext
) {
  // `ghyll init --op-id you attest` gives the option to the outer command.
  const opId = flags.opId ?? (command.optsWithGlobals().opId as string | undefined)
  if (opId === undefined) throw new UsageError('--op-id is required', command)
  return { opId, shownDir: flags.dir, dir: resolve(io.cwd, flags.dir) }
}

/** Values of a repeatable option, as they come. */
function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}
