import { describe, expect, it } from 'vitest'
import { readLine, writeLine } from '../../../../src/gate/engine/attestations/line.ts'
import { sameRecord } from '../../../../src/gate/engine/attestations/same.ts'
import type { Attestation } from '../../../../src/gate/runner/records.ts'
import { anyAttestation, attestationOf } from '../../../support/attestation.ts'
import { fc } from '../../../support/laws.ts'

const read = (line: string) => readLine(line.replace(/\n$/, ''))

describe('a record as a line (ATT-101…104)', () => {
  it('has its keys in order, without empty optional ones, and ends with a newline', () => {
    expect(writeLine(attestationOf({ reason: 'said "yes" {}\n', hintJson: '{"concept":"attested"}' }), null)).toBe(
      '{"attestation_id":"att-analyst→architect/checkout-C1-v1","kind":"depth-type","arrow_id":"analyst→architect/checkout",' +
        '"clause_id":"C1","op_id":"alice","attested_by_role":"operator","source_role":"analyst","target_role":"architect",' +
        '"verdict":"pass","reason":"said \\"yes\\" {}\\n","timestamp":1787303702000000001,"grid_version":1,"pass_id":"p-7",' +
        '"context":"checkout","stratum":"L1","unit":"confirm","unit_payload_json":"{}",' +
        '"hint_json":"{\\"concept\\":\\"attested\\"}"}\n'
    )
    const spot = writeLine(attestationOf({ kind: 'on-the-spot', clauseId: '', ref: 'att-x-v1' }), 'a'.repeat(64))
    expect(spot).not.toContain('clause_id')
    expect(spot).toMatch(/"attestation_ref":"att-x-v1","prev_sha256":"a{64}"}\n$/)
  })

  it('is read back exactly, whatever the texts and digits are', () => {
    fc.assert(
      fc.property(anyAttestation, (record) => {
        const line = writeLine(record, 'f'.repeat(64))
        expect(line.indexOf('\n')).toBe(line.length - 1)
        const back = read(line)
        expect(back.problems).toEqual([])
        expect(back.prevSha256).toBe('f'.repeat(64))
        expect(back.record).toEqual(record)
      })
    )
  })

  it('passes timestamps through no double: two that differ in the last digit are different (ATT-102)', () => {
    fc.assert(
      fc.property(fc.bigInt(2n ** 53n, 2n ** 63n - 2n), (timestamp) => {
        const [a, b] = [timestamp, timestamp + 1n].map((ns) => read(writeLine(attestationOf({ timestamp: ns }), null)))
        expect(a?.record?.timestamp).toBe(timestamp)
        expect(sameRecord(a?.record as Attestation, b?.record as Attestation)).toBe(false)
      })
    )
  })

  it('keeps keys it does not know, with all their digits, and ignores them in comparison (ATT-103)', () => {
    const line = writeLine(attestationOf(), null).replace('}\n', ',"later":{"n":12345678901234567890123,"m":1.50}}\n')
    const { record } = read(line)
    expect(writeLine(record as Attestation, null)).toBe(line)
    expect(sameRecord(record as Attestation, attestationOf())).toBe(true)
  })

  it.each([
    ['{"attestation_id":"a"', 'json-unmarshal: '],
    ['[]', 'json-unmarshal: not an object'],
    ['1e999', 'json-unmarshal: not an object'],
    ['null', 'json-unmarshal: not an object'],
    ['{"timestamp":1.5}', 'timestamp is not an integer'],
    ['{"timestamp":9223372036854775808}', 'timestamp is not an integer'],
    ['{"timestamp":1e3}', 'timestamp is not an integer'],
    ['{"timestamp":"1"}', 'timestamp is not an integer'],
    ['{"timestamp":1,"grid_version":-1}', 'grid_version is out of range'],
    ['{"op_id":7}', 'op_id is not a string'],
    ['{}', 'timestamp is missing']
  ])('says what is wrong with %s', (line, problem) => {
    expect(read(line).problems.join('\n')).toContain(problem)
  })
})

describe('equality of records (ATT-103)', () => {
  it('takes an empty hint for {}, and payloads by value', () => {
    expect(sameRecord(attestationOf({ hintJson: '' }), attestationOf({ hintJson: '{}' }))).toBe(true)
    const a = attestationOf({ unitPayloadJson: '{"inspected":["a:1"],"x":1}' })
    expect(sameRecord(a, { ...a, unitPayloadJson: '{ "x": 1, "inspected": ["a:1"] }' })).toBe(true)
    expect(sameRecord(a, { ...a, unitPayloadJson: '{"inspected":["a:2"],"x":1}' })).toBe(false)
  })

  it('sees a difference in any field', () => {
    const base = attestationOf()
    for (const key of Object.keys(base)) {
      const other = key === 'timestamp' ? 5n : key === 'gridVersion' ? 9 : 'other'
      expect(sameRecord(base, { ...base, [key]: other } as Attestation), key).toBe(false)
    }
  })
})
