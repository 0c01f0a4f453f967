import { describe, expect, test } from 'vitest'
import { parseSearchResults } from '../../../src/agent/tools/search-results.ts'

const backend = new URL('https://html.duckduckgo.com')
const wrapped = (url: string) => `//duckduckgo.com/l/?uddg=${encodeURIComponent(url)}&amp;rut=abc`
const result = (url: string, title: string, snippet: string) => `
  <div class="result results_links">
    <h2 class="result__title"><a rel="nofollow" class="result__a" href="${wrapped(url)}">${title}</a></h2>
    <div class="result__extras"><a class="result__url" href="${wrapped(url)}">  ${new URL(url).host}${new URL(url).pathname} </a></div>
    <a class="result__snippet" href="${wrapped(url)}">${snippet}</a>
  </div>`

describe('parseSearchResults (TOOL-091)', () => {
  test('address, title and excerpt; redirect links are unwrapped', () => {
    expect(
      parseSearchResults(result('https://a.org/x?y=1&z', 'A <b>title</b>', 'Some <b>text</b> &amp; more'), backend)
    ).toEqual([{ url: 'https://a.org/x?y=1&z', title: 'A title', snippet: 'Some text & more' }])
  })

  test('one per address, at most ten, in order', () => {
    const page = Array.from({ length: 15 }, (_, i) => result(`https://a.org/${i % 12}`, `t${i}`, 's')).join('')
    expect(parseSearchResults(page, backend).map(({ url }) => url)).toEqual(
      Array.from({ length: 10 }, (_, i) => `https://a.org/${i}`)
    )
  })

  test.each([
    ['own pages', '<a href="/html/?q=next">next</a><a href="https://duckduckgo.com/about">about</a>'],
    ['advertisements', '<a class="result__a" href="https://duckduckgo.com/y.js?ad_domain=x">ad</a>'],
    ['wrapped own pages', `<a href="${wrapped('https://help.duckduckgo.com/x')}">help</a>`],
    [
      'other schemes',
      `<a href="javascript:x()">x</a><a href="${wrapped('ftp://a.org')}">f</a><a href="mailto:a@b">m</a>`
    ],
    ['no link at all', '<p class="no-results">No results.</p>']
  ])('%s are no results', (_, page) => {
    expect(parseSearchResults(page, backend)).toEqual([])
  })

  test('a page of another make still yields addresses and titles', () => {
    const page = `<table><tr><td><a class="result-link" href="https://a.org">A</a></td></tr><tr><td class="result-snippet">text</td></tr></table>
      <a href="http://b.org/p">Plain</a>`
    expect(parseSearchResults(page, backend)).toEqual([
      { url: 'https://a.org/', title: 'A', snippet: 'text' },
      { url: 'http://b.org/p', title: 'Plain', snippet: '' }
    ])
  })
})

test('a page of elements that never end takes linear time (TOOL-092)', () => {
  const startedAt = performance.now()
  parseSearchResults(`<a href="https://a.example/">${'<b>x'.repeat(256 * 1024)}`, backend)
  parseSearchResults('<b>x'.repeat(256 * 1024), backend)
  expect(performance.now() - startedAt).toBeLessThan(10_000)
})
