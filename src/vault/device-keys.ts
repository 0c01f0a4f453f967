import type { KeyObject } from 'node:crypto'
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { systemCodeOf } from '../lib/error.ts'
import { isSafeSegment, type KeyLookup, keyFileCapBytes, readPublicPem } from '../memory/index.ts'

/** One byte more than a key file may have, to notice it (MEM-065). */
const readBytes = keyFileCapBytes + 1

/**
 * Looks keys up in a folder of `<device-id>.pub` files, at every push, so that a key added while the server runs counts (MEM-095). A
 * missing folder or file, or a file that holds no key, means the device is unknown.
 */
export function deviceKeys(folder: string): KeyLookup {
  return (device) => (isSafeSegment(device) ? readKey(join(folder, `${device}.pub`)) : null)
}

function readKey(path: string): KeyObject | null {
  const bytes = Buffer.alloc(readBytes)
  let count: number
  try {
    // Links are followed, as mounted secrets are links; a named pipe must not hold the server up.
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      count = readSync(descriptor, bytes)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    if (systemCodeOf(error) === undefined) throw error
    return null // whatever keeps the key from being read, the device stays unknown
  }
  const read = readPublicPem(bytes.toString('latin1', 0, count))
  return 'key' in read ? read.key : null
}
