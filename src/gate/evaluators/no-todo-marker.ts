import { flagArg, textArg, textsArg } from './args.ts'
import { masked } from './mask.ts'
import { linesOf } from './read-text.ts'
import { evaluator, listed, stopIfCancelled, Undecided } from './result.ts'
import { conclude, scanTexts } from './scan.ts'

const linesPerCheck = 1024
/** Shown around a hit, in characters (CONC-47). */
const shownCharacters = 500

type Hit = {
  readonly file: string
  readonly line: number
  readonly marker: string
  readonly 'surrounding-text': string
}

/** No line carries a marker of unfinished work (CONC-46…49). */
export const noTodoMarker = evaluator(async (context) => {
  const markers = textsArg(context.args, 'markers')
  if (markers.length === 0) throw new Undecided('evaluator-error', 'no markers to look for')
  if (markers.includes('')) throw new Undecided('evaluator-error', 'an empty marker is in every line')
  const fold = flagArg(context.args, 'case-sensitive') ? (text: string) => text : foldCase
  const folded = markers.map(fold)
  const excluded = textsArg(context.args, 'exclude-prefixes')

  const hits: Hit[] = []
  const scan = await scanTexts(context, textArg(context.args, 'scope'), (file, text) => {
    for (const [index, line] of linesOf(text).entries()) {
      if (index % linesPerCheck === 0) stopIfCancelled(context)
      const found = firstMarker(fold(line), folded)
      if (found === null || isExcluded(line, excluded)) continue
      hits.push({
        file,
        line: index + 1,
        marker: line.slice(found.at, found.at + found.length),
        'surrounding-text': masked(around(line, found.at))
      })
    }
  })
  return conclude(scan, { fails: hits.length > 0, vacuous: scan.fileCount === 0, details: listed('hits', hits) })
})

/** The earliest marker in a line, the longest of several at one place. */
function firstMarker(
  line: string,
  markers: readonly string[]
): { readonly at: number; readonly length: number } | null {
  let best: { at: number; length: number } | null = null
  for (const marker of markers) {
    const at = line.indexOf(marker)
    if (at === -1) continue
    if (best === null || at < best.at || (at === best.at && marker.length > best.length))
      best = { at, length: marker.length }
  }
  return best
}

/**
 * Lower case, code point by code point (CONC-46); what would change its length stays as it is, so that a position in the folded text is
 * the same position in the original.
 */
export function foldCase(text: string): string {
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase()
  let folded = ''
  for (const char of text) {
    const lower = char.toLowerCase()
    folded += lower.length === char.length ? lower : char
  }
  return folded
}

function isExcluded(line: string, prefixes: readonly string[]): boolean {
  const start = line.trimStart()
  return prefixes.some((prefix) => prefix !== '' && start.startsWith(prefix))
}

/** The line, or of a long one the part around the hit. */
function around(line: string, at: number): string {
  if (line.length <= shownCharacters) return line.trim()
  const from = Math.max(0, Math.min(at - shownCharacters / 2, line.length - shownCharacters))
  return line.slice(from, from + shownCharacters).toWellFormed()
}
