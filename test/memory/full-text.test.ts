import { describe, expect, test } from 'vitest'
import { zeroHash } from '../../src/memory/record.ts'
import { append, open, place, tamper } from './store-place.ts'
import { signedRecord, vector1 } from './support.ts'

describe('searching text', () => {
  test('any word, best match first, of one repository or all', () => {
    const store = open()
    const a = append(store, { summary: 'Fixed the auth race in the login handler' })
    const b = append(store, { summary: 'Login page: typography' })
    const c = append(store, { summary: 'Größe der Fenster, 日本語テキスト' })
    store.importAll([{ record: signedRecord({ v: 2, repo: '/other', summary: 'auth auth' }), verified: true }], 0)
    const { fullText } = store
    expect(fullText.search('AUTH logins', vector1.repo, 10)).toEqual([a.hash, b.hash])
    expect(fullText.search('grosse groesse größe', vector1.repo, 10)).toEqual([c.hash])
    expect(fullText.search('日本', vector1.repo, 10)).toEqual([c.hash])
    expect(fullText.search('auth', null, 10)).toHaveLength(2)
    expect(fullText.search('nowhere', null, 10)).toEqual([])
  })

  test.each(['"', 'AND', 'NEAR(', 'a OR', "'; DROP TABLE checkpoints", 'summary:x', '*', '', '\0', '-'])(
    'an operator of the query language is an ordinary word: %j',
    (query) => {
      const store = open()
      append(store)
      expect(() => store.fullText.search(query, null, 10)).not.toThrow()
    }
  )

  test('rows that another program added are found too', () => {
    const path = place()
    const store = open(path)
    append(store, { summary: 'first' })
    tamper(
      path,
      `INSERT INTO checkpoints (hash, parent, device, author, ts, session, turn, model, summary, sig)
       VALUES ('${'b'.repeat(64)}', '${zeroHash}', 'x', 'x', 1, 's', 1, 'm', 'foreign words', 's')`
    )
    expect(store.fullText.search('foreign', null, 10)).toEqual(['b'.repeat(64)])
  })
})
