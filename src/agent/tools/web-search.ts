import { z } from 'zod'
import { countText } from '../../lib/count-text.ts'
import { seconds, withDeadline } from './deadline.ts'
import { ToolFailure } from './errors.ts'
import { parseSearchResults, type SearchResult } from './search-results.ts'
import { defineTool, type ToolYield } from './tool.ts'
import { fetchPage, parseWebUrl } from './web.ts'
import description from './web-search.md'
import { cleanWebText, decodePage, isTextType } from './web-text.ts'

const maxBytes = 1024 * 1024

/** Addresses, titles and snippets of a web search (TOOL-090…093). */
export const webSearch = defineTool({
  name: 'web_search',
  description,
  schema: z.object({ query: z.string().describe('What to search for') }),
  bind: (host) => (args, run) => {
    const backend = parseWebUrl(host.config.webSearchUrl)
    const limit = host.config.webTimeoutSeconds
    return withDeadline(
      { seconds: limit, signal: run.signal, timeoutText: `web search timed out after ${seconds(limit)}` },
      async (signal): Promise<ToolYield> => {
        const url = new URL('html/', backend.href.endsWith('/') ? backend : `${backend.href}/`)
        url.searchParams.set('q', args.query)
        const request = { url, maxBytes, subject: 'search backend', refusalPrefix: 'search ', accepts: isTextType }
        const page = await fetchPage(host, request, signal)
        if (!isTextType(page.type)) throw new ToolFailure('binary', 'binary content not supported')
        const results = parseSearchResults(decodePage(page), backend)
        return {
          output: cleanWebText(results.map(entry).join('\n')),
          meta: { summary: countText(results.length, 'result') }
        }
      }
    )
  }
})

function entry({ url, title, snippet }: SearchResult, index: number): string {
  const details = [title, snippet].filter((line) => line !== '')
  return [`${index + 1}. ${url}`, ...details.map((line) => `   ${line}`)].join('\n')
}
