import { describe, expect, it } from 'vitest'
import {
  cutProducerHint,
  hintText,
  holdsJudgement,
  isJudgingPlace,
  maxHintBytes,
  parseHint
} from '../../../src/gate/runner/hint.ts'

describe('hints', () => {
  const hint = { arrow_id: 'a', clause_id: 'C1', concept: 'x', attestation_ref: 'r', artifact_digest: 'd' }

  it('fit what is read back, evidence giving way (ATT-362)', () => {
    const text = hintText({ ...hint, evidence: '\u001b'.repeat(200_000), basis: 'b' })
    expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(maxHintBytes)
    expect(parseHint(text)).toMatchObject({ ...hint, basis: 'b', evidence: expect.stringMatching(/ …$/) })
  })

  it('are not read when too long, broken, or no hint', () => {
    for (const text of ['', '{', '[]', '{}', 'null', JSON.stringify({ ...hint, basis: 'x'.repeat(70_000) })])
      expect(parseHint(text)).toBeNull()
  })

  it('hold no judgement (GATE-58)', () => {
    for (const text of ['LGTM', 'I approve.', 'it Looks Good', 'this is sufficient, surely', 'approved'])
      expect(holdsJudgement(text)).toBe(true)
    for (const text of ['insufficient-basis', 'disapproval', 'algtmb', 'looks at goods', 'src/approver.ts'])
      expect(holdsJudgement(text)).toBe(false)
  })
  it.each([
    'every function that src/approve.ts exports',
    'all of `approve.test.ts` and (lib/sufficient.go)',
    'rules in docs/lgtm.md:3-9, one by one',
    'the gate of ci/approved.yml.'
  ])('may name a file called like a verdict: %s (GATE-58)', (text) => {
    expect(holdsJudgement(text)).toBe(false)
  })

  it.each([
    'approved. It holds',
    'LGTM/approved',
    'it is sufficient.',
    'src/cart.ts looks good',
    'approve: src/cart.ts'
  ])('judge beside a file name all the same: %s (GATE-58)', (text) => {
    expect(holdsJudgement(text)).toBe(true)
  })

  it.each([
    'src/approve.ts',
    'src/approve/Makefile',
    'approve:1-4',
    'LGTM.md:3',
    'src/sufficient/**',
    'a/approve.ts:1-2'
  ])('may point to a place of any name: %s (ATT-361)', (place) => {
    expect(isJudgingPlace(place)).toBe(false)
  })

  it.each([
    ['a character nobody sees', 'app\u200broved'],
    ['a soft hyphen', 'suf\u00adficient'],
    ['an escape sequence', 'LG\u001b[0mTM'],
    ['wide letters', '\uff2c\uff27\uff34\uff2d'],
    ['a line end', 'it looks\ngood']
  ])('judge with %s in the word all the same (GATE-58, RUN-623)', (_, text) => {
    expect(holdsJudgement(text)).toBe(true)
  })

  it('take a producer at reasonable length, so that what it says never costs the record its digest (ATT-362, RUN-232)', () => {
    const long = 'x'.repeat(45_000)
    const said = cutProducerHint({ locations: Array(30).fill(long), basis: `${'y'.repeat(999)}😀`, residue: long })
    expect(said.locations).toHaveLength(20)
    expect(said.basis).toBe('y'.repeat(999))
    expect(parseHint(hintText({ ...hint, ...said }))).toEqual({ ...hint, ...said })
    const short = { locations: ['a:1'], basis: 'b', residue: 'r' }
    expect(cutProducerHint(short)).toEqual(short)
  })

  it.each(['LGTM', 'this looks good', 'src/cart.ts is sufficient', 'approved src/cart.ts:1'])(
    'may not judge in place of a place: %s (ATT-361)',
    (place) => {
      expect(isJudgingPlace(place)).toBe(true)
    }
  )
})
