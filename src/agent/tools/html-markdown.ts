import { walkHtml } from './html-events.ts'
import { createMarkdownWriter, type MarkdownWriter } from './markdown-writer.ts'

// HTML to Markdown in one pass over the parser's events (TOOL-084). No tree is built and nothing is searched twice, so that the time
// is linear in the page's length whatever the page is made of.

/** Text of a page for a model: headings, paragraphs, links, lists, code, tables. `base` resolves relative links. */
export function htmlToMarkdown(html: string, base: string): string {
  const writer = createMarkdownWriter()
  const open: Closer[] = []
  let dropped = 0
  const isCut = walkHtml(html, {
    onopentag(name, attributes) {
      const close = dropped > 0 || isDropped(name, attributes) ? null : element(name, attributes, writer, base)
      if (close === null) dropped += 1
      open.push(close)
    },
    ontext(text) {
      if (dropped === 0) writer.text(text)
    },
    onclosetag() {
      const close = open.pop()
      if (close === null) dropped -= 1
      else close?.()
    }
  })
  return isCut ? `${writer.end()}\n\n[… nested too deeply, the rest is left out …]` : writer.end()
}

/** What to do when the element ends; null for one that is dropped with all it contains. */
type Closer = (() => void) | null
type Attributes = Readonly<Record<string, string>>

const droppedElements = new Set([
  'script',
  'style',
  'template',
  'svg',
  'iframe',
  'object',
  'canvas',
  'audio',
  'video',
  'math',
  'select',
  'datalist'
])

function isDropped(name: string, attributes: Attributes): boolean {
  if (droppedElements.has(name) || attributes.hidden !== undefined || attributes['aria-hidden'] === 'true') return true
  const style = attributes.style?.toLowerCase().replaceAll(' ', '') ?? ''
  return style.includes('display:none') || style.includes('visibility:hidden')
}

const paragraphs = new Set(
  'address article aside blockquote body details dialog dl fieldset figcaption figure footer form header hgroup main nav p section title'.split(
    ' '
  )
)
const lines = new Set('caption center dd div dt legend option summary'.split(' '))

function element(name: string, attributes: Attributes, writer: MarkdownWriter, base: string): () => void {
  const nothing = () => undefined
  switch (name) {
    case 'h1':
    case 'h2':
    case 'h3':
    case 'h4':
    case 'h5':
    case 'h6':
      return writer.block({ marker: `${'#'.repeat(Number(name.charAt(1)))} `, apart: true })
    case 'ul':
    case 'menu':
      return writer.list(null)
    case 'ol':
      return writer.list(Number.parseInt(attributes.start ?? '', 10) || 1)
    case 'li':
      return writer.item()
    case 'pre':
      return writer.preformatted(languageOf(attributes))
    case 'code':
    case 'kbd':
    case 'samp':
    case 'tt':
      return writer.code(languageOf(attributes))
    case 'a':
      return writer.link(resolveLink(attributes.href, base))
    case 'img':
      writer.text(attributes.alt === undefined || attributes.alt.trim() === '' ? '' : `[image: ${attributes.alt}]`)
      return nothing
    case 'br':
      writer.lineBreak()
      return nothing
    case 'hr':
      writer.block({ marker: '---', apart: true, isRule: true })()
      return nothing
    case 'table':
      return writer.table()
    case 'tr':
      return writer.row()
    case 'td':
    case 'th':
      return writer.cell()
    case 'blockquote':
      return writer.block({ continuation: '> ', marker: '> ', apart: true })
    default:
      if (paragraphs.has(name)) return writer.block({ apart: true })
      return lines.has(name) ? writer.block({ apart: false }) : nothing
  }
}

function languageOf({ class: classes = '' }: Attributes): string {
  const named = classes.split(' ').find((name) => name.startsWith('language-') || name.startsWith('lang-'))
  return named?.slice(named.indexOf('-') + 1) ?? ''
}

/** Absolute address of a link worth following, or null: scripts, data and places in the same page are only text. */
function resolveLink(href: string | undefined, base: string): string | null {
  if (href === undefined || href === '' || href.startsWith('#')) return null
  const url = URL.canParse(href, base) ? new URL(href, base) : null
  return url !== null && ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : null
}
