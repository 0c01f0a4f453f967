import { walkHtml } from './html-events.ts'

export type SearchResult = { readonly url: string; readonly title: string; readonly snippet: string }

const maxResults = 10
const resultClasses = { title: ['result__a', 'result-link'], snippet: ['result__snippet', 'result-snippet'] } as const

/**
 * Results on the backend's HTML page, in order, one per address (TOOL-091). Every link that leads away from the backend counts; the
 * class names only tell titles from snippets, so that a changed page still yields addresses.
 */
export function parseSearchResults(html: string, backend: URL): readonly SearchResult[] {
  const found = new Map<string, { title: string; snippet: string }>()
  // Of every open element, whether its text is gathered; and, of those that are, what there is of it and where it goes.
  const open: boolean[] = []
  const gathering: { readonly parts: string[]; readonly take: (text: string) => void }[] = []
  let current: string | null = null

  walkHtml(html, {
    onopentag(name, attributes) {
      const url = name === 'a' ? foreignUrl(attributes.href, backend) : null
      if (url !== null) current = url
      const classes = (attributes.class ?? '').split(' ')
      const isSnippet = resultClasses.snippet.some((known) => classes.includes(known))
      const isTitle = resultClasses.title.some((known) => classes.includes(known))
      const target = url ?? (isSnippet ? current : null)
      open.push(target !== null)
      if (target === null) return
      const entry = found.get(target) ?? { title: '', snippet: '' }
      found.set(target, entry)
      const take = (text: string) => {
        if (isSnippet) entry.snippet ||= text
        else if (isTitle) entry.title = text
        // The address itself is often a link too, and no title.
        else if (!target.includes(text.replaceAll(' ', ''))) entry.title ||= text
      }
      gathering.push({ parts: [], take })
    },
    ontext(text) {
      gathering.at(-1)?.parts.push(text)
    },
    onclosetag() {
      if (open.pop() !== true) return
      const ended = gathering.pop()
      ended?.take(ended.parts.join('').split(/\s+/).join(' ').trim())
    }
  })
  return [...found].slice(0, maxResults).map(([url, entry]) => ({ url, ...entry }))
}

/** Where a link leads, with the backend's redirect taken off; null for its own pages and for anything but http and https. */
function foreignUrl(href: string | undefined, backend: URL): string | null {
  if (href === undefined || !URL.canParse(href, backend)) return null
  const url = new URL(href, backend)
  const wrapped = isOwn(url, backend) ? url.searchParams.get('uddg') : null
  const target = wrapped === null ? url : URL.canParse(wrapped) ? new URL(wrapped) : null
  if (target === null || isOwn(target, backend)) return null
  return target.protocol === 'http:' || target.protocol === 'https:' ? target.href : null
}

function isOwn(url: URL, backend: URL): boolean {
  return url.host === backend.host || url.hostname === 'duckduckgo.com' || url.hostname.endsWith('.duckduckgo.com')
}
