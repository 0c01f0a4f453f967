import type { ProducerHint } from '../ports.ts'
import { type Asked, ask } from './ask.ts'
import type { HookBundle } from './hooks.ts'
import { packetFiles } from './packet.ts'
import { type HintReply, hintShape } from './replies.ts'
import { type CycleWork, callOf, isOver } from './work.ts'

/** How long a producer may take to say where to look: one hour (`producer-no-response`, GATE-38). */
export const hintTimeoutMs = 60 * 60 * 1000

/** Asks the producer where a person should look for one clause (GATE-58). What judges, or comes malformed twice, chose by no rule. */
export async function askHint(
  work: CycleWork,
  hint: NonNullable<HookBundle['hint']>,
  clauseId: string
): Promise<ProducerHint> {
  const { gates, input, pass } = work
  const clause = pass.arrow.clauses.find(({ id }) => id === clauseId)
  if (clause === undefined) return { kind: 'no-rule' }
  const files = await packetFiles(work)
  const limit = new AbortController()
  const done = new AbortController()
  const signal = AbortSignal.any([input.signal, limit.signal])
  const over: Asked<HintReply> = { kind: 'over' }
  const late = gates.ports.clock.sleep(hintTimeoutMs, done.signal).then(
    () => {
      limit.abort('hint timeout')
      return over
    },
    // Answered in time: nobody looks at this any more.
    () => over
  )
  const answer = ask(
    (reminder) => hint({ arrow: pass.arrow, clause, files }, { ...callOf(work, reminder), signal }),
    hintShape(clauseId),
    () => isOver(work, 'producer') || limit.signal.aborted
  )
  const asked = await Promise.race([answer, late])
  done.abort()
  if (asked.kind === 'failed') return { kind: 'no-rule' }
  if (asked.kind !== 'reply') return { kind: 'no-response' }
  const { locations, basis, residue } = asked.reply
  return locations.length === 0 ? { kind: 'no-rule' } : { kind: 'hint', locations, basis, residue }
}
