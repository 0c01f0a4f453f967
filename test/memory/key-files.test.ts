import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { loadOrCreateDeviceKey, privatePemOf, publicPemOf, readPublicPem } from '../../src/memory/key-files.ts'
import { signHash } from '../../src/memory/sign.ts'
import { vector1, vectorKey, vectorSeed } from './support.ts'

const vectorFile =
  '-----BEGIN ED25519 PRIVATE KEY-----\nAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n-----END ED25519 PRIVATE KEY-----\n'
const publicBody = 'A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg='

function folder(): string {
  const path = join(mkdtempSync(join(tmpdir(), 'ghyll-keys-')), 'keys')
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

async function withKey(text: string, mode = 0o600) {
  const keys = folder()
  await loadOrCreateDeviceKey(keys, 'dev-1')
  writeFileSync(join(keys, 'dev-1.key'), text)
  chmodSync(join(keys, 'dev-1.key'), mode)
  return { keys, load: () => loadOrCreateDeviceKey(keys, 'dev-1') }
}

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

describe('device key files', () => {
  test('MEM-030, MEM-035: the first session makes both files with their modes, the second loads them', async () => {
    const keys = folder()
    const first = await loadOrCreateDeviceKey(keys, 'dev-1')
    expect([modeOf(keys), modeOf(join(keys, 'dev-1.key')), modeOf(join(keys, 'dev-1.pub'))]).toEqual([
      '700',
      '600',
      '644'
    ])
    const second = await loadOrCreateDeviceKey(keys, 'dev-1')
    expect([first.created, second.created, second.publicPem === first.publicPem]).toEqual([true, false, true])
    expect(readdirSync(keys)).toEqual(['dev-1.key', 'dev-1.pub'])
  })

  test('MEM-031, MEM-037: the seed of the vectors reads and writes as specified', async () => {
    expect(privatePemOf(vectorSeed)).toBe(vectorFile)
    const { keys, load } = await withKey(vectorFile)
    const key = await load()
    expect(signHash(key.privateKey, vector1.hash)).toBe(vector1.sig)
    expect(key.publicPem).toBe(`-----BEGIN ED25519 PUBLIC KEY-----\n${publicBody}\n-----END ED25519 PUBLIC KEY-----\n`)
    expect(readFileSync(join(keys, 'dev-1.pub'), 'utf8')).toBe(key.publicPem)
  })

  test('MEM-033: CRLF, wrapped base64 and text around are read', async () => {
    const wrapped = vectorFile.replace('AAECAwQFBgcICQ', 'AAECAwQF\r\nBgcICQ').replaceAll('\n', '\r\n')
    const { load } = await withKey(`my key\r\n${wrapped}\r\nthat was it`)
    expect((await load()).publicPem).toBe(publicPemOf(vectorKey))
  })

  test.each([
    [0o644, '0644'],
    [0o640, '0640'],
    [0o400, '0400']
  ])('MEM-034: mode %o is refused', async (mode, shown) => {
    const { load } = await withKey(vectorFile, mode)
    await expect(load()).rejects.toMatchObject({
      code: 'key-permissions',
      message: `private key has insecure permissions (${shown}), expected 0600`
    })
  })

  test('a folder that cannot be made is a failure with a hint, not a bug (INIT step 6)', async () => {
    const keys = folder()
    writeFileSync(keys, 'a file in its place')
    await expect(loadOrCreateDeviceKey(join(keys, 'below'), 'dev-1')).rejects.toMatchObject({
      code: 'key-permissions',
      hint: `${join(keys, 'below')} has to be a folder that you can write to`
    })
  })

  test.each([
    [
      '16 bytes',
      vectorFile.replace(/\n.*=\n/, '\nAAECAwQFBgcICQoLDA0ODw==\n'),
      'invalid private key length: got 16, want 32'
    ],
    ['no base64', vectorFile.replace('AAEC', '????'), 'invalid private key: not base64'],
    ['nothing', '', 'no ED25519 PRIVATE KEY block found'],
    ['another kind', vectorFile.replaceAll('PRIVATE', 'PUBLIC'), 'no ED25519 PRIVATE KEY block found']
  ])('MEM-032: a file with %s is refused and stays', async (_, text, message) => {
    const { keys, load } = await withKey(text)
    await expect(load()).rejects.toMatchObject({ code: 'key-invalid', message })
    expect(readFileSync(join(keys, 'dev-1.key'), 'utf8')).toBe(text)
  })

  test('public keys of others: read, or a problem', () => {
    expect(readPublicPem(`# laptop\n${publicPemOf(vectorKey)}`)).toMatchObject({ pem: publicPemOf(vectorKey) })
    expect(readPublicPem(vectorFile)).toEqual({ problem: 'no ED25519 PUBLIC KEY block found' })
    expect(readPublicPem(publicPemOf(vectorKey).padEnd(5000))).toEqual({ problem: 'larger than a key file' })
  })
})
