import { Parser } from 'htmlparser2'

export type HtmlHandlers = {
  onopentag(name: string, attributes: Readonly<Record<string, string>>): void
  ontext(text: string): void
  /** Of the element opened last that is still open. */
  onclosetag(): void
}

/** Browsers stop nesting here too; beyond it the parser's own work would grow with every level. */
const maxDepth = 512
const chunkChars = 16 * 1024

/**
 * Runs the events of a page in linear time, whatever the page is made of (TOOL-084); every element that was opened is closed in the
 * end. Answers whether the page was left before its end, being nested beyond reason.
 */
export function walkHtml(html: string, handlers: HtmlHandlers): boolean {
  let depth = 0
  const parser = new Parser({
    onopentag(name, attributes) {
      depth += 1
      handlers.onopentag(name, attributes)
    },
    ontext: (text) => handlers.ontext(text),
    onclosetag() {
      depth -= 1
      handlers.onclosetag()
    }
  })
  for (let at = 0; at < html.length && depth < maxDepth; at += chunkChars) parser.write(html.slice(at, at + chunkChars))
  const isCut = depth >= maxDepth
  parser.end()
  return isCut
}
