/** What a typed line is (TERM-47). */
export type Line =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'command'; readonly name: string; readonly args: string }
  /** `!cmd`; `attached` is `!!cmd`, whose output goes in front of the next message. */
  | { readonly kind: 'shell'; readonly command: string; readonly attached: boolean }

/** A command that has to wait until the session is idle. */
export type Errand = Exclude<Line, { kind: 'text' }>

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
