import { createCycle } from '../../src/gate/runner/adversary/cycle.ts'
import type {
  Adversary,
  AttackPacket,
  Claim,
  FixAsk,
  HintAsk,
  HookAnswer,
  HookBundle,
  HookCall
} from '../../src/gate/runner/adversary/hooks.ts'
import type { ArtifactFile, CyclePorts } from '../../src/gate/runner/adversary/ports.ts'
import type { CycleRecord } from '../../src/gate/runner/adversary/report.ts'
import { dispatch } from '../../src/gate/runner/dispatch/dispatch.ts'
import type { DispatchResult } from '../../src/gate/runner/dispatch/types.ts'
import type { Clause } from '../../src/protocol/grid.ts'
import { quiet, type World } from './gates.ts'

// A bundle that plays adversary and producer from a script. A part without a line of its own attacks in vain, or fixes everything.

export type Said = string | object | Error | { readonly unreachable: string }

/** One line of the script per round, asked with what the hook was given; a function also plays side effects. */
export type Script = {
  readonly sweep?: (packet: AttackPacket, call: HookCall) => Said
  readonly falsify?: (clause: Clause, packet: AttackPacket, call: HookCall) => Said
  readonly classify?: (packet: AttackPacket, call: HookCall) => Said
  readonly recheck?: (claim: Claim, call: HookCall) => Said
  readonly fix?: (ask: FixAsk, call: HookCall) => Said
  readonly hint?: (ask: HintAsk, call: HookCall) => Said | Promise<Said>
  readonly factory?: (round: number) => Adversary | null
}

export type Play = {
  readonly packets: AttackPacket[]
  readonly claims: Claim[]
  readonly fixes: FixAsk[]
  readonly calls: string[]
  readonly records: CycleRecord[]
  readonly reminders: (string | null)[]
  /** What the operator does about a proposed risk; by default nothing, which skips. */
  onRisk: (findingId: string) => void | Promise<void>
  files: readonly (ArtifactFile & { readonly text: string | null })[]
}

/** A sweep that read one file and found nothing. */
export const nothingFound = { findings: [], artifact_read: ['specs/shop/model.md'] }

/** A sweep that found one thing; `more` changes the finding. */
export function foundOne(more: object = {}): object {
  const finding = { title: 'totals may be negative', severity: 'high', basis: 'boundary values', evidence: 'INV-2' }
  return { findings: [{ ...finding, locations: ['specs/shop/model.md:4-9'], ...more }], artifact_read: [] }
}

/** A world whose sensitive arrows run a scripted cycle. */
export function playIn(world: World, script: Script = {}): Play {
  const play: Play = {
    packets: [],
    claims: [],
    fixes: [],
    calls: [],
    records: [],
    reminders: [],
    onRisk: () => undefined,
    files: [{ path: 'specs/shop/model.md', bytes: 20, sha256: 'a1', text: 'a total is a number' }]
  }
  const ports: CyclePorts = {
    artifact: {
      list: async () => play.files.map(({ path, bytes, sha256 }) => ({ path, bytes, sha256 })),
      text: async (path) => play.files.find((file) => file.path === path)?.text ?? null
    },
    risk: { answered: async (findingId) => play.onRisk(findingId) },
    keep: (record) => play.records.push(structuredClone(record)),
    packetBytes: 100
  }
  const cycle = createCycle(() => world.gates, bundleOf(script, play), ports)
  world.adversary = { disabled: false, cycle }
  return play
}

function bundleOf(script: Script, play: Play): HookBundle {
  const said = async (name: string, call: HookCall, line: () => Said | Promise<Said>): Promise<HookAnswer> => {
    play.calls.push(name)
    play.reminders.push(call.reminder)
    const given = await line()
    if (given instanceof Error) throw given
    if (typeof given === 'string') return { kind: 'text', text: given }
    if ('unreachable' in given) return { kind: 'unreachable', message: String(given.unreachable) }
    return { kind: 'text', text: JSON.stringify(given) }
  }
  const adversary = (): Adversary => ({
    falsify: (packet, clause, call) =>
      said(`falsify ${clause.id}`, call, () => {
        const line = script.falsify?.(clause, packet, call)
        return line ?? { clause_id: clause.id, falsified: false }
      }),
    recheck: (claim, call) => {
      play.claims.push(claim)
      return said('recheck', call, () => {
        const line = script.recheck?.(claim, call)
        return line ?? { finding_id: claim.findingId, reproduced: 'no', evidence: '' }
      })
    }
  })
  return {
    factory: script.factory ?? adversary,
    openSweep: (_, packet, call) => {
      play.packets.push(packet)
      return said('sweep', call, () => script.sweep?.(packet, call) ?? nothingFound)
    },
    classify: (_, packet, call) =>
      said('classify', call, () => {
        const all = packet.requirements.map(({ id }) => ({ requirement_id: id, observed: 'REALISTIC', evidence: 'e' }))
        return script.classify?.(packet, call) ?? { classifications: all }
      }),
    producerFix: (ask, call) => {
      play.fixes.push(ask)
      return said('fix', call, () => script.fix?.(ask, call) ?? dispositions(ask, 'fixed'))
    },
    ...(script.hint !== undefined && {
      hint: (ask: HintAsk, call: HookCall) => said('hint', call, () => script.hint?.(ask, call) ?? '')
    })
  }
}

/** What a producer answers who does the same with every finding. */
export function dispositions(ask: FixAsk, action: string): object {
  const one = ({ findingId }: { readonly findingId: string }) => ({ finding_id: findingId, action, rationale: 'why' })
  return { dispositions: ask.findings.map(one), summary: 'done' }
}

/** Runs the arrow and takes for granted that a pass opened. */
export async function runArrow(world: World, arrowId: string, signal: AbortSignal = quiet()): Promise<DispatchResult> {
  const outcome = await dispatch(world.gates, { arrowId, opId: 'alice', signal })
  if (outcome.kind !== 'dispatched') throw new Error(`no pass: ${JSON.stringify(outcome)}`)
  return outcome.result
}

/** Another artifact than before, as an edit leaves it. */
export function edit(world: World, digest: string): void {
  world.artifact = { digest, dependencies: {} }
}
