import { describe, expect, test } from 'vitest'
import { checkFit, type FitFacts, parseFit, resolveRefusal, unknownFit } from '../../../src/gate/bootstrap/fit.ts'
import type { Profile } from '../../../src/gate/bootstrap/profile.ts'

const profile = { mode: 'greenfield', sourceCount: 0 } as Profile
const weak: FitFacts = { contexts: null, seams: 0, novel: false, critical: false }

describe('INIT-41: refusal only when every fact is known and weak', () => {
  test.each<[FitFacts, number, boolean]>([
    [weak, 1, true],
    [weak, 0, true],
    [weak, 2, false],
    [{ ...weak, contexts: 1 }, 5, true],
    [{ ...weak, contexts: 2 }, 1, false],
    [{ ...weak, seams: 1 }, 1, false],
    [{ ...weak, novel: true }, 1, false],
    [{ ...weak, critical: true }, 1, false],
    [{ ...weak, seams: null }, 1, false],
    [{ ...weak, novel: null }, 1, false],
    [{ ...weak, critical: null }, 1, false],
    [unknownFit, 1, false]
  ])('%j with %d contexts: %s', (facts, contexts, refused) => {
    expect(checkFit(facts, contexts, profile).kind).toBe(refused ? 'refuse' : 'proceed')
  })

  test('INIT-43: the words', () => {
    expect(checkFit(weak, 1, profile)).toEqual({
      kind: 'refuse',
      text: 'refusal proposed: 1 context(s), 0 seams, no novel architecture, not correctness-critical — use a fast agent instead'
    })
  })

  test('INIT-42: unknown and weak is an advisory, strong is none', () => {
    expect(checkFit(unknownFit, 1, profile)).toEqual({
      kind: 'proceed',
      advisory:
        'fit: greenfield, 1 context(s), 0 source files; if nothing here is novel or correctness-critical, use a fast agent instead'
    })
    expect(checkFit({ ...unknownFit, critical: true }, 1, profile)).toEqual({ kind: 'proceed', advisory: null })
  })
})

describe('INIT-40: declared facts', () => {
  test('are read', () => {
    expect(parseFit('contexts=2, seams=0,novel=yes,critical=no')).toEqual({
      contexts: 2,
      seams: 0,
      novel: true,
      critical: false
    })
    expect(parseFit('seams=3')).toEqual({ ...unknownFit, seams: 3 })
  })

  test.each([
    ['seams=-1', 'refusal-facts-negative: seams=-1'],
    ['contexts=-2', 'refusal-facts-negative: contexts=-2'],
    ['novel=maybe', '--fit does not take "novel=maybe"'],
    ['size=3', '--fit does not take "size=3"'],
    ['', '--fit does not take ""'],
    ['seams=1.5', '--fit does not take "seams=1.5"']
  ])('%s is refused', (text, message) => {
    expect(() => parseFit(text)).toThrow(message)
  })
})

test('INIT-43: a refusal is resolved once, and overridden only with words', () => {
  const proposed = { kind: 'proposed' as const, text: 'x' }
  expect(resolveRefusal(proposed, { kind: 'override', reason: ' ' })).toEqual({
    refused: 'refusal-override-residue-required'
  })
  const overridden = resolveRefusal(proposed, { kind: 'override', reason: 'we learn' })
  expect(overridden).toEqual({ state: { kind: 'overridden', reason: 'we learn' } })
  const accepted = resolveRefusal(proposed, { kind: 'accept' })
  for (const done of [overridden, accepted])
    expect('state' in done && resolveRefusal(done.state, { kind: 'accept' })).toEqual({
      refused: 'refusal-already-resolved'
    })
})
