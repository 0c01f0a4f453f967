import { describe, expect, it } from 'vitest'
import { hintText, holdsJudgement, maxHintBytes, parseHint } from '../../../src/gate/runner/hint.ts'

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
})
