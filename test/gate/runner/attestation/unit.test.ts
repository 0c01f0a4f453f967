import { describe, expect, it } from 'vitest'
import { payloadOf, residueNote, unitOf, unitProblem } from '../../../../src/gate/runner/attestation/unit.ts'
import { answerOfPrompt, verdictOfCommand } from '../../../../src/gate/runner/attestation/words.ts'

const inspected = 'record-locations-inspected'
const note = 'write-residue-note'

describe('payloads of units (ATT-331, ATT-333)', () => {
  it.each([
    ['confirm', '{}', null],
    ['confirm', '{"inspected":["a"]}', 'verdict-unit-missing-field: confirm payload must be empty'],
    ['confirm', '{"residue":"a"}', 'verdict-unit-missing-field: confirm payload must be empty'],
    [inspected, '{"inspected":["a.ts:1-2"]}', null],
    [inspected, '{"inspected":[]}', 'verdict-inspected-empty: inspected'],
    [inspected, '{}', 'verdict-inspected-empty: inspected'],
    [inspected, '{"inspected":["a"," "]}', 'verdict-inspected-empty: inspected'],
    [inspected, '{"inspected":[1]}', 'verdict-inspected-empty: inspected'],
    [note, '{"residue":"thin"}', null],
    [note, '{"residue":" \\n"}', 'verdict-unit-missing-field: residue'],
    [note, '{}', 'verdict-unit-missing-field: residue'],
    [note, '{"residue":"12345"}', 'verdict-residue-too-long: 5 > 4'],
    [note, '{"residue":"éé"}', null],
    [note, '{"residue":"ééé"}', 'verdict-residue-too-long: 6 > 4'],
    ['nod', '{}', 'verdict-unit-invalid: "nod"']
  ])('%s with %s: %s', (unit, payload, text) => {
    expect(unitProblem(unit, payload, payload.includes('thin') ? 100 : 4)?.text ?? null).toBe(text)
  })

  it.each([
    [inspected, '{"inspected":["a"],"residue":"b"}'],
    [note, '{"residue":"b","inspected":["a"]}'],
    ['confirm', '[]'],
    ['confirm', 'null'],
    ['confirm', '{']
  ])('%s never takes %s', (unit, payload) => {
    expect(unitProblem(unit, payload)?.code).toBe('verdict-unit-missing-field')
  })

  it('fall back to the default cap when the given one counts for nothing (ATT-334)', () => {
    expect(unitProblem(note, JSON.stringify({ residue: 'x'.repeat(16_384) }), 0)).toBeNull()
    expect(unitProblem(note, JSON.stringify({ residue: 'x'.repeat(16_385) }), -1)?.text).toBe(
      'verdict-residue-too-long: 16385 > 16384'
    )
  })

  it('pair with verdicts, and with both answers of an escalation (ATT-332)', () => {
    expect(unitOf('pass')).toBe('confirm')
    expect(unitOf('fail')).toBe(inspected)
    expect(unitOf('insufficient-basis')).toBe(note)
    expect([unitOf('pass', true), unitOf('fail', true)]).toEqual([note, note])
  })

  it('come from what was typed and are read back', () => {
    expect(payloadOf('confirm', 'whatever')).toBe('{}')
    expect(payloadOf(inspected, ' a.ts:1 ,, b.ts ')).toBe('{"inspected":["a.ts:1","b.ts"]}')
    expect(residueNote(payloadOf(note, 'with "quotes"\nand lines'))).toBe('with "quotes"\nand lines')
    expect(residueNote('{}')).toBeNull()
  })
})

describe('verdict words (ATT-330)', () => {
  it.each([
    ['pass', 'pass', 'pass'],
    ['P', 'pass', 'pass'],
    ['ok', 'pass', null],
    ['fail', 'fail', 'fail'],
    ['f', 'fail', 'fail'],
    ['no', 'fail', null],
    ['INSUFFICIENT-BASIS', 'insufficient-basis', 'insufficient-basis'],
    ['insufficient', 'insufficient-basis', null],
    ['ib', 'insufficient-basis', 'insufficient-basis'],
    ['i', null, 'insufficient-basis'],
    ['skip', null, 'skip'],
    ['s', null, 'skip'],
    ['passed', null, null],
    ['constructor', null, null],
    ['', null, null]
  ])('%j is %s to /attest and %s to the prompt', (word, command, prompt) => {
    expect(verdictOfCommand(word)).toBe(command)
    expect(answerOfPrompt(word)).toBe(prompt)
  })
})
