import type { CommandInfo } from '../../protocol/command.ts'
import type { Item } from './facts.ts'
import type { SessionState } from './state.ts'

/** What a typed line is (context.md section 9, TERM-47). */
export type Line =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'command'; readonly name: string; readonly args: string }
  /** `!cmd`; `attached` is `!!cmd`, whose output goes in front of the next message. */
  | { readonly kind: 'shell'; readonly command: string; readonly attached: boolean }

/** A command that has to wait until the session is idle. */
export type Errand = Exclude<Line, { kind: 'text' }>

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

/**
 * Reads one submitted text. A first word with a second `/` is a path and a leading `//` is ordinary text (CTX-125), so
 * only `/name` with optional arguments is a command. Names are compared without case (CTX-120).
 */
export function parseLine(text: string): Line {
  if (text.startsWith('!')) {
    const attached = text.startsWith('!!')
    const command = text.slice(attached ? 2 : 1).trim()
    return command === '' ? { kind: 'text', text } : { kind: 'shell', command, attached }
  }
  const match = /^\/([^\s/]*)(?:\s+([\s\S]*))?$/.exec(text)
  if (match === null) return { kind: 'text', text }
  const [, name = '', args = ''] = match
  return { kind: 'command', name: name.toLowerCase(), args: args.trim() }
}

/** Lines of a command, printed as they are. */
export function output(command: string, ...lines: readonly string[]): Extract<Item, { kind: 'command-output' }> {
  return { kind: 'command-output', command, lines }
}
