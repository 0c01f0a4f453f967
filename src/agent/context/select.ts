import type { ContextEntry } from '../../protocol/entry.ts'
import { notesOf, splitTurns } from './active.ts'
import { headAndTail } from './shorten.ts'
import { share, type TokenCounter } from './tokens.ts'

/** Turns that a compaction or handoff leaves verbatim (CTX-020). */
export const preservedTurns = 3
/** A tool result above this many characters may be reduced to its head and tail inside preserved turns (CTX-021). */
const largeResultChars = 4000

export type Selection =
  | {
      readonly kind: 'selected'
      /** What the summary will stand for: notes and entries in order, never empty. */
      readonly summarise: readonly ContextEntry[]
      /** What stays, in order; long results may be shortened. */
      readonly keep: readonly ContextEntry[]
    }
  /** At most three turns and no notes (CTX-022), or a last turn that consists of its question alone. */
  | { readonly kind: 'nothing' }

/**
 * What to summarise and what to keep (CTX-020…022). `must` is for a compaction that has to make room, whatever the estimate
 * says: a reactive one, or a proactive one whose request would exceed the window (CTX-012). Without it, three turns or
 * fewer without notes are left alone.
 */
export function selectForCompaction(
  entries: readonly ContextEntry[],
  options: {
    readonly maxContext: number
    readonly counter: TokenCounter
    readonly correction?: number
    readonly must: boolean
  }
): Selection {
  const { maxContext, counter, correction = 1, must } = options
  const notes = notesOf(entries)
  const turns = splitTurns(entries)
  const fits = (some: readonly ContextEntry[], percent: number) =>
    counter.entries(some, correction) <= share(maxContext, percent)

  if (notes.length === 0 && turns.length <= preservedTurns && !must) return { kind: 'nothing' }

  for (let preserve = preservedTurns; preserve >= 1; preserve--) {
    const gone = [...notes, ...turns.slice(0, -preserve).flat()]
    if (gone.length === 0) continue
    const keep = turns.slice(-preserve).flat()
    const candidate = [keep, keep.map(shortened)].find((some) => fits(some, 60))
    if (candidate !== undefined) return { kind: 'selected', summarise: gone, keep: candidate }
  }
  return reduceLastTurn(notes, turns, (some) => fits(some, 40))
}

/** The last resort of CTX-021: of the last turn its user entry and the latest whole groups that fit. */
function reduceLastTurn(
  notes: readonly ContextEntry[],
  turns: readonly (readonly ContextEntry[])[],
  fits: (entries: readonly ContextEntry[]) => boolean
): Selection {
  const last = turns.at(-1) ?? []
  const question = last.filter((entry) => entry.kind === 'user')
  const groups = callGroups(last)
  const before = [...notes, ...turns.slice(0, -1).flat()]
  // With nothing else to summarise the oldest group has to go, or the call would have no subject.
  const floor = before.length === 0 ? 1 : 0

  let from = groups.length
  while (
    from > floor &&
    fits([
      ...question,
      ...groups
        .slice(from - 1)
        .flat()
        .map(shortened)
    ])
  )
    from--

  const summarise = [...before, ...groups.slice(0, from).flat()]
  if (summarise.length === 0) return { kind: 'nothing' }
  return { kind: 'selected', summarise, keep: [...question, ...groups.slice(from).flat().map(shortened)] }
}

/** An assistant entry with all results of its calls: the unit that is never split. */
function callGroups(turn: readonly ContextEntry[]): readonly (readonly ContextEntry[])[] {
  const groups: ContextEntry[][] = []
  for (const entry of turn) {
    if (entry.kind === 'assistant') groups.push([entry])
    else if (entry.kind === 'tool') groups.at(-1)?.push(entry)
  }
  return groups
}

function shortened(entry: ContextEntry): ContextEntry {
  if (entry.kind !== 'tool' || entry.text.length <= largeResultChars) return entry
  return { ...entry, text: headAndTail(entry.text, largeResultChars) }
}
