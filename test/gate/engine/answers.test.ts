import { describe, expect, it } from 'vitest'
import { indexAnswers, inTimeOrder } from '../../../src/gate/engine/answers.ts'
import { attestationOf } from '../../support/attestation.ts'
import { fc } from '../../support/laws.ts'

const ref = attestationOf().id
const round = (k: number, passId: string, timestamp: bigint) =>
  attestationOf({ id: k === 1 ? ref : `${ref}-r${k}`, ref: k === 1 ? '' : ref, passId, timestamp })

const rounds = [
  round(1, 'p-1', 50n),
  round(2, 'p-1', 40n), // the clock was set back
  round(3, 'p-2', 60n),
  round(9, 'p-2', 70n),
  round(10, 'p-2', 70n),
  round(11, '', 10n)
]
const anyOrder = fc.shuffledSubarray(rounds, { minLength: rounds.length })

describe('who answered a request (PERS-520)', () => {
  it('is the latest round given in its pass, in whatever order the files were read', () => {
    fc.assert(
      fc.property(anyOrder, (records) => {
        const answers = indexAnswers(records.filter(({ passId }) => passId !== ''))
        expect(answers.of(ref, 'p-1')?.id).toBe(`${ref}-r2`)
        expect(answers.of(ref, 'p-2')?.id).toBe(`${ref}-r10`)
        expect(answers.of(ref, 'p-3')).toBeNull()
        expect(answers.of('att-other-C1-v1', 'p-1')).toBeNull()
      })
    )
  })

  it('is a legacy line without a pass for any pass that has nothing later', () => {
    expect(indexAnswers(rounds).of(ref, 'p-3')?.id).toBe(`${ref}-r11`)
  })
})

it('the order of verdicts is that of their times, then of their rounds (RUN-902)', () => {
  fc.assert(
    fc.property(anyOrder, (records) => {
      expect(inTimeOrder(records).map(({ id }) => id.slice(ref.length))).toEqual([
        '-r11',
        '-r2',
        '',
        '-r3',
        '-r9',
        '-r10'
      ])
    })
  )
})
