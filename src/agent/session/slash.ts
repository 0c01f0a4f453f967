import type { CommandInfo } from '../../protocol/command.ts'
import type { Item } from './facts.ts'
import type { SessionState } from './state.ts'

/** One entry of the table of built-in commands; other wings add theirs through the session's options. */
export type SlashCommand = {
  readonly name: string
  readonly description: string
  /** `always` runs at once, whatever the session does; `idle` is refused while it is busy (SESS-037). */
  readonly when: 'always' | 'idle'
  /** Works for a while: shown as COMMAND, aborted by an interrupt (SESS-016). */
  readonly isLong?: boolean
  /** What it comes to. Expected trouble is a notice among the items, not a rejection. */
  run(args: string, context: CommandContext): readonly Item[] | Promise<readonly Item[]>
}

export type CommandContext = {
  readonly state: SessionState
  readonly signal: AbortSignal
  /** Built-in and file commands, as completion lists them (CTX-127). */
  commands(): readonly CommandInfo[]
}

/** The text of the refusal of SESS-037. */
export const busyText = 'busy: interrupt first, or queue it'

/** Lines of a command, printed as they are. */
export function output(command: string, ...lines: readonly string[]): Extract<Item, { kind: 'command-output' }> {
  return { kind: 'command-output', command, lines }
}
