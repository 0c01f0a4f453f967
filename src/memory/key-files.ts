import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { assert } from '../lib/assert.ts'
import { messageOf, systemCodeOf } from '../lib/error.ts'
import { createFileExclusive, writeFileAtomic } from '../platform/atomic-file.ts'
import { MemoryFailure } from './errors.ts'
import { isSafeSegment } from './record.ts'
import { privateKeyOf, publicKeyOf, rawPublicKey } from './sign.ts'

// Key files are PEM around the raw 32 bytes (MEM-031), which no crypto library loads by itself.

export type DeviceKey = {
  readonly device: string
  readonly privateKey: KeyObject
  /** The text of `<device>.pub`, on disk and on the memory branch. */
  readonly publicPem: string
  /** This call made it: `generated signing key for device <id>` (INIT step 6). */
  readonly created: boolean
}

const keyBytes = 32
/** MEM-065 */
export const keyFileCapBytes = 4096

/**
 * The device's key, generated at the first session (MEM-030…035). The public file is written again when it is missing or differs.
 * Throws `MemoryFailure` (`key-permissions`, also for a folder nobody can write to, `key-invalid`).
 */
export async function loadOrCreateDeviceKey(folder: string, device: string): Promise<DeviceKey> {
  assert(isSafeSegment(device), `device id ${JSON.stringify(device)} is no safe path segment`)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const path = join(folder, `${device}.key`)
    // Somebody else's key made meanwhile is as good as ours; it is read like any other.
    const created = !exists(path) && createFileExclusive(path, newPrivatePem(), 0o600)
    const privateKey = loadPrivateKey(path)
    const publicPem = publicPemOf(privateKey)
    await renewPublicFile(join(folder, `${device}.pub`), publicPem)
    return { device, privateKey, publicPem, created }
  } catch (error) {
    if (error instanceof MemoryFailure || systemCodeOf(error) === undefined) throw error
    const hint = `${folder} has to be a folder that you can write to`
    throw new MemoryFailure('key-permissions', messageOf(error), { path: folder }, { hint, cause: error })
  }
}

/** The public key of a `.pub` text as canonical PEM and as key, or why it is none (MEM-031…033, MEM-065). */
export function readPublicPem(
  text: string
): { readonly pem: string; readonly key: KeyObject } | { readonly problem: string } {
  if (Buffer.byteLength(text) > keyFileCapBytes) return { problem: 'larger than a key file' }
  const raw = decodePem(text, 'PUBLIC')
  if (typeof raw === 'string') return { problem: raw }
  return { pem: encodePem('PUBLIC', raw), key: publicKeyOf(raw) }
}

/** The `.pub` text that belongs to a key (MEM-031). */
export function publicPemOf(key: KeyObject): string {
  return encodePem('PUBLIC', rawPublicKey(key))
}

/** The `.key` text of a seed (MEM-031, MEM-037). */
export function privatePemOf(seed: Uint8Array): string {
  return encodePem('PRIVATE', seed)
}

function loadPrivateKey(path: string): KeyObject {
  const mode = statSync(path).mode & 0o777
  if (mode !== 0o600 && process.platform !== 'win32') {
    const shown = mode.toString(8).padStart(4, '0')
    throw new MemoryFailure(
      'key-permissions',
      `private key has insecure permissions (${shown}), expected 0600`,
      { path },
      { hint: `run chmod 0600 ${path}` }
    )
  }
  const seed = decodePem(readFileSync(path, 'latin1').slice(0, keyFileCapBytes), 'PRIVATE')
  if (typeof seed !== 'string') return privateKeyOf(seed)
  throw new MemoryFailure(
    'key-invalid',
    seed,
    { path },
    { hint: `restore ${path}, or move it away and set GHYLL_DEVICE_ID to a new name` }
  )
}

/** A first session that is cut off between the two files leaves the second to the next one (MEM-035). */
async function renewPublicFile(path: string, pem: string): Promise<void> {
  if (!exists(path) || readFileSync(path, 'latin1') !== pem) await writeFileAtomic(path, pem, { mode: 0o644 })
}

function newPrivatePem(): string {
  const { privateKey } = generateKeyPairSync('ed25519')
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-keyBytes)
  return privatePemOf(seed)
}

function encodePem(kind: 'PRIVATE' | 'PUBLIC', raw: Uint8Array): string {
  const body = Buffer.from(raw).toString('base64')
  return `-----BEGIN ED25519 ${kind} KEY-----\n${body}\n-----END ED25519 ${kind} KEY-----\n`
}

/** The 32 bytes inside, whatever stands around and however the lines are broken (MEM-033); else what is wrong. */
function decodePem(text: string, kind: 'PRIVATE' | 'PUBLIC'): Buffer | string {
  const block = new RegExp(`-----BEGIN ED25519 ${kind} KEY-----([^-]*)-----END ED25519 ${kind} KEY-----`).exec(text)
  if (block === null) return `no ED25519 ${kind} KEY block found`
  const body = (block[1] ?? '').replace(/\s+/g, '')
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(body)) return `invalid ${kind.toLowerCase()} key: not base64`
  const raw = Buffer.from(body, 'base64')
  return raw.length === keyBytes ? raw : `invalid ${kind.toLowerCase()} key length: got ${raw.length}, want ${keyBytes}`
}

function exists(path: string): boolean {
  try {
    statSync(path)
    return true
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return false
    throw error
  }
}
