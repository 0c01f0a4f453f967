import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { publicPemOf } from '../../src/memory/key-files.ts'
import { deviceKeys } from '../../src/vault/device-keys.ts'
import { temporaryFolder } from '../support/temporary.ts'

describe('keys of devices in a folder (MEM-095)', () => {
  test('a key that is put there counts at once, also behind a link; no key, no device', () => {
    const folder = temporaryFolder()
    const keyFor = deviceKeys(folder)
    expect(keyFor('dev-1')).toBe(null)
    const { publicKey } = generateKeyPairSync('ed25519')
    writeFileSync(join(folder, 'dev-1.pub'), publicPemOf(publicKey))
    expect(keyFor('dev-1')?.equals(publicKey)).toBe(true)
    mkdirSync(join(folder, 'mounted'))
    renameSync(join(folder, 'dev-1.pub'), join(folder, 'mounted/dev-1.pub'))
    symlinkSync('mounted/dev-1.pub', join(folder, 'dev-1.pub'))
    expect(keyFor('dev-1')?.equals(publicKey)).toBe(true)
    expect(keyFor('../dev-1')).toBe(null)
  })

  test('what is no file of text is no key, and a named pipe holds nobody up', () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'a-folder.pub'))
    execFileSync('mkfifo', [join(folder, 'a-pipe.pub')])
    writeFileSync(join(folder, 'a-text.pub'), 'no key')
    const keyFor = deviceKeys(folder)
    expect(['a-folder', 'a-pipe', 'a-text'].map(keyFor)).toEqual([null, null, null])
  })
})
