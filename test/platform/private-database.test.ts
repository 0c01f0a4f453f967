import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { execa } from 'execa'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeDatabasePrivate } from '../../src/platform/private-database.ts'
import { temporaryFolder } from '../support/temporary.ts'

const modeOf = (path: string) => statSync(path).mode & 0o777
const both = [{ links: 'follow' }, { links: 'refuse' }] as const

describe('a database for its owner alone (MEM-040, PERS-104, SESS-024)', () => {
  test.each(both)('a new file has mode 0600 and so has what SQLite puts beside it, $links', (links) => {
    const path = join(temporaryFolder(), 'a.db')
    expect(makeDatabasePrivate(path, links)).toBeNull()
    const db = new Database(path)
    onTestFinished(() => void db.close())
    db.pragma('journal_mode = WAL')
    db.exec('CREATE TABLE t (a)')
    expect(['', '-wal', '-shm'].map((end) => modeOf(`${path}${end}`))).toEqual([0o600, 0o600, 0o600])
  })

  test('what is open to others is closed to them, and keeps its content', () => {
    const path = join(temporaryFolder(), 'a.db')
    for (const end of ['', '-wal', '-shm']) {
      writeFileSync(`${path}${end}`, 'kept')
      chmodSync(`${path}${end}`, 0o644)
    }
    expect(makeDatabasePrivate(path, { links: 'refuse' })).toBeNull()
    expect(['', '-wal', '-shm'].map((end) => modeOf(`${path}${end}`))).toEqual([0o600, 0o600, 0o600])
    expect(readFileSync(path, 'utf8')).toBe('kept')
  })

  test.each(['', '-wal', '-shm'])('a link at a.db%s is named where links are refused', (end) => {
    const folder = temporaryFolder()
    const path = join(folder, 'a.db')
    writeFileSync(join(folder, 'elsewhere'), 'precious')
    chmodSync(join(folder, 'elsewhere'), 0o644)
    symlinkSync(join(folder, 'elsewhere'), `${path}${end}`)
    expect(makeDatabasePrivate(path, { links: 'refuse' })).toBe(`${path}${end}`)
    expect(modeOf(join(folder, 'elsewhere'))).toBe(0o644)
    expect(makeDatabasePrivate(path, { links: 'follow' })).toBeNull()
  })

  test.each(both)('a folder in its place is named, $links', (links) => {
    const path = join(temporaryFolder(), 'a.db')
    mkdirSync(path)
    expect(makeDatabasePrivate(path, links)).toBe(path)
  })

  test('a lock that this process holds on it stays: nobody else may write meanwhile', async () => {
    const path = join(temporaryFolder(), 'a.db')
    makeDatabasePrivate(path, { links: 'refuse' })
    const db = new Database(path)
    onTestFinished(() => void db.close())
    db.exec('CREATE TABLE t (a); BEGIN EXCLUSIVE')
    makeDatabasePrivate(path, { links: 'refuse' })
    const write = `new (require('better-sqlite3'))(process.argv[1], { timeout: 0 }).exec('INSERT INTO t VALUES (1)')`
    const { exitCode, stderr } = await execa(process.execPath, ['-e', write, path], { reject: false })
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('database is locked')])
  })
})
