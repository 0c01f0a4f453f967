import type { Span, Style } from '../theme/style.ts'
import type { Highlighter } from './pen.ts'

/** The highlighter with its languages: a large module that the first frame does not need (TERM-70), so it is imported on demand. */
export async function loadHighlighter(): Promise<Highlighter> {
  const { default: hljs } = await import('highlight.js/lib/common')
  return (code, language) => {
    if (hljs.getLanguage(language) === undefined) return null
    const spans = htmlSpans(hljs.highlight(code, { language, ignoreIllegals: true }).value)
    // Before line ends other than LF it puts in one of its own; colours are worth less than the text.
    return spans.map(({ text }) => text).join('') === code ? spans : [{ text: code, style: {} }]
  }
}

// The library's class names by what they mean to a reader; all others are plain.
const styles: Readonly<Record<string, Style>> = {
  comment: { tone: 'dim' },
  quote: { tone: 'dim' },
  meta: { tone: 'dim' },
  keyword: { tone: 'accent' },
  'selector-tag': { tone: 'accent' },
  literal: { tone: 'unevaluated' },
  number: { tone: 'unevaluated' },
  string: { tone: 'ok' },
  regexp: { tone: 'ok' },
  addition: { tone: 'ok' },
  deletion: { tone: 'fail' },
  title: { tone: 'role' },
  section: { tone: 'role', bold: true },
  name: { tone: 'role' },
  type: { tone: 'warn' },
  built_in: { tone: 'warn' },
  attr: { tone: 'role' },
  attribute: { tone: 'role' },
  strong: { bold: true },
  emphasis: { italic: true }
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'"
}

/** Spans of the library's output: nested `<span class="hljs-…">` around escaped text, and nothing else. */
function htmlSpans(html: string): Span[] {
  const spans: Span[] = []
  const open: Style[] = [{}]
  for (const [part] of html.matchAll(/<span class="[^"]*">|<\/span>|[^<]+/g)) {
    const current = open[open.length - 1] ?? {}
    if (part === '</span>') open.pop()
    else if (part.startsWith('<')) {
      const name = /hljs-([\w-]+)/.exec(part)?.[1] ?? ''
      open.push(styles[name] ?? current)
    } else
      spans.push({
        text: part.replace(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => entities[entity] ?? entity),
        style: current
      })
  }
  return spans
}
