import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { chained } from '../../../../src/gate/engine/attestations/export.ts'
import { createFlatWriter } from '../../../../src/gate/engine/attestations/flat-writer.ts'
import { writeLine } from '../../../../src/gate/engine/attestations/line.ts'
import { openTreeWriter } from '../../../../src/gate/engine/attestations/tree-writer.ts'
import { verifyAttestations } from '../../../../src/gate/engine/attestations/verify.ts'
import { verifyLines } from '../../../../src/gate/engine/texts.ts'
import type { Attestation } from '../../../../src/gate/runner/records.ts'
import { attestationOf } from '../../../support/attestation.ts'
import { fc } from '../../../support/laws.ts'
import { temporaryFolder } from '../../../support/temporary.ts'

const treeFile = '.ghyll/attestations/v1/checkout/stratum-L1/analyst__architect/p-7.jsonl'
const flatFile = '.ghyll/attestations.jsonl'

function place() {
  const projectDir = temporaryFolder()
  const at = (path: string) => join(projectDir, path)
  return {
    at,
    write(path: string, text: string | Uint8Array) {
      mkdirSync(dirname(at(path)), { recursive: true })
      writeFileSync(at(path), text)
    },
    record(...records: readonly Attestation[]) {
      const tree = openTreeWriter({ projectDir, publish: () => undefined })
      const flat = createFlatWriter({ projectDir, publish: () => undefined })
      for (const record of records) flat.append(tree.append(record))
    },
    verify: (table: readonly Attestation[] | null = null) =>
      verifyAttestations(projectDir, { table, residueMaxBytes: 100 })
  }
}

const four = ['C1', 'C2', 'C3', 'C4'].map((clauseId) => attestationOf({ clauseId }))

describe('the audit (ATT-600…604)', () => {
  it('finds nothing wrong with what the writers wrote', () => {
    const { record, verify } = place()
    record(...four, attestationOf({ clauseId: 'C9', passId: 'p-8' }))
    expect(verifyLines(verify())).toEqual(['attestation-verify: 5/5 records OK'])
  })

  it('has nothing to do without files', () => {
    expect(verifyLines(place().verify())).toEqual(['attestation-verify: 0/0 records OK'])
  })

  it.each<[string, Partial<Attestation>]>([
    ['attestation_id is empty', { id: ' ' }],
    ['arrow_id is empty', { arrowId: '' }],
    ['op_id is empty', { opId: '' }],
    ['attested_by_role is empty', { attestedByRole: ' ' }],
    ['timestamp must be > 0; got 0', { timestamp: 0n }],
    ['timestamp must be > 0; got -5', { timestamp: -5n }],
    ['kind "hearsay" not in {depth-type, on-the-spot}', { kind: 'hearsay' as 'on-the-spot' }],
    ['depth-type kind requires clause_id', { clauseId: '' }],
    ['on-the-spot kind must not carry clause_id', { kind: 'on-the-spot' }],
    ['verdict "maybe" not in {pass, fail, insufficient-basis}', { verdict: 'maybe' as 'pass' }],
    ['self-cert: attested_by_role "Analyst" equals source_role', { attestedByRole: 'Analyst' }],
    ['self-cert: attested_by_role "architect " equals target_role', { attestedByRole: 'architect ' }],
    ['self-cert: adversary_role "ANALYST" equals source_role', { adversaryRole: 'ANALYST' }],
    ['adversary_role must not contain "__" (reserved separator)', { adversaryRole: 'a__b' }],
    ['unit "glance" not in {confirm, record-locations-inspected, write-residue-note}', { unit: 'glance' as 'confirm' }],
    ['unit_payload_json malformed: []', { unitPayloadJson: '[]' }],
    [
      'unit_payload_json fails validation: verdict-unit-missing-field: confirm payload must be empty',
      { unitPayloadJson: '{"residue":"x"}' }
    ],
    [
      'unit_payload_json fails validation: verdict-residue-too-long: 101 > 100',
      { unit: 'write-residue-note', unitPayloadJson: JSON.stringify({ residue: 'x'.repeat(101) }) }
    ],
    ['hint_json malformed: nothing', { hintJson: 'nothing' }],
    ['pass_id is empty', { passId: '' }],
    ['op_id invalid: op-id-invalid-characters: whitespace at offset 1', { opId: 'a b' }]
  ])('says: %s', (reason, changes) => {
    const { write, verify } = place()
    const bad = attestationOf({ clauseId: 'C2', ...changes })
    write(flatFile, `${writeLine(attestationOf(), null)}\n# note\n${writeLine(bad, null)}`)
    const report = verify()
    expect(report.issues.map(({ file, line, reason: told }) => [file, line, told])).toEqual([[flatFile, 4, reason]])
    expect(verifyLines(report).slice(0, 2)).toEqual([
      'attestation-verify: 1/2 records OK, 1 failed',
      `  line 4: ${reason}`
    ])
  })

  it('takes a legacy line as it is (ATT-601)', () => {
    const { write, verify } = place()
    const legacy = attestationOf({ passId: '', context: '', stratum: '', unit: '', unitPayloadJson: '' })
    write(flatFile, writeLine(legacy, null))
    write(treeFile, writeLine(legacy, null))
    expect(verifyLines(verify())).toEqual(['attestation-verify: 1/1 records OK'])
  })

  it('tells every problem of every line, counts a line once, and goes on', () => {
    const { write, verify } = place()
    write(flatFile, `not json\n${writeLine(attestationOf({ opId: '', timestamp: 0n }), null)}{"half`)
    write(treeFile, Buffer.from([0xff, 0x0a]))
    expect(verifyLines(verify())).toEqual([
      'attestation-verify: 0/4 records OK, 4 failed',
      expect.stringMatching(/^ {2}line 1: json-unmarshal: /),
      '  line 2: op_id is empty',
      '  line 2: timestamp must be > 0; got 0',
      expect.stringMatching(/^ {2}line 3: json-unmarshal: /),
      `  ${treeFile} line 1: json-unmarshal: not valid UTF-8`,
      'attestation-aggregate-divergence: only-in-flat=1 only-in-tree=0 divergent=0',
      expect.stringMatching(/^ {2}warn: torn tail: \.ghyll\/attestations\.jsonl at \d+$/)
    ])
  })

  it('counts a record once that fails in both places', () => {
    const { write, verify } = place()
    const bad = attestationOf({ opId: '' })
    write(flatFile, writeLine(bad, null) + writeLine(attestationOf({ clauseId: 'C2' }), null))
    write(treeFile, writeLine(bad, null) + writeLine(attestationOf({ clauseId: 'C3' }), null))
    expect(verifyLines(verify())[0]).toBe('attestation-verify: 2/3 records OK, 1 failed')
  })

  it('compares tree and flat file by id', () => {
    const { write, verify } = place()
    write(flatFile, chained([four[0], { ...four[1], opId: 'bob' }, four[2]] as Attestation[]))
    write(treeFile, chained([four[0], four[1], four[3]] as Attestation[]))
    expect(verifyLines(verify())).toEqual([
      'attestation-verify: 4/4 records OK, 0 failed',
      'attestation-aggregate-divergence: only-in-flat=1 only-in-tree=1 divergent=1'
    ])
  })

  it('warns of a table that says otherwise, and of files in the wrong place', () => {
    const { record, verify, write, at } = place()
    record(...four.slice(0, 2))
    expect(verifyLines(verify([{ ...(four[0] as Attestation), opId: 'bob' }, four[3] as Attestation]))).toEqual([
      'attestation-verify: 2/2 records OK',
      `  warn: engine table: not in the table: ${four[1]?.id}`,
      `  warn: engine table: only in the table: ${four[3]?.id}`,
      `  warn: engine table: different in the table: ${four[0]?.id}`
    ])
    write('.ghyll/attestations/elsewhere.jsonl', readFileSync(at(treeFile), 'utf8'))
    expect(verify().warnings).toEqual(
      [1, 2].map((n) => `misplaced: .ghyll/attestations/elsewhere.jsonl line ${n}: belongs in ${treeFile}`)
    )
  })

  it('tells of links, two contents of one id, and things it cannot read', () => {
    const { record, write, verify, at } = place()
    record(four[0] as Attestation)
    write('.ghyll/attestations/a.jsonl', writeLine({ ...(four[0] as Attestation), opId: 'bob' }, null))
    symlinkSync(at('nowhere'), at('.ghyll/attestations/link'))
    expect(verify().issues.map(({ file, line, reason }) => `${file} ${line} ${reason}`)).toEqual([
      '.ghyll/attestations/link 0 symbolic link',
      `${treeFile} 1 attestation-duplicate: differs from .ghyll/attestations/a.jsonl line 1`
    ])
  })
})

describe('the chain (ATT-460)', () => {
  it('breaks where a line was deleted, altered, moved or put in', () => {
    const { record, verify, write, at } = place()
    record(...four)
    const lines = readFileSync(at(treeFile), 'utf8').split(/(?<=\n)/)
    const broken = (changed: readonly string[]) => {
      write(treeFile, changed.join(''))
      return verify()
        .issues.filter(({ reason }) => reason.startsWith('chain broken'))
        .map(({ line }) => line)
    }
    const without = (n: number) => lines.toSpliced(n, 1)
    expect(broken(lines)).toEqual([])
    expect(broken(without(0))).toEqual([1])
    expect(broken(without(1))).toEqual([2])
    expect(broken(without(3))).toEqual([]) // what follows nothing is missed by the flat file
    expect(broken(lines.with(1, (lines[1] ?? '').replace('"pass"', '"fail"')))).toEqual([3])
    expect(broken(lines.with(2, (lines[2] ?? '').replace(/,"prev_sha256":"[^"]*"/, '')))).toEqual([3, 4])
    expect(broken(lines.toSpliced(2, 0, writeLine(attestationOf({ clauseId: 'C8' }), null)))).toEqual([3, 4])
    expect(broken(lines.toSpliced(2, 0, '# a note\n'))).toEqual([])
    expect(verifyLines(verify())[0]).toBe('attestation-verify: 4/4 records OK')
  })

  it('shows any changed byte of a line at the next one, or in the line itself', () => {
    const { record, verify, write, at } = place()
    record(...four)
    const whole = readFileSync(at(treeFile))
    const last = whole.lastIndexOf(0x0a, whole.length - 2)
    fc.assert(
      fc.property(fc.nat(last - 1), fc.integer({ min: 1, max: 255 }), (position, change) => {
        const changed = Buffer.from(whole)
        changed[position] = (changed[position] ?? 0) ^ change
        write(treeFile, changed)
        const { issues, divergence } = verify()
        expect(issues.length + divergence.divergent + divergence.onlyInFlat).toBeGreaterThan(0)
      })
    )
  })

  it('accepts a file that never had one', () => {
    const { write, verify } = place()
    const legacy = four.map((record) => writeLine(record, null)).join('')
    write(flatFile, legacy)
    write(treeFile, legacy)
    expect(verifyLines(verify())).toEqual(['attestation-verify: 4/4 records OK'])
  })
})
