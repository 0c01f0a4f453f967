import { Command } from 'commander'

/** Wrong usage: the text after `ghyll: `, and the command whose usage follows it (null: none). Ends in exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly command: Command | null
  constructor(message: string, command: Command | null) {
    super(message)
    this.command = command
  }
}

/**
 * A command whose complaints have our words (CLI-001). Commander calls these methods when something is wrong; they are no part
 * of its declared interface, so the tests of every text stand guard when it is updated.
 */
export class GhyllCommand extends Command {
  /** What stands before its complaints. */
  get errorPrefix(): string {
    return 'ghyll'
  }

  override createCommand(name?: string): GhyllCommand {
    return new GhyllCommand(name)
  }

  unknownOption(flag: string): never {
    throw new UsageError(`unknown option "${flag.split('=', 1)[0]}"`, this)
  }

  _excessArguments(received: readonly string[]): void {
    const extra = received[this.registeredArguments.length]
    if (extra !== undefined) throw new UsageError(`unexpected argument "${extra}"`, this)
  }

  unknownCommand(): never {
    throw new UsageError(`unknown command "${this.args[0]}"`, null)
  }

  missingArgument(name: string): never {
    throw new UsageError(`missing argument <${name}>`, this)
  }

  optionMissingArgument(option: { readonly long?: string; readonly flags: string }): never {
    throw new UsageError(`option "${option.long ?? option.flags}" needs a value`, this)
  }
}

/** A command whose complaints bear its own name, like those of the commands below it (INIT-4, OPUI-600). */
export class NamedCommand extends GhyllCommand {
  override get errorPrefix(): string {
    const parent = this.parent instanceof NamedCommand ? this.parent.errorPrefix : 'ghyll'
    return `${parent} ${this.name()}`
  }

  override createCommand(name?: string): NamedCommand {
    return new NamedCommand(name)
  }
}
