import { execFileSync } from 'node:child_process'
import { copyFileSync, linkSync, lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openReadOnly, openStore, storePath } from '../../../src/gate/engine/database.ts'
import { watchStore } from '../../../src/gate/engine/store-watch.ts'
import { temporaryFolder } from '../../support/temporary.ts'

function place() {
  const projectDir = temporaryFolder()
  mkdirSync(join(projectDir, '.ghyll'))
  const db = openStore(projectDir)
  onTestFinished(() => void db.close())
  const put = db.prepare("INSERT INTO engine_meta (key, value) VALUES (?, 'x')")
  return { projectDir, path: storePath(projectDir), put: (key: string) => put.run(key), watch: watchStore(db), db }
}

/** Runs statements on a database as another program does, in a process of its own. */
function otherProgram(path: string, ...statements: readonly string[]): void {
  const code = `const d = new (require('better-sqlite3'))(process.argv[1]); for (const s of process.argv.slice(2)) d.exec(s)`
  execFileSync(process.execPath, ['-e', code, path, ...statements])
}

const forge = "INSERT INTO engine_meta (key, value) VALUES ('forged', 'x')"

describe('the store is ghyll’s alone while a session has it open (RUN-214)', () => {
  it('its own writes are no change, however many, and they reach the database now and then', () => {
    const { put, watch, path } = place()
    const before = lstatSync(path).size
    for (let n = 0; n < 2500; n += 1) {
      put(`k${n}`)
      if (n % 100 === 0) expect(watch.changed()).toBeNull()
    }
    expect(watch.changed()).toBeNull()
    expect(lstatSync(path).size).toBeGreaterThan(before)
  })

  it('a reader beside it is no change', () => {
    const { projectDir, put, watch } = place()
    put('ours')
    const reader = openReadOnly(projectDir)
    expect(reader?.prepare('SELECT count(*) FROM engine_meta').pluck().get()).toBe(2)
    reader?.close()
    expect(watch.changed()).toBeNull()
  })

  it('another program that writes through SQLite is one', () => {
    const { path, watch } = place()
    otherProgram(path, forge)
    expect(watch.changed()).toEqual({ suffix: '', reason: 'another program wrote to it' })
  })

  it('so is one that writes by another name, where its log is not ours', () => {
    const { path, put, watch, db } = place()
    put('ours')
    db.pragma('wal_checkpoint(TRUNCATE)')
    const other = watchStore(db)
    linkSync(path, `${path}.link`)
    otherProgram(`${path}.link`, forge, 'PRAGMA wal_checkpoint(TRUNCATE)')
    expect(other.changed()).toEqual({ suffix: '', reason: 'written to' })
    expect(watch.changed()).toEqual({ suffix: '', reason: 'written to' })
  })

  it('so are bytes that were changed in the file itself', () => {
    const { path, watch } = place()
    execFileSync('dd', [`of=${path}`, 'bs=1', 'seek=64', 'conv=notrunc'], {
      input: 'x',
      stdio: ['pipe', 'ignore', 'ignore']
    })
    expect(watch.changed()).toEqual({ suffix: '', reason: 'written to' })
  })

  it('so is a copy in its place, even one with the same content', () => {
    const { path, watch } = place()
    copyFileSync(path, `${path}.copy`)
    renameSync(`${path}.copy`, path)
    expect(watch.changed()).toEqual({ suffix: '', reason: 'another file is in its place' })
  })

  it.each(['-wal', '-shm'])(
    'so is %s gone or replaced: what is written from then on would be lost, or not be seen',
    (suffix) => {
      const { path, put, watch } = place()
      put('ours')
      rmSync(path + suffix)
      expect(watch.changed()).toEqual({ suffix, reason: 'another file is in its place' })
      writeFileSync(path + suffix, '')
      expect(watch.changed()).toEqual({ suffix, reason: 'another file is in its place' })
    }
  )

  it('keeps everything when the store is closed in order', () => {
    const { projectDir, path, put, watch, db } = place()
    put('ours')
    expect(watch.changed()).toBeNull()
    db.close()
    const again = new Database(path, { readonly: true })
    onTestFinished(() => void again.close())
    expect(again.prepare("SELECT count(*) FROM engine_meta WHERE key = 'ours'").pluck().get()).toBe(1)
    expect(projectDir).not.toBe('')
  })
})
