import type { AnchorEntry, EntryStatus, HistoryEntry } from '../../protocol/entry.ts'
import { type EntryId, entryId, stepId } from '../../protocol/ids.ts'
import { Damage } from './errors.ts'

/** One row of `history`; `body` holds what the other columns do not. */
export type HistoryRow = {
  readonly seq: number
  readonly id: string
  readonly kind: HistoryEntry['kind']
  readonly body: string
  readonly turn: number
  readonly step: string | null
  readonly status: EntryStatus
}

/** An anchor's body names what it keeps by `seq` (SESS-052). */
type AnchorBody = Pick<AnchorEntry, 'notes'> & { readonly kept: readonly { seq: number; text?: string }[] }

/** An entry as its row; `seqOf` gives the row number of an entry that an anchor keeps. */
export function encodeEntry(entry: HistoryEntry, seqOf: (id: EntryId) => number): Omit<HistoryRow, 'seq'> {
  const { id, kind, turn } = entry
  const row = { id, kind, turn, step: null, status: 'done' as const }
  switch (entry.kind) {
    case 'assistant': {
      const { step, status } = entry
      return { ...row, step, status, body: bodyOf(entry, ['id', 'kind', 'turn', 'step', 'status']) }
    }
    case 'compaction':
    case 'handoff': {
      const kept = entry.kept.map(({ entry: of, ...rest }) => ({ seq: seqOf(of), ...rest }))
      return { ...row, body: JSON.stringify({ notes: entry.notes, kept } satisfies AnchorBody) }
    }
    default:
      return { ...row, body: bodyOf(entry, ['id', 'kind', 'turn']) }
  }
}

/** The entry of a row, equal to the one that was encoded. Throws `Damage` for a row that cannot have been written here. */
export function decodeEntry(row: HistoryRow, idOf: (seq: number) => EntryId): HistoryEntry {
  const { kind, turn } = row
  const id = entryId(row.id)
  const body: unknown = JSON.parse(row.body)
  switch (kind) {
    case 'assistant':
      if (row.step === null) throw new Damage(`${row.id} is a reply without a step`)
      return { ...(body as object), kind, id, turn, step: stepId(row.step), status: row.status } as HistoryEntry
    case 'compaction':
    case 'handoff': {
      const { notes, kept } = body as AnchorBody
      return { kind, id, turn, notes, kept: kept.map(({ seq, ...rest }) => ({ entry: idOf(seq), ...rest })) }
    }
    default:
      return { ...(body as object), kind, id, turn } as HistoryEntry
  }
}

function bodyOf(entry: object, without: readonly string[]): string {
  return JSON.stringify(Object.fromEntries(Object.entries(entry).filter(([key]) => !without.includes(key))))
}
