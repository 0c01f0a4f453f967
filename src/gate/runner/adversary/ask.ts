import type { z } from 'zod'
import { letBugsThrough } from '../../../lib/assert.ts'
import { messageOf } from '../../../lib/error.ts'
import type { HookAnswer } from './hooks.ts'
import { readReply } from './reply.ts'

/** What came of one question. */
export type Asked<Reply> =
  | { readonly kind: 'reply'; readonly reply: Reply }
  /** A harness error: nothing usable came, even after a reminder (RUN-623). */
  | { readonly kind: 'failed'; readonly text: string }
  | { readonly kind: 'unreachable'; readonly text: string }
  /** The cycle is over; whatever came derives nothing (RUN-112). */
  | { readonly kind: 'over' }

/**
 * Asks once and, when the answer cannot be read, once more with the reason (RUN-623). `isOver` is asked after every call: the cycle may
 * have been cancelled, its pass taken away, or a file of the gate changed (RUN-214).
 */
export async function ask<Reply>(
  call: (reminder: string | null) => Promise<HookAnswer>,
  shape: z.ZodType<Reply>,
  isOver: () => boolean
): Promise<Asked<Reply>> {
  let reminder: string | null = null
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const outcome = await attemptCall(call, reminder)
    if (isOver()) return { kind: 'over' }
    if (outcome.kind !== 'text') return outcome
    const read = readReply(outcome.text, shape)
    if ('reply' in read) return { kind: 'reply', reply: read.reply }
    reminder = read.problem
  }
  return { kind: 'failed', text: `malformed reply: ${reminder}` }
}

async function attemptCall(
  call: (reminder: string | null) => Promise<HookAnswer>,
  reminder: string | null
): Promise<
  | Extract<HookAnswer, { kind: 'text' }>
  | { readonly kind: 'failed'; readonly text: string }
  | { readonly kind: 'unreachable'; readonly text: string }
> {
  try {
    const answer = await call(reminder)
    return answer.kind === 'text' ? answer : { kind: 'unreachable', text: answer.message }
  } catch (cause) {
    letBugsThrough(cause)
    return { kind: 'failed', text: messageOf(cause) }
  }
}
