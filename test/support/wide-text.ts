import { safeText } from '../../src/lib/safe-text.ts'
import { fc } from './laws.ts'

/** Text as it may stand on the screen: of every width, with line ends, broken nowhere in particular. */
export const wideText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 8 }),
      fc.constantFrom(
        ' ',
        '   ',
        '\n',
        'word',
        '日本語',
        '👨‍👩‍👧',
        '👍🏽',
        '🇩🇪',
        'e\u0301',
        'ᄀᄀᄀ',
        '한글',
        'a-very-long-word-without-spaces',
        '→'
      )
    ),
    { maxLength: 20 }
  )
  .map((parts) => safeText(parts.join('')))
/** Widths that make it wrap. */
export const narrowWidth = fc.integer({ min: 1, max: 30 })
