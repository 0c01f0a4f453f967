import type { Arrow, Clause, DepthRank, RoleId, Severity } from '../../../protocol/grid.ts'

// What the cycle asks of models (RUN-610…621): the hooks bring one text per call, the cycle reads and judges it. A hook holds
// no state of the gate and changes none.

/** What one call brought. A throw counts like an answer nobody can read. */
export type HookAnswer =
  | { readonly kind: 'text'; readonly text: string }
  /** The model did not answer and its retries are spent (RUN-224). */
  | { readonly kind: 'unreachable'; readonly message: string }

export type HookCall = {
  /** The model that offers the rank of the pass. */
  readonly model: string
  /** What was wrong with the answer before, or null at the first attempt (RUN-623). */
  readonly reminder: string | null
  readonly signal: AbortSignal
}

/** One file of the artifact; `content` null when it is no text or found no room. */
export type PacketFile = {
  readonly path: string
  readonly bytes: number
  readonly sha256: string
  readonly content: string | null
}

/** Everything an adversary gets to know. Nothing of what was said before, by whomever, and no finding (RUN-620). */
export type AttackPacket = {
  readonly arrowId: string
  readonly sourceRole: RoleId
  readonly targetRole: RoleId
  readonly round: number
  readonly clauses: readonly Pick<Clause, 'id' | 'description' | 'concept' | 'args' | 'eval' | 'depth' | 'minTier'>[]
  readonly requirements: readonly { readonly id: string; readonly minDepth: DepthRank; readonly description: string }[]
  /** Labels of the ranks 0..3. */
  readonly ladder: readonly string[]
  readonly files: readonly PacketFile[]
}

/** A finding as it is put before somebody who knows nothing else: its claim, where, and what was shown for it. */
export type Claim = {
  readonly findingId: string
  readonly claim: string
  readonly locations: readonly string[]
  readonly evidence: string
}

/** A finding as the producer gets it. */
export type FixFinding = Claim & {
  readonly type: string
  readonly severity: Severity
  readonly basis: string
  readonly targetClause: string | null
  readonly targetRequirement: string | null
}

export type FixAsk = {
  readonly arrow: Arrow
  readonly round: number
  readonly findings: readonly FixFinding[]
}

export type HintAsk = { readonly arrow: Arrow; readonly clause: Clause; readonly files: readonly PacketFile[] }

/** A fresh attacker, good for one attack (RUN-610). Each of its calls is a conversation of its own. */
export interface Adversary {
  /** Tries to refute one clause that no program decides. */
  readonly falsify?: (packet: AttackPacket, clause: Clause, call: HookCall) => Promise<HookAnswer>
  /** Looks whether a defect is still there, knowing its claim alone. */
  readonly recheck?: (claim: Claim, call: HookCall) => Promise<HookAnswer>
}

/** All four are needed; less is not wired, and sensitive arrows refuse (RUN-610, RUN-210 check 8). */
export interface HookBundle {
  /** null: none can be made. */
  factory(round: number): Adversary | null
  openSweep(adversary: Adversary, packet: AttackPacket, call: HookCall): Promise<HookAnswer>
  classify(adversary: Adversary, packet: AttackPacket, call: HookCall): Promise<HookAnswer>
  producerFix(ask: FixAsk, call: HookCall): Promise<HookAnswer>
  readonly hint?: (ask: HintAsk, call: HookCall) => Promise<HookAnswer>
}

const needed = ['factory', 'openSweep', 'classify', 'producerFix'] as const

/** The hooks a would-be bundle lacks; empty when it is valid (RUN-610). */
export function missingHooks(bundle: Partial<HookBundle>): readonly string[] {
  return needed.filter((name) => typeof bundle[name] !== 'function')
}
