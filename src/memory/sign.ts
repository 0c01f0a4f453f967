import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'

// Ed25519 keys are kept raw (MEM-031); these DER headers make of 32 bytes what the crypto library loads (MEM-032).
const privateHeader = Buffer.from('302e020100300506032b657004220420', 'hex')
const publicHeader = Buffer.from('302a300506032b6570032100', 'hex')

/** The private key of a raw 32-byte seed (MEM-032). */
export function privateKeyOf(seed: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([privateHeader, seed]), format: 'der', type: 'pkcs8' })
}

/** The public key of its raw 32 bytes (MEM-032). */
export function publicKeyOf(raw: Uint8Array): KeyObject {
  return createPublicKey({ key: Buffer.concat([publicHeader, raw]), format: 'der', type: 'spki' })
}

/** The raw 32 bytes of the public key that belongs to a key, private or public (MEM-031). */
export function rawPublicKey(key: KeyObject): Buffer {
  const spki = (key.type === 'private' ? createPublicKey(key) : key).export({ format: 'der', type: 'spki' })
  return spki.subarray(publicHeader.length)
}

/** Signs a checkpoint hash; the message is its 64 ASCII characters, not the digest (MEM-020). 128 lower-case hex digits. */
export function signHash(key: KeyObject, hash: string): string {
  return sign(null, Buffer.from(hash, 'ascii'), key).toString('hex')
}

/** Whether `sig`, hex of either case, is the key's signature of the hash (MEM-020). */
export function signatureMatches(key: KeyObject, hash: string, sig: string): boolean {
  if (!/^[0-9a-fA-F]{128}$/.test(sig)) return false
  return verify(null, Buffer.from(hash, 'ascii'), key, Buffer.from(sig, 'hex'))
}
