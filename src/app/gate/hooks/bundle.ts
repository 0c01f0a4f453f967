import type { AttackPacket, HookBundle, HookCall } from '../../../gate/runner/adversary/index.ts'
import type { Converse } from './converse.ts'
import { prompts } from './prompts.ts'
import { filesText, fill, findingsText, packetText } from './render.ts'

// The hooks of the adversarial cycle on real models (RUN-610, RUN-621). Each call is a conversation of its own; an adversary reads and
// searches, the producer works. Nothing here looks at an answer: that is the cycle's business.

/** The bundle over conversations with models; it is complete, hint included (RUN-610, RUN-621). */
export function createHookBundle(converse: Converse): HookBundle {
  const attack = (packet: AttackPacket, task: string, call: HookCall) =>
    converse({
      model: call.model,
      system: prompts.adversary,
      task: withReminder(`${task}\n\n${packetText(packet)}`, call),
      tools: 'read-only',
      signal: call.signal
    })
  return {
    factory: (round) => ({
      round,
      falsify: (packet, { id, description }, call) =>
        attack(packet, fill(prompts.falsify, { clause_id: id, clause: description }), call),
      recheck: ({ findingId, claim, locations, evidence }, call) => {
        const values = {
          finding_id: findingId,
          claim,
          locations: locations.join(', ') || 'none',
          evidence: evidence || 'nothing'
        }
        return converse({
          model: call.model,
          system: prompts.adversary,
          task: withReminder(fill(prompts.recheck, values), call),
          tools: 'read-only',
          signal: call.signal
        })
      }
    }),
    openSweep: (_, packet, call) => attack(packet, prompts.openSweep, call),
    classify: (_, packet, call) => attack(packet, fill(prompts.classify, ladderOf(packet)), call),
    producerFix: ({ arrow, findings }, call) =>
      converse({
        model: call.model,
        system: fill(prompts.producer, { role: arrow.sourceRole, context: arrow.context }),
        task: withReminder(findingsText(findings), call),
        tools: 'sub-agent',
        signal: call.signal
      }),
    hint: ({ clause, files }, call) =>
      converse({
        model: call.model,
        system: prompts.reader,
        task: withReminder(
          `${fill(prompts.hint, { clause_id: clause.id, clause: clause.description })}\n\n${filesText(files)}`,
          call
        ),
        tools: 'read-only',
        signal: call.signal
      })
  }
}

/** The task, with what was wrong with the answer before (RUN-623). */
export function withReminder(task: string, { reminder }: Pick<HookCall, 'reminder'>): string {
  return reminder === null ? task : `${task}\n\n${fill(prompts.reminder, { problem: reminder })}`
}

function ladderOf({ ladder, requirements }: AttackPacket) {
  return {
    ladder: ladder.map((label, rank) => `- ${label}: ${meanings[rank] ?? ''}`).join('\n'),
    labels: ladder.map((label) => JSON.stringify(label)).join(' | '),
    requirements: requirements.map(({ id, description }) => `- ${id}: ${description}`).join('\n')
  }
}

/** What the ranks 0..3 say about an artifact, whatever a project calls them. */
const meanings = [
  'nothing implements the requirement',
  'something is there but does not exercise the specified behaviour',
  'the behaviour is exercised only against mocks, stubs or fakes',
  'the behaviour is exercised against real dependencies, or such as stand for those in production'
]
