import { describe, expect, test } from 'vitest'
import { htmlToMarkdown } from '../../../src/agent/tools/html-markdown.ts'
import { fc, runs } from '../../support/laws.ts'

const convert = (html: string) => htmlToMarkdown(html, 'https://example.org/docs/page')

describe('htmlToMarkdown (TOOL-084)', () => {
  test.each([
    [
      'headings and paragraphs',
      '<h1>Title</h1><p>One\n  two.</p><p>Three.<h2>Sub</h2>text',
      '# Title\n\nOne two.\n\nThree.\n\n## Sub\n\ntext'
    ],
    ['inline elements leave blanks as they are', 'a <b>b</b>c<i> d </i>e', 'a bc d e'],
    ['entities', '<p>&lt;a&gt; &amp; &eacute; &#x1F600; &nbsp;x</p>', '<a> & é 😀 x'],
    ['line breaks', 'a<br>b<br/>c', 'a\nb\nc'],
    ['a rule', 'a<hr>b', 'a\n\n---\n\nb'],
    ['comments and doctype', '<!doctype html><!-- no -->yes', 'yes'],
    [
      'links: absolute, resolved, and those that lead nowhere',
      '<a href="https://a.b/c?d=1&amp;e">x</a> <a href="../up">y</a> <a href="#here">z</a> <a href="javascript:alert(1)">q</a> <a>r</a>',
      '[x](https://a.b/c?d=1&e) [y](https://example.org/up) z q r'
    ],
    ['an empty link vanishes', 'a<a href="/x"></a>b <a href="/y"> </a>c', 'ab c'],
    ['blanks belong outside of a link', 'see<a href="/x"> this </a>now', 'see [this](https://example.org/x) now'],
    [
      'a link ends before the next block',
      '<p><a href="/x">one</a></p><p>two</p>',
      '[one](https://example.org/x)\n\ntwo'
    ],
    ['an image by its text', '<img src="x.png" alt="A cat"> <img src="y.png">', '[image: A cat]'],
    ['bullets', '<ul><li>a</li><li>b<ul><li>c</li></ul></li><li>d</li></ul>after', '- a\n- b\n  - c\n- d\n\nafter'],
    ['numbers', '<ol start="9"><li>a<li>b<p>more</p></ol>', '9. a\n10. b\n\n    more'],
    ['quotes', '<blockquote><p>a</p><p>b</p></blockquote>c', '> a\n\n> b\n\nc'],
    ['code', 'call <code>f(x)</code>, <kbd>Esc</kbd>', 'call `f(x)`, `Esc`'],
    [
      'code blocks keep their blanks and name their language',
      '<pre><code class="x language-ts">\nif (a) {\n  <b>b</b>()\n\n}\n</code></pre>',
      '```ts\nif (a) {\n  b()\n\n}\n```'
    ],
    ['a fence outgrows its content', '<pre>```\nx\n```</pre>', '````\n```\nx\n```\n````'],
    ['a code block in a list', '<ul><li>a<pre>x\ny</pre></li></ul>', '- a\n\n  ```\n  x\n  y\n  ```'],
    [
      'tables',
      '<table><thead><tr><th>A</th><th>B</th></tr></thead><tr><td>1 | 2</td><td><p>x</p><p>y</p></td></tr><tr><td></td><td>z</td></tr></table>end',
      '| A | B |\n| --- | --- |\n| 1 \\| 2 | x y |\n|  | z |\n\nend'
    ],
    [
      'a table that lays out the page is text',
      '<table><tr><td>left</td><td><table><tr><td>a</td><td>b</td></tr></table></td></tr><tr><td>next</td></tr></table>',
      'left\n\n| a | b |\n| --- | --- |\n\nnext'
    ],
    [
      'a link in a table',
      '<table><tr><td><a href="/x">t</a></td></tr></table>',
      '| [t](https://example.org/x) |\n| --- |'
    ],
    ['scripts, styles, templates', '<script>if (a<b) x()</script><style>p{}</style><template>t</template>ok', 'ok'],
    [
      'hidden elements, with all they contain',
      '<p hidden>a<b>b</b></p><div style="color:red; DISPLAY: none">c<div>d</div></div><i aria-hidden="true">e</i><p style="visibility:hidden">f</p>g',
      'g'
    ],
    ['the title', '<head><title>T &amp; U</title></head><body><p>x</p></body>', 'T & U\n\nx'],
    ['broken markup', '<p>a<div>b</p></span><li>c</td>', 'a\n\nb\n\n- c'],
    ['nothing', '', '']
  ])('%s', (_, html, markdown) => {
    expect(convert(html)).toBe(markdown)
  })

  test('law: any markup is survived, and no tag gets through', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        ...'p b a ul ol li table tr td th pre code blockquote h1 script br div'
          .split(' ')
          .flatMap((t) => [`<${t}>`, `</${t}>`]),
        '<a href="/x">',
        '<p hidden>',
        ' ',
        '\n',
        '&amp;'
      ),
      fc.constantFrom('word', 'x')
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = convert(pieces.join(''))
        expect(text).not.toMatch(/<\/?(?:p|b|a|ul|ol|li|table|tr|td|th|pre|code|blockquote|h1|script|br|div)\b/)
        expect(text).not.toMatch(/\n{4}/)
      }),
      { numRuns: runs(300) }
    )
  })

  test.each([
    ['nested inline', (n: number) => '<b>'.repeat(n / 3)],
    ['nested lists', (n: number) => '<ul><li>'.repeat(n / 8)],
    ['nested quotes', (n: number) => '<blockquote>x'.repeat(n / 13)],
    ['nested tables', (n: number) => '<table><tr><td>x'.repeat(n / 16)],
    ['open links', (n: number) => '<a href="/x">y'.repeat(n / 14)],
    ['open angle brackets', (n: number) => '<'.repeat(n)],
    ['blanks', (n: number) => `a${' '.repeat(n)}b`],
    ['one long table row', (n: number) => `<table><tr>${'<td>x'.repeat(n / 5)}`],
    ['preformatted', (n: number) => `<pre>${'`\n'.repeat(n / 2)}`],
    ['attributes', (n: number) => `<p ${'a '.repeat(n / 2)}>`]
  ])('%s cost linear time', (_, make) => {
    const startedAt = performance.now()
    convert(make(1_000_000))
    expect(performance.now() - startedAt).toBeLessThan(2000)
  })

  test('a page nested beyond reason says that it was cut', () => {
    expect(convert('<b>x'.repeat(20_000))).toMatch(/\[… nested too deeply, the rest is left out …\]$/)
  })
})
