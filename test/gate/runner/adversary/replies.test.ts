import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  classificationShape,
  dispositionsShape,
  falsificationShape,
  hintShape,
  recheckShape,
  sweepShape
} from '../../../../src/gate/runner/adversary/replies.ts'
import { maxReplyLength, readReply } from '../../../../src/gate/runner/adversary/reply.ts'
import { fc } from '../../../support/laws.ts'

const shape = z.object({ a: z.number() })
const problem = (text: string, of: z.ZodType = shape) => {
  const read = readReply(text, of)
  return 'problem' in read ? read.problem : null
}

describe('one JSON object, with whatever text around it (RUN-621)', () => {
  it.each([
    ['{"a":1}'],
    ['Sure! Here it is:\n```json\n{"a":1}\n```\nAnything else?'],
    ['I looked at {this} and {"that": }. {"a":1}'],
    ['{"thinking": {"a": 2}} {"a":1}'],
    ['{"a":1} {"a":1}'],
    ['a { that never closes, then {"a":1}']
  ])('%s', (text) => {
    expect(readReply(text, shape)).toEqual({ reply: { a: 1 } })
  })

  it.each([
    ['nothing', '', 'the answer was empty'],
    ['white space', ' \n ', 'the answer was empty'],
    ['prose', 'Everything looks fine.', 'the answer held no complete JSON object'],
    ['half an object', '{"a": 1', 'the answer held no complete JSON object'],
    ['an array', '[1, 2]', 'the answer held no complete JSON object'],
    ['another shape', '{"b": 1}', '"a": Invalid input: expected number, received undefined'],
    ['two answers', '{"a":1} or rather {"a":2}', 'the answer held more than one JSON object of the shape'],
    [
      'nesting nobody needs',
      `{"a":1,"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      'the answer held no complete JSON object'
    ],
    ['ten megabytes', `${'x'.repeat(10_000_000)}{"a":1}`, `the answer was longer than ${maxReplyLength} characters`]
  ])('%s is malformed', (_, text, why) => {
    expect(problem(text)).toBe(why)
  })

  it('braces without end take no quadratic time', () => {
    const began = performance.now()
    problem('{'.repeat(maxReplyLength))
    problem('{"'.repeat(maxReplyLength / 2))
    problem('{}'.repeat(maxReplyLength / 2))
    problem(`${'{" '.repeat(64)}${'x'.repeat(maxReplyLength - 192)}`)
    expect(performance.now() - began).toBeLessThan(5000)
  })

  it('never throws, whatever comes', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('{', '}', '"', '\\', 'a', ':', '1', ',', '[', ']') }), (text) => {
        readReply(text, sweepShape)
      })
    )
  })
})

const finding = { title: 't', severity: 'High', basis: 'rule', locations: ['a:1'], evidence: 'e', target_clause: null }
const sweep = (more: object) => JSON.stringify({ findings: [{ ...finding, ...more }], artifact_read: [] })

describe('findings', () => {
  it('read with severity in any case; a target that is empty is none', () => {
    expect(readReply(sweep({ target_clause: '' }), sweepShape)).toEqual({
      reply: {
        findings: [
          { title: 't', severity: 'high', basis: 'rule', locations: ['a:1'], evidence: 'e', targetClause: null }
        ],
        artifactRead: []
      }
    })
  })

  it.each([
    ['without a basis', { basis: ' ' }],
    ['without a severity', { severity: undefined }],
    ['of an unknown severity', { severity: 'terrible' }],
    ['without a title', { title: '' }],
    ['with places that are no texts', { locations: [1] }]
  ])('%s are malformed (RUN-622)', (_, more) => {
    expect(problem(sweep(more), sweepShape)).not.toBeNull()
  })

  it.each(['LGTM', 'this looks good', 'coverage is sufficient', 'I would approve it', 'Approved.'])(
    'that judge ("%s") are malformed wherever it stands (RUN-623)',
    (words) => {
      for (const field of ['title', 'basis', 'evidence'])
        expect(problem(sweep({ [field]: words }), sweepShape)).toContain('holds a verdict or recommendation')
    }
  )

  it('may quote the artifact’s own words', () => {
    expect(
      problem(sweep({ evidence: 'the state `approved` is never left; "sufficient" is undefined' }), sweepShape)
    ).toBe(null)
    expect(problem(sweep({ evidence: 'insufficient input is accepted' }), sweepShape)).toBe(null)
  })
})

describe('falsification', () => {
  const answer = { clause_id: 'C7', falsified: true, basis: 'rule', locations: ['a:1'], evidence: 'e' }
  const read = (more: object) => readReply(JSON.stringify({ ...answer, ...more }), falsificationShape('C7'))

  it('is high when the model gives no severity (RUN-622)', () => {
    expect(read({})).toMatchObject({ reply: { falsified: true, severity: 'high' } })
    expect(read({ severity: null })).toMatchObject({ reply: { severity: 'high' } })
  })

  it('needs a basis only where it falsifies, and answers for the clause that was asked', () => {
    expect(read({ falsified: false, basis: '' })).toMatchObject({ reply: { falsified: false } })
    expect(read({ basis: '' })).toEqual({ problem: '"basis": missing' })
    expect('problem' in read({ clause_id: 'C8' })).toBe(true)
    expect('problem' in read({ falsified: 'no' })).toBe(true)
  })
})

it('what may be left out may be null or empty, as models write it (RUN-621)', () => {
  const none = { clause_id: 'C7', falsified: false, severity: '', basis: null, locations: null, evidence: null }
  expect(readReply(JSON.stringify(none), falsificationShape('C7'))).toEqual({
    reply: { falsified: false, severity: 'high', basis: '', locations: [], evidence: '' }
  })
  const bare = { ...finding, locations: null, evidence: null }
  expect(readReply(JSON.stringify({ findings: [bare], artifact_read: null }), sweepShape)).toMatchObject({
    reply: { findings: [{ title: 't', locations: [], evidence: '' }], artifactRead: [] }
  })
})

describe('classification', () => {
  const ladder = ['VOID', 'THIN', 'FAKED', 'REAL'] as const
  const of = classificationShape(['R-1', 'R-2'], ladder)
  const one = (requirement_id: string, observed: string) => ({ requirement_id, observed, evidence: '' })
  const read = (...list: object[]) => readReply(JSON.stringify({ classifications: list }), of)

  it('speaks in the labels of the project, each requirement once; others are left out', () => {
    expect(read(one('R-1', 'real'), one('R-2', ' Void '), one('R-9', 'REAL'))).toMatchObject({
      reply: [
        { requirementId: 'R-1', observed: 3 },
        { requirementId: 'R-2', observed: 0 }
      ]
    })
  })

  it('is malformed with a requirement missing, twice, or on no rung', () => {
    expect(read(one('R-1', 'REAL'))).toEqual({
      problem: 'requirement "R-2" is classified 0 times'
    })
    expect('problem' in read(one('R-1', 'REAL'), one('R-1', 'VOID'), one('R-2', 'VOID'))).toBe(true)
    expect('problem' in read(one('R-1', 'MOCKED'), one('R-2', 'VOID'))).toBe(true)
  })
})

it('a recheck answers for its finding with one of three words', () => {
  const read = (reply: object) => readReply(JSON.stringify(reply), recheckShape('f-1'))
  expect(read({ finding_id: 'f-1', reproduced: 'Cannot-tell' })).toEqual({
    reply: { finding_id: 'f-1', reproduced: 'cannot-tell', evidence: '' }
  })
  expect('problem' in read({ finding_id: 'f-2', reproduced: 'no' })).toBe(true)
  expect('problem' in read({ finding_id: 'f-1', reproduced: 'probably not' })).toBe(true)
})

describe('dispositions', () => {
  const read = (list: unknown) =>
    readReply(JSON.stringify({ dispositions: list, summary: 's' }), dispositionsShape(['f-1', 'f-2']))
  const one = (finding_id: string, action: string) => ({ finding_id, action, rationale: 'r' })

  it('the first word on each finding counts; ids nobody gave are left out', () => {
    expect(read([one('f-2', 'fixed'), one('f-9', 'fixed'), one('f-2', 'cannot-fix')])).toEqual({
      reply: [{ findingId: 'f-2', action: 'fixed', rationale: 'r' }]
    })
  })

  it.each(['accepted-risk', 'resolved', 'pass', 'approved'])('a producer that says "%s" has said nothing', (action) => {
    expect('problem' in read([one('f-1', action)])).toBe(true)
  })
})

describe('hints (GATE-58, ATT-361)', () => {
  const hint = { clause_id: 'C7', locations: ['a:1-4'], basis: 'every rule of the section', residue: 'examples' }
  const read = (more: object) => readReply(JSON.stringify({ ...hint, ...more }), hintShape('C7'))

  it('name places, rule and remainder; without a place no rule chose', () => {
    expect(read({})).toEqual({ reply: { locations: ['a:1-4'], basis: hint.basis, residue: 'examples' } })
    expect(read({ locations: [], basis: '', residue: '' })).toMatchObject({ reply: { locations: [] } })
  })

  it.each([{ basis: '' }, { residue: ' ' }, { basis: 'looks good to me' }, { residue: 'the rest is `sufficient`' }])(
    '%j is malformed',
    (more) => {
      expect('problem' in read(more)).toBe(true)
    }
  )
})
