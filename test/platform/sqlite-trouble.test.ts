import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { sqliteTroubleOf } from '../../src/platform/sqlite-trouble.ts'

const withCode = (code: string) => Object.assign(new Error('trouble'), { code })

describe('trouble with a database', () => {
  test.each([
    ['SQLITE_BUSY', 'locked'],
    ['SQLITE_BUSY_SNAPSHOT', 'locked'],
    ['SQLITE_LOCKED', 'locked'],
    ['SQLITE_CORRUPT_INDEX', 'corrupt'],
    ['SQLITE_NOTADB', 'corrupt'],
    ['SQLITE_FULL', 'unavailable'],
    ['SQLITE_IOERR_FSYNC', 'unavailable'],
    ['ENOSPC', 'unavailable'],
    ['E2BIG', 'unavailable'],
    ['SQLITE_CONSTRAINT_PRIMARYKEY', null],
    ['SQLITE_ERROR', null],
    ['ERR_INVALID_ARG_TYPE', null]
  ])('%s is %s', (code, trouble) => {
    expect(sqliteTroubleOf(withCode(code))).toBe(trouble)
  })

  test('is told of a real file that is none, and of a bug is not', () => {
    const path = join(mkdtempSync(join(tmpdir(), 'ghyll-')), 'no.db')
    writeFileSync(path, 'this is no database, however long it may be looked at '.repeat(40))
    const db = new Database(path)
    expect(sqliteTroubleOf(thrownBy(() => db.prepare('SELECT * FROM sqlite_master').all()))).toBe('corrupt')
    expect(sqliteTroubleOf(thrownBy(() => new Database(':memory:').exec('no statement')))).toBe(null)
    expect(sqliteTroubleOf(new Error('without a code'))).toBe(null)
    db.close()
  })
})

function thrownBy(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}
