import type { RowWrite } from './tables/row.ts'

/** Rows that could not be written, latest value only, in the order in which they first failed (PERS-304). */
export interface DirtyRows {
  add(writes: readonly RowWrite[]): void
  /** A later write of the same row made it: the older value is of no use any more. */
  settle(writes: readonly RowWrite[]): void
  /** Tries each again by itself; stops at the first that fails for a reason of the whole store. */
  retry(write: (row: RowWrite) => 'written' | 'failed' | 'store-busy'): void
  size(): number
  /** How many rows of this table are not on disk. */
  sizeOf(table: string): number
}

/** No row is dirty at first (PERS-304). */
export function createDirtyRows(): DirtyRows {
  const rows = new Map<string, RowWrite>()
  const keyOf = ({ table, key }: RowWrite) => `${table}\n${key}`
  return {
    // Setting a known key keeps its place, which is what first-failed order needs.
    add: (writes) => writes.forEach((write) => void rows.set(keyOf(write), write)),
    settle: (writes) => writes.forEach((write) => void rows.delete(keyOf(write))),
    retry(write) {
      for (const [key, row] of [...rows]) {
        const outcome = write(row)
        if (outcome === 'store-busy') return
        if (outcome === 'written') rows.delete(key)
      }
    },
    size: () => rows.size,
    sizeOf: (table) => [...rows.values()].filter((row) => row.table === table).length
  }
}
