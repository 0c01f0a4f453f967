import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { writeLine } from '../../../../src/gate/engine/attestations/line.ts'
import { loadTree } from '../../../../src/gate/engine/attestations/load.ts'
import { cutTornTails } from '../../../../src/gate/engine/attestations/repair.ts'
import { openTreeWriter } from '../../../../src/gate/engine/attestations/tree-writer.ts'
import { AttestationFailure } from '../../../../src/gate/engine/errors.ts'
import { attestationOf } from '../../../support/attestation.ts'
import { fc } from '../../../support/laws.ts'

function place() {
  const projectDir = mkdtempSync(join(tmpdir(), 'ghyll-load-'))
  onTestFinished(() => rmSync(projectDir, { recursive: true, force: true }))
  const at = (path: string) => join(projectDir, '.ghyll/attestations', path)
  return {
    projectDir,
    at,
    write(path: string, text: string | Uint8Array) {
      mkdirSync(dirname(at(path)), { recursive: true })
      writeFileSync(at(path), text)
    },
    load: (cachedRows = false) => loadTree(projectDir, cachedRows)
  }
}

const line = (changes: Parameters<typeof attestationOf>[0] = {}) => writeLine(attestationOf(changes), null)
const lost = (text: string) =>
  expect.objectContaining({ code: 'attestation-audit-lost', message: expect.stringContaining(text) })

describe('loading the tree (ATT-500)', () => {
  it('is a fresh project without root and without rows, and lost with rows', () => {
    const { load } = place()
    expect(load()).toEqual({ records: [], torn: [], lengths: new Map(), broken: [] })
    expect(() => load(true)).toThrow(
      lost('attestation-audit-lost: tree .ghyll/attestations missing but engine has rows')
    )
  })

  it('unites all files at any depth in sorted order, without looking at their names', () => {
    const { write, load } = place()
    write('z.jsonl', line({ clauseId: 'C3' }))
    write('a/b/c/d/e/f/deep.jsonl', `\n# note\n  \n${line({ clauseId: 'C1' })}${line({ clauseId: 'C2' })}`)
    write('a/ignored.txt', 'no record')
    expect(load(true).records.map(({ clauseId }) => clauseId)).toEqual(['C1', 'C2', 'C3'])
  })

  it('takes the same record twice for one, and two different ones under one id for damage', () => {
    const { write, load } = place()
    write('a.jsonl', line())
    write('b.jsonl', line({ hintJson: '' }))
    expect(load().records).toEqual([attestationOf()])
    write('c.jsonl', line({ timestamp: 1_787_303_702_000_000_002n }))
    expect(() => load()).toThrow(lost('.ghyll/attestations/c.jsonl line 1: attestation-duplicate'))
  })

  it('skips a last line without newline, says where, and goes on with the next file', () => {
    const { write, load } = place()
    write('a.jsonl', line() + line({ clauseId: 'C2' }).trimEnd())
    write('b.jsonl', line({ clauseId: 'C3' }))
    const { records, torn } = load()
    expect(records.map(({ clauseId }) => clauseId)).toEqual(['C1', 'C3'])
    expect(torn).toEqual([{ file: '.ghyll/attestations/a.jsonl', offset: Buffer.byteLength(line()) }])
  })

  it.each([
    ['garbage', 'garbage\n', 'json-unmarshal'],
    ['bytes', Buffer.from([0x7b, 0xff, 0xfe, 0x0a]), 'not valid UTF-8'],
    [
      'an unknown verdict',
      line({ verdict: 'maybe' as 'pass' }),
      'verdict "maybe" not in {pass, fail, insufficient-basis}'
    ],
    [
      'self-certification',
      line({ attestedByRole: ' Analyst' }),
      'self-cert: attested_by_role " Analyst" equals source_role'
    ],
    ['a missing clause', line({ clauseId: '' }), 'depth-type kind requires clause_id'],
    ['a blank op-id', line({ opId: ' ' }), 'op_id is empty'],
    ['no time', line({ timestamp: 0n }), 'timestamp must be > 0; got 0']
  ])('refuses %s in the middle', (_, bad, why) => {
    const { write, load } = place()
    write('a.jsonl', Buffer.concat([Buffer.from(line()), Buffer.from(bad), Buffer.from(line({ clauseId: 'C9' }))]))
    expect(() => load()).toThrow(lost(`.ghyll/attestations/a.jsonl line 2: `))
    expect(() => load()).toThrow(lost(why))
  })

  it('refuses links anywhere below the root and a root that is no directory', () => {
    const { write, load, at, projectDir } = place()
    write('a/one.jsonl', line())
    symlinkSync(at('a'), at('again'))
    expect(() => load()).toThrow(lost('.ghyll/attestations/again: symbolic link'))
    rmSync(at('again'))
    symlinkSync(at('a/one.jsonl'), at('a/two.jsonl'))
    expect(() => load()).toThrow(lost('.ghyll/attestations/a/two.jsonl: symbolic link'))
    rmSync(join(projectDir, '.ghyll/attestations'), { recursive: true })
    writeFileSync(join(projectDir, '.ghyll/attestations'), '')
    expect(() => load()).toThrow(lost('the root is no directory'))
  })

  it('never makes up a record: cut, garbled or doubled, a file loads to what was written or not at all', () => {
    const { projectDir, at, load } = place()
    const writer = openTreeWriter({ projectDir, publish: () => undefined })
    const clauses = ['C1', 'C2', 'C3', 'C4']
    const written = clauses.map((clauseId) => writer.append(attestationOf({ clauseId, reason: 'ünï\n"{}' })))
    const path = at('v1/checkout/stratum-L1/analyst__architect/p-7.jsonl')
    const whole = readFileSync(path)
    const outcome = () => {
      try {
        return load().records
      } catch (error) {
        expect(error).toBeInstanceOf(AttestationFailure)
        return null
      }
    }
    const position = fc.nat(whole.length - 1)
    fc.assert(
      fc.property(position, (cut) => {
        writeFileSync(path, whole.subarray(0, cut))
        const found = outcome()
        expect(found).toEqual(written.slice(0, found?.length))
        expect(found?.length).toBe(whole.subarray(0, cut).filter((byte) => byte === 0x0a).length)
      })
    )
    const lines = whole.toString().split(/(?<=\n)/)
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...lines), { maxLength: 8 }), (shuffled) => {
        writeFileSync(path, shuffled.join(''))
        expect(outcome()).toEqual([...new Set(shuffled)].map((each) => written[lines.indexOf(each)]))
      })
    )
    fc.assert(
      fc.property(position, fc.uint8Array({ minLength: 1, maxLength: 4 }), (from, bytes) => {
        const garbled = Buffer.from(whole)
        garbled.set(bytes.subarray(0, garbled.length - from), from)
        writeFileSync(path, garbled)
        outcome() // loads or refuses with its own failure; the chain is the verifier's business
      })
    )
  })
})

describe('what a start has to know about the files', () => {
  const file = '.ghyll/attestations/a.jsonl'

  it('is their length once torn tails are cut (RUN-214)', () => {
    const { write, load } = place()
    write('a.jsonl', `${line()}{"torn`)
    write('b.jsonl', '')
    expect(load().lengths).toEqual(
      new Map([
        [file, Buffer.byteLength(line())],
        ['.ghyll/attestations/b.jsonl', 0]
      ])
    )
  })

  it('is where a line does not follow from the one before it (ATT-460)', () => {
    const { projectDir, write, load, at } = place()
    const writer = openTreeWriter({ projectDir, publish: () => undefined })
    const path = '.ghyll/attestations/v1/checkout/stratum-L1/analyst__architect/p-7.jsonl'
    for (const clauseId of ['C1', 'C2', 'C3']) writer.append(attestationOf({ clauseId, verdict: 'fail' }))
    expect(load().broken).toEqual([])
    const inside = path.replace('.ghyll/attestations/', '')
    const lines = readFileSync(at(inside), 'utf8').split('\n')
    write(inside, [lines[0], lines[1]?.replace('"fail"', '"pass"'), lines[2], ''].join('\n'))
    expect(load().broken).toEqual([`${path} line 3: chain broken: prev_sha256 does not match line 2`])
    write(inside, [lines[0], lines[2], ''].join('\n'))
    expect(load().broken).toEqual([`${path} line 2: chain broken: prev_sha256 does not match line 1`])
  })
})

describe('cutting torn tails (ATT-501)', () => {
  it('leaves whole lines and nothing else; a second time there is nothing to do', () => {
    const { write, load, at, projectDir } = place()
    write('a.jsonl', `${line()}{"torn`)
    write('b.jsonl', 'no newline at all')
    const { torn } = load()
    expect(cutTornTails(projectDir, torn)).toEqual(torn)
    expect(readFileSync(at('a.jsonl'), 'utf8')).toBe(line())
    expect(readFileSync(at('b.jsonl'), 'utf8')).toBe('')
    expect(load().torn).toEqual([])
    expect(cutTornTails(projectDir, torn)).toEqual([])
  })

  it('refuses a link put in its place meanwhile; the target stays', () => {
    const { write, load, at, projectDir } = place()
    write('a.jsonl', `${line()}{"torn`)
    const { torn } = load()
    write('../kept', 'precious without newline')
    rmSync(at('a.jsonl'))
    symlinkSync(at('../kept'), at('a.jsonl'))
    expect(() => cutTornTails(projectDir, torn)).toThrow('attestation-tree-symlink')
    expect(readFileSync(at('../kept'), 'utf8')).toBe('precious without newline')
    truncateSync(at('../kept'), 0)
  })
})
