import { fc } from './laws.ts'

/** Texts as they come from outside: words, wide and joined characters, controls, Markdown in pieces. */
export const foreignText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      {
        weight: 3,
        arbitrary: fc.constantFrom(
          'word ',
          'a',
          ' ',
          '\n',
          '\n\n',
          'longer words here ',
          'https://example.com/a/b?c=d '
        )
      },
      fc.string({ unit: 'grapheme', maxLength: 6 }),
      fc.string({ unit: 'binary', maxLength: 6 }),
      fc.constantFrom(
        '日本語',
        '👨‍👩‍👧',
        '👍🏽',
        '🇩🇪',
        'e\u0301',
        'ᄀᄀ',
        '\u0301',
        '\t',
        '\r\n',
        '\r',
        '\x1b[31m',
        '\x1b]52;c;AA',
        '\u202e',
        '\u200d'
      ),
      fc.constantFrom(
        '# ',
        '**',
        '*',
        '_',
        '`',
        '```',
        '```ts\n',
        '~~~\n',
        '- ',
        '1. ',
        '> ',
        '| a | b |\n|---|---|\n',
        '| 日本 | x |\n',
        '[a](b)',
        '<b>',
        '---\n',
        '    '
      )
    ),
    { maxLength: 30 }
  )
  .map((parts) => parts.join(''))
