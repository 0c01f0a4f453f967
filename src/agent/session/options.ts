import type { NoteEntry } from '../../protocol/entry.ts'
import type { SessionId } from '../../protocol/ids.ts'
import type { DialectFamily } from '../../protocol/model.ts'
import type { SlashCommand } from './slash.ts'

/** What a session knows of one configured model; address and key stay with the client. */
export type ModelFacts = {
  readonly name: string
  /** Dialect family (models.md section 2). */
  readonly family: DialectFamily
  readonly maxContext: number
  /** For commit trailers (MODEL-090). */
  readonly stampLabel: string
}

/** The values of the configuration that steer a session. They never change while it lives. */
export type Rules = {
  readonly models: Readonly<Record<string, ModelFacts>>
  readonly routing: {
    readonly defaultModel: string
    readonly deepModel: string | null
    readonly contextDepthThreshold: number
    readonly toolDepthThreshold: number
    readonly enableAutoRouting: boolean
    readonly gateFloorEscalateAtRank: number
    readonly gateFloorDisabled: boolean
  }
  /** `--model` was given: the router never switches (ROUTE-004 rows 2 and 3). */
  readonly locked: boolean
  readonly checkpointIntervalTurns: number
  readonly driftCheckIntervalTurns: number
  /** A drift port is there (CTX-040). */
  readonly measuresDrift: boolean
  /** Cap on every tool result, negative for none (TOOL-011); the session applies it to what a sub-agent answers (CTX-093). */
  readonly maxResultBytes: number
  readonly subAgent: {
    readonly defaultModel: string
    readonly maxTurns: number
    readonly tokenBudget: number
    readonly timeoutSeconds: number
  }
}

export type SessionOptions = Omit<Rules, 'measuresDrift'> & {
  readonly session: SessionId
  readonly workdir: string
  /** The model to start with, checked by the caller (INIT step 12). */
  readonly model: string
  /** Settle and close what a crashed predecessor left (INIT step 17); only the primary session of a process does. */
  readonly settlesPredecessors: boolean
  /** What `--resume` found (SESS-123…125): the finished note, already cleaned. */
  readonly resume?: {
    readonly note: NoteEntry['text']
    readonly turn: number
    readonly planMode: boolean
    readonly from: { readonly session: string; readonly hash: string }
  }
  /** Commands that other wings add to the built-in ones. */
  readonly commands?: readonly SlashCommand[]
}

export const maxToolDepth = 50
export const maxRetries = 3
