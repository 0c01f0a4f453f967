import { join } from 'node:path'
import Database from 'better-sqlite3'
import { onTestFinished } from 'vitest'
import type { Checkpoint } from '../../src/memory/record.ts'
import { type MemoryStore, openMemoryStore } from '../../src/memory/store.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { signedRecord, vector1 } from './support.ts'

/** A path for a store; gone after the test. */
export function place(): string {
  return join(temporaryFolder(), 'home', 'memory.db')
}

/** An open store, closed after the test; it waits for others a tenth of a second only. */
export function open(path = place()): MemoryStore {
  const store = openMemoryStore(path, { busyTimeoutMs: 100 })
  onTestFinished(() => store.close())
  return store
}

/** The chain of the vectors. */
export const chain = { device: 'dev-1', repo: vector1.repo }

/** Appends to the chain as a session does. */
export function append(store: MemoryStore, fields: Partial<Checkpoint> = {}, nowNs = 1000n): Checkpoint {
  return store.append(chain, nowNs, (next) => signedRecord({ v: 2, ...fields, ...next }))
}

/** What a program that knows no rules does to the file. */
export function tamper(path: string, sql: string): void {
  const db = new Database(path)
  db.exec('DROP TRIGGER gx_checkpoints_no_update; DROP TRIGGER gx_checkpoints_no_delete')
  db.exec(sql)
  db.close()
}
