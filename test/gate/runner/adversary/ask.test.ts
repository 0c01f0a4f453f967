import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ask } from '../../../../src/gate/runner/adversary/ask.ts'
import type { HookAnswer } from '../../../../src/gate/runner/adversary/hooks.ts'
import { AssertionFailed } from '../../../../src/lib/assert.ts'

const shape = z.object({ word: z.string() })
const text = (given: string): HookAnswer => ({ kind: 'text', text: given })

/** Asks with these answers in turn; `reminders` are what each call was told was wrong before. */
async function asking(answers: readonly (HookAnswer | Error)[], isOver = () => false) {
  const reminders: (string | null)[] = []
  const asked = await ask(
    async (reminder) => {
      const answer = answers[reminders.push(reminder) - 1]
      if (answer === undefined || answer instanceof Error) throw answer ?? new Error('asked too often')
      return answer
    },
    shape,
    isOver
  )
  return { asked, reminders }
}

describe('a question to a model (RUN-623)', () => {
  it('is asked once where the answer can be read', async () => {
    const { asked, reminders } = await asking([text('here: {"word": "yes"}')])
    expect(asked).toEqual({ kind: 'reply', reply: { word: 'yes' } })
    expect(reminders).toEqual([null])
  })

  it('is asked once more, with what was wrong, and then no more', async () => {
    const { asked, reminders } = await asking([text(''), text('no')])
    expect(reminders).toEqual([null, 'the answer was empty'])
    expect(asked).toEqual({ kind: 'failed', text: 'malformed reply: the answer held no complete JSON object' })
  })

  it('fails where the hook throws, and says that a model does not answer', async () => {
    expect((await asking([new Error('no such tool')])).asked).toEqual({ kind: 'failed', text: 'no such tool' })
    const silent = await asking([{ kind: 'unreachable', message: 'HTTP 503' }])
    expect(silent.asked).toEqual({ kind: 'unreachable', text: 'HTTP 503' })
  })

  it('derives nothing once its cycle is over, whatever came (RUN-112)', async () => {
    expect((await asking([text('{"word": "yes"}')], () => true)).asked).toEqual({ kind: 'over' })
  })

  it('lets a bug of the program through', async () => {
    const bug = new AssertionFailed('cannot be')
    await expect(asking([bug])).rejects.toBe(bug)
  })
})
