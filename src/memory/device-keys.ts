import type { KeyObject } from 'node:crypto'
import { type Db, guarded } from './database.ts'
import { readPublicPem } from './key-files.ts'

/** The first key seen for a device stays its key (MEM-056). */
export interface KeyStore {
  keyFor(device: string): KeyObject | null
  /** Canonical PEM of the device's key, or null. */
  pemFor(device: string): string | null
  /**
   * Registers a published key: `known` and `new` may be used, `changed` keeps the old one. `pem` is canonical, as `readPublicPem`
   * gives it.
   */
  pin(device: string, pem: string, nowMs: number): 'known' | 'new' | 'changed'
  /** Takes `pem` in place of whatever was there (`ghyll memory trust`). */
  trust(device: string, pem: string, nowMs: number): void
}

/** The pinned keys on an open database (MEM-056). Its methods throw `MemoryFailure`. */
export function openKeyStore(path: string, db: Db): KeyStore {
  const select = db.prepare<[string], { pem: string }>('SELECT pem FROM gx_key WHERE device = ?')
  const pemFor = (device: string) => guarded(path, 'read', () => select.get(device)?.pem ?? null)
  return {
    pemFor,
    keyFor(device) {
      const found = readPublicPem(pemFor(device) ?? '')
      return 'key' in found ? found.key : null
    },
    pin: (device, pem, nowMs) =>
      guarded(path, 'update', () => {
        const inserted = db.prepare('INSERT OR IGNORE INTO gx_key (device, pem, first_seen) VALUES (?, ?, ?)')
        if (select.get(device) === undefined && inserted.run(device, pem, nowMs).changes > 0) return 'new'
        return select.get(device)?.pem === pem ? 'known' : 'changed'
      }),
    trust: (device, pem, nowMs) =>
      guarded(path, 'update', () => {
        if (select.get(device)?.pem === pem) return
        db.prepare(
          `INSERT INTO gx_key (device, pem, first_seen) VALUES (?, ?, ?)
           ON CONFLICT (device) DO UPDATE SET pem = excluded.pem, first_seen = excluded.first_seen`
        ).run(device, pem, nowMs)
      })
  }
}
