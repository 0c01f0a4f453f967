import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { findStore, openReadOnly, openStore, storePath } from '../../../src/gate/engine/database.ts'
import { additions, addMissing, baseline, hasName } from '../../../src/gate/engine/schema.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const code = (text: string) => expect.objectContaining({ code: text })

function project() {
  const folder = temporaryFolder()
  mkdirSync(join(folder, '.ghyll'))
  return folder
}

/** A store as it stood before anything was added to the baseline. */
function oldStore(folder: string) {
  const db = new Database(storePath(folder))
  db.exec(baseline)
  db.exec("INSERT INTO engine_meta VALUES ('schema_version', '1')")
  db.exec("INSERT INTO passes (pass_id, role, context, arrow_id, state) VALUES ('p-1', 'analyst', 'c', 'a', 'closed')")
  return db
}

const schemaOf = (db: Database.Database) =>
  db.prepare('SELECT type, name, sql FROM sqlite_master ORDER BY type, name').all()

describe('opening the store (PERS-100…106)', () => {
  it('creates it with its pragmas, private to its owner', () => {
    const folder = project()
    expect(findStore(folder)).toBe('missing')
    const db = openStore(folder)
    const pragma = (name: string) => db.pragma(name, { simple: true })
    expect([pragma('journal_mode'), pragma('synchronous'), pragma('foreign_keys')]).toEqual(['wal', 2, 1])
    expect(pragma('busy_timeout')).toBe(1000)
    for (const suffix of ['', '-wal', '-shm'])
      expect(statSync(storePath(folder) + suffix).mode & 0o777, suffix).toBe(0o600)
    db.close()
    expect(findStore(folder)).toBe('there')
  })

  it('refuses a link that leads out of the project, and a folder in its place', () => {
    const outside = temporaryFolder()
    writeFileSync(join(outside, 'target'), '')
    const linked = project()
    symlinkSync(join(outside, 'target'), storePath(linked))
    expect(() => openStore(linked)).toThrow(`engine: store path escapes project: ${storePath(linked)}`)
    const dangling = project()
    symlinkSync(join(outside, 'none'), storePath(dangling))
    expect(() => openStore(dangling)).toThrow(code('store-path-escapes'))
    const around = temporaryFolder()
    symlinkSync(outside, join(around, '.ghyll'))
    expect(() => openStore(around)).toThrow(code('store-path-escapes'))
    const folder = project()
    mkdirSync(storePath(folder))
    expect(() => openStore(folder)).toThrow(code('store-not-a-file'))
    expect(() => openReadOnly(folder)).toThrow(code('store-not-a-file'))
  })

  it('takes a link that stays inside', () => {
    const folder = project()
    symlinkSync(join(folder, 'elsewhere.db'), storePath(folder))
    writeFileSync(join(folder, 'elsewhere.db'), '')
    openStore(folder).close()
    expect(statSync(join(folder, 'elsewhere.db')).size).toBeGreaterThan(0)
  })

  it.each([
    ['text', Buffer.from('this is no database, and it is long enough to be looked at as one'.repeat(10))],
    ['a torn header', null]
  ])('refuses a corrupt file (%s) and leaves it as it is', (_, bytes) => {
    const folder = project()
    if (bytes === null) {
      oldStore(folder).close()
      const whole = readFileSync(storePath(folder))
      whole.fill(0xff, 90, whole.length - 100)
      writeFileSync(storePath(folder), whole)
    } else writeFileSync(storePath(folder), bytes)
    const before = readFileSync(storePath(folder))
    for (const open of [() => openStore(folder), () => openReadOnly(folder)])
      expect(open).toThrow(
        expect.objectContaining({
          code: 'store-unreadable',
          message: expect.stringMatching(/^engine: store unreadable: /),
          hint: expect.stringContaining('move')
        })
      )
    expect(readFileSync(storePath(folder)).equals(before)).toBe(true)
  })
})

describe('versions and migrations (PERS-110…115)', () => {
  it.each([
    ['2', 'engine: schema version mismatch: db schema_version=2 > binary schema_version=1 (upgrade ghyll)'],
    ['one', 'engine: schema version unreadable'],
    [null, 'engine: schema version unreadable'],
    ['0', 'engine: schema version unreadable']
  ])('refuses version %s without writing a byte', (value, message) => {
    const folder = project()
    const db = oldStore(folder)
    if (value === null) db.exec('DELETE FROM engine_meta')
    else db.prepare('UPDATE engine_meta SET value = ?').run(value)
    db.close()
    const before = readFileSync(storePath(folder))
    expect(() => openStore(folder)).toThrow(message)
    expect(readFileSync(storePath(folder)).equals(before)).toBe(true)
  })

  it('refuses tables that are not ours', () => {
    const folder = project()
    const db = new Database(storePath(folder))
    db.exec('CREATE TABLE something (x)')
    db.close()
    expect(() => openStore(folder)).toThrow('engine: schema version unreadable')
  })

  it('brings a file of the baseline to the same schema as a fresh one; old rows have NULL or the default', () => {
    const [old, fresh] = [project(), project()]
    oldStore(old).close()
    const migrated = openStore(old)
    const made = openStore(fresh)
    expect(schemaOf(migrated)).toEqual(schemaOf(made))
    expect(migrated.prepare('SELECT * FROM passes').get()).toMatchObject({
      pass_id: 'p-1',
      remediation_outcome: null,
      opened_by_op_id: '',
      dependency_digests_json: ''
    })
    migrated.close()
    made.close()
  })

  it('changes nothing the second time, and completes what any subset of the additions left out', () => {
    const folder = project()
    openStore(folder).close()
    const whole = openStore(folder)
    const schema = schemaOf(whole)
    whole.transaction(() => addMissing(whole))()
    expect(schemaOf(whole)).toEqual(schema)
    whole.close()
    for (let n = 0; n < additions.length; n += 5) {
      const partial = project()
      const db = oldStore(partial)
      // A column of a table that is itself left out comes with it.
      for (const addition of additions.slice(n))
        if ('column' in addition && hasName(db, addition.table))
          db.exec(`ALTER TABLE ${addition.table} ADD COLUMN ${addition.column} ${addition.type}`)
      db.close()
      const opened = openStore(partial)
      expect(new Set(opened.pragma('table_info(passes)') as object[]).size).toBe(17)
      opened.close()
    }
  })

  it('rolls a migration back that fails, and leaves the file as it was', () => {
    const folder = project()
    const db = oldStore(folder)
    db.exec('DROP TABLE arrow_invalidations') // one of the last additions needs it
    const before = schemaOf(db)
    db.close()
    expect(() => openStore(folder)).toThrow(code('migration-failed'))
    const after = new Database(storePath(folder))
    expect(schemaOf(after)).toEqual(before)
    expect(after.prepare('SELECT count(*) AS n FROM passes').get()).toEqual({ n: 1 })
    after.close()
  })
})

describe('rules in the file itself (PERS-210)', () => {
  const row = {
    attestation_id: 'att-a-C1-v1',
    kind: 'depth-type',
    arrow_id: 'a',
    clause_id: 'C1' as string | null,
    op_id: 'alice',
    attested_by_role: 'operator',
    source_role: 'analyst',
    target_role: 'architect',
    verdict: 'pass',
    timestamp: 1n,
    grid_version: 1,
    adversary_role: ''
  }

  it.each([
    [{ kind: 'hearsay' }],
    [{ verdict: 'maybe' }],
    [{ kind: 'on-the-spot' }],
    [{ clause_id: null }],
    [{ attested_by_role: ' Analyst ' }],
    [{ attested_by_role: 'ARCHITECT' }],
    [{ adversary_role: 'analyst ' }],
    [{ adversary_role: 'Architect' }]
  ])('direct SQL that breaks one fails: %j', (changes) => {
    const folder = project()
    const db = openStore(folder)
    const insert = (values: object) => {
      const columns = Object.keys(values)
      db.prepare(`INSERT INTO attestations (${columns}) VALUES (${columns.map((name) => `@${name}`)})`).run(values)
    }
    insert(row)
    expect(() => insert({ ...row, attestation_id: 'other', ...changes })).toThrow('CHECK constraint failed')
    db.close()
  })
})
