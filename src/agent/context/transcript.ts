import type { ContextEntry } from '../../protocol/entry.ts'
import { splitTurns } from './active.ts'
import { headAndTail } from './shorten.ts'
import { share } from './tokens.ts'

/**
 * Entries as one plain text of `[user]`, `[assistant]` and `[tool <name>]` blocks, notes as `[<sub>]` (CTX-024). Reasoning is
 * left out. A line of an entry that looks like a block's first line is indented, so that no text can pretend to be another
 * speaker's.
 */
export function renderTranscript(entries: readonly ContextEntry[]): string {
  return entries.map(renderBlock).join('\n\n')
}

/**
 * The transcript in the fewest pieces whose prompt, lead-in and text stay within 90 % of the window (CTX-026). Pieces
 * end between turns; a turn too long for one piece is divided between its entries, and an entry too long for one is cut to its
 * head and tail. From the second piece on, a tenth of the room is left for the summary so far (`chunkMessage`).
 */
export function splitTranscript(
  entries: readonly ContextEntry[],
  options: { readonly maxContext: number; readonly prompt: string; readonly countText: (text: string) => number }
): readonly string[] {
  const room = chunkRoom(options)
  const fits = (text: string, isFirst: boolean) => options.countText(text) <= (isFirst ? room.first : room.later)

  const chunks: string[] = []
  let current = ''
  const place = (piece: string): boolean => {
    const joined = current === '' ? piece : `${current}\n\n${piece}`
    if (!fits(joined, chunks.length === 0)) return false
    current = joined
    return true
  }
  const close = () => {
    if (current !== '') chunks.push(current)
    current = ''
  }
  const placeBlock = (block: string) => {
    if (place(block)) return
    close()
    if (!place(block)) current = cutToFit(block, (text) => fits(text, chunks.length === 0))
  }

  for (const unit of unitsOf(entries)) {
    if (place(renderTranscript(unit))) continue
    close()
    if (place(renderTranscript(unit))) continue
    for (const entry of unit) placeBlock(renderBlock(entry))
  }
  close()
  return chunks
}

/** The user message of one summarising call: the piece, led in by the summary of the pieces before it (CTX-026). */
export function chunkMessage(
  chunk: string,
  previous: string | null,
  options: { readonly maxContext: number; readonly prompt: string; readonly countText: (text: string) => number }
): string {
  if (previous === null) return chunk
  const room = chunkRoom(options)
  const lead = cutToFit(previous.trim(), (text) => options.countText(leadIn(text)) <= room.first - room.later)
  return `${leadIn(lead)}${chunk}`
}

const leadIn = (summary: string) => `[summary of what came before]\n${summary}\n\n`

function chunkRoom(options: { maxContext: number; prompt: string; countText: (text: string) => number }) {
  const first = Math.max(1, share(options.maxContext, 90) - options.countText(options.prompt))
  return { first, later: Math.max(1, share(first, 90)) }
}

/** What a piece prefers to end after: all notes together, then each turn. */
function unitsOf(entries: readonly ContextEntry[]): readonly (readonly ContextEntry[])[] {
  const notes = entries.filter((entry) => entry.kind === 'note')
  return notes.length === 0 ? splitTurns(entries) : [notes, ...splitTurns(entries)]
}

function renderBlock(entry: ContextEntry): string {
  switch (entry.kind) {
    case 'note':
      return `[${entry.sub}]\n${quoted(entry.text)}`
    case 'user':
      return `[user]\n${quoted(entry.text)}`
    case 'tool':
      return `[tool ${entry.call.name.replace(/[\r\n\]]/g, '_')}]\n${quoted(entry.text)}`
    case 'assistant': {
      const calls = entry.toolCalls.map((call) => `(calls ${call.name} with ${call.arguments})`)
      return ['[assistant]', ...[entry.text, ...calls].filter((part) => part !== '').map(quoted)].join('\n')
    }
  }
}

function quoted(text: string): string {
  return text.replace(
    /^\[(?=(?:user|assistant|tool [^\]\n]{1,80}|summary[^\]\n]{0,40}|backfill|resume|handoff)\])/gim,
    ' ['
  )
}

/** The longest head and tail that fits, found by halving steps; at worst a few characters. */
function cutToFit(text: string, fits: (text: string) => boolean): string {
  if (fits(text)) return text
  let low = 0
  let high = text.length
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (fits(headAndTail(text, middle))) low = middle
    else high = middle
  }
  return headAndTail(text, low)
}
