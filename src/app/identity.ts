import { hostname } from 'node:os'
import type { Environment } from '../config/index.ts'
import type { Clock } from '../lib/clock.ts'
import { type SessionId, sessionId } from '../protocol/ids.ts'

/** The device's name in session ids, chains and key files (MEM-012): a safe path segment, never empty. */
export function deviceId(env: Environment): string {
  const wanted = env.GHYLL_DEVICE_ID?.trim() || hostname()
  const safe = wanted.replace(/[^A-Za-z0-9._-]/gu, '-').replace(/\.{2,}/g, '-')
  return safe === '' || safe === '.' ? 'default' : safe
}

/** `<device>-<unix-nanoseconds>`, never twice the same in one process (SESS-022). */
export function newSessionId(device: string, clock: Pick<Clock, 'nowNs'>): SessionId {
  return sessionId(`${device}-${clock.nowNs()}`)
}
