import { createHash } from 'node:crypto'
import { join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'
import { encodePath, withPathNote } from '../../../../src/gate/engine/attestations/path.ts'
import { anyAttestation, attestationOf } from '../../../support/attestation.ts'
import { fc } from '../../../support/laws.ts'

const hashed = (raw: string) => `h-${createHash('sha256').update(raw).digest('hex').slice(0, 16)}`
const at = (changes: Parameters<typeof attestationOf>[0]) => encodePath(attestationOf(changes)).segments.join('/')

describe('where a record belongs (ATT-400…426)', () => {
  it.each([
    [{}, 'v1/checkout/stratum-L1/analyst__architect/p-7.jsonl'],
    [{ adversaryRole: 'adversary' }, 'v1/checkout/stratum-L1/analyst__adversary__architect/p-7.jsonl'],
    [
      {
        attestedByRole: 'Init',
        sourceRole: '',
        targetRole: 'analyst',
        passId: 'init-init→analyst/default',
        context: 'x',
        stratum: 'y'
      },
      'v1/init/stratum-init/init__analyst/init-init___analyst_default.jsonl'
    ],
    [{ attestedByRole: 'init', targetRole: '' }, 'v1/init/stratum-init/init/p-7.jsonl'],
    [{ context: '..' }, `v1/${hashed('..')}/stratum-L1/analyst__architect/p-7.jsonl`],
    [{ context: '' }, `v1/${hashed('')}/stratum-L1/analyst__architect/p-7.jsonl`],
    [{ stratum: '..' }, 'v1/checkout/stratum-../analyst__architect/p-7.jsonl'],
    [{ sourceRole: 'a'.repeat(300) }, `v1/checkout/stratum-L1/${hashed(`${'a'.repeat(300)}__architect`)}/p-7.jsonl`],
    [{ passId: 'p'.repeat(250) }, `v1/checkout/stratum-L1/analyst__architect/${hashed('p'.repeat(250))}.jsonl`],
    [{ passId: 'p'.repeat(249) }, `v1/checkout/stratum-L1/analyst__architect/${'p'.repeat(249)}.jsonl`],
    [{ context: 'two words', stratum: 'with/slash' }, 'v1/two_words/stratum-with_slash/analyst__architect/p-7.jsonl'],
    [{ context: '→' }, 'v1/___/stratum-L1/analyst__architect/p-7.jsonl'],
    [{ stratum: 'x'.repeat(248) }, `v1/checkout/${hashed(`stratum-${'x'.repeat(248)}`)}/analyst__architect/p-7.jsonl`]
  ])('%j', (changes, path) => {
    expect(at(changes)).toBe(path)
  })

  it('names what was replaced, in order', () => {
    const { replaced } = encodePath(
      attestationOf({ context: '.', stratum: 's'.repeat(300), targetRole: 't'.repeat(300), passId: 'p'.repeat(300) })
    )
    expect(replaced).toEqual(['context', 'stratum', 'role-pair', 'pass-id'])
    expect(withPathNote('looked twice', replaced)).toBe('looked twice path-truncated:context,stratum,role-pair,pass-id')
    expect(withPathNote('', ['context'])).toBe('path-truncated:context')
  })

  it('has none without a pass id (ATT-421)', () => {
    expect(() => at({ passId: '' })).toThrow('attestation-pass-id-empty')
  })

  it('is always five plain names below the root', () => {
    fc.assert(
      fc.property(anyAttestation, (record) => {
        const { segments } = encodePath(record)
        expect(segments).toHaveLength(5)
        for (const name of segments) expect(name).toMatch(/^(?!\.{1,2}$)[A-Za-z0-9_.-]{1,255}$/)
        expect(normalize(join('/root', ...segments))).toBe(`/root/${segments.join('/')}`)
      })
    )
  })
})
