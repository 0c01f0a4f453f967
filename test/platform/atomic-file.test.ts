import fs, { mkdtempSync, readdirSync, readFileSync, readlinkSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFileExclusive, syncFolder, writeFileAtomic } from '../../src/platform/atomic-file.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ghyll-atomic-'))
})
const modeOf = (path: string) => statSync(path).mode & 0o777

describe('writeFileAtomic', () => {
  test('replaces the content and leaves nothing beside it', async () => {
    const path = join(folder, 'a')
    await writeFileAtomic(path, 'one')
    await writeFileAtomic(path, 'two')
    expect(readFileSync(path, 'utf8')).toBe('two')
    expect(readdirSync(folder)).toEqual(['a'])
  })

  test('keeps the permissions of the file it replaces and takes those it is given', async () => {
    const path = join(folder, 'a')
    writeFileSync(path, 'one', { mode: 0o640 })
    await writeFileAtomic(path, 'two')
    expect(modeOf(path)).toBe(0o640)
    await writeFileAtomic(path, 'three', { mode: 0o600 })
    expect(modeOf(path)).toBe(0o600)
  })

  test('replaces a symbolic link and leaves its target alone', async () => {
    const target = join(folder, 'target')
    const path = join(folder, 'link')
    writeFileSync(target, 'untouched')
    symlinkSync(target, path)
    await writeFileAtomic(path, 'mine')
    expect(readFileSync(target, 'utf8')).toBe('untouched')
    expect(readFileSync(path, 'utf8')).toBe('mine')
    expect(() => readlinkSync(path)).toThrow()
  })

  test('a write that fails leaves the old state and no temporary file', async () => {
    await expect(writeFileAtomic(join(folder, 'no', 'such'), 'x')).rejects.toMatchObject({ code: 'ENOENT' })
    const busy = join(folder, 'busy')
    await writeFileAtomic(join(folder, 'keep'), 'x')
    symlinkSync(folder, busy)
    await expect(writeFileAtomic(folder, 'x')).rejects.toThrow()
    expect(readdirSync(folder).sort()).toEqual(['busy', 'keep'])
  })
})

describe('createFileExclusive', () => {
  test('creates once with the mode asked for, then answers false and touches nothing', () => {
    const path = join(folder, 'a')
    expect(createFileExclusive(path, 'one', 0o600)).toBe(true)
    expect(createFileExclusive(path, 'two', 0o600)).toBe(false)
    expect(readFileSync(path, 'utf8')).toBe('one')
    expect(modeOf(path)).toBe(0o600)
    expect(readdirSync(folder)).toEqual(['a'])
  })

  test('does not write through a dangling link', () => {
    const path = join(folder, 'link')
    symlinkSync(join(folder, 'elsewhere'), path)
    expect(createFileExclusive(path, 'x', 0o600)).toBe(false)
    expect(readdirSync(folder)).toEqual(['link'])
  })

  test('trouble other than an existing file is the system error', () => {
    expect(() => createFileExclusive(join(folder, 'no', 'such'), 'x', 0o600)).toThrow(
      expect.objectContaining({ code: 'ENOENT' })
    )
  })
})

describe('syncFolder', () => {
  const real = fs.fsyncSync
  const syncFailingWith = (code: string): void => {
    fs.fsyncSync = () => {
      throw Object.assign(new Error(code), { code })
    }
    syncBuiltinESMExports()
  }
  afterEach(() => {
    fs.fsyncSync = real
    syncBuiltinESMExports()
  })

  test.each(['EINVAL', 'ENOTSUP', 'ENOSYS'])('leaves a file system alone that cannot do it: %s', (code) => {
    syncFailingWith(code)
    expect(() => syncFolder(folder)).not.toThrow()
  })

  test.each(['EIO', 'ENOSPC', 'EDQUOT'])(
    'does not take a disk that fails for one that synced: %s (ATT-440)',
    (code) => {
      syncFailingWith(code)
      expect(() => syncFolder(folder)).toThrow(expect.objectContaining({ code }))
    }
  )
})
