import type { Arrow } from '../../../protocol/grid.ts'
import type { CycleRecord } from './report.ts'

// What the cycle needs from outside besides the hooks.

export type ArtifactFile = { readonly path: string; readonly bytes: number; readonly sha256: string }

/** The artifact of an arrow, file by file (RUN-232, RUN-620). */
export interface ArtifactReader {
  /** Sorted by path. Rejects when the tree cannot be read. */
  list(arrow: Arrow, signal: AbortSignal): Promise<readonly ArtifactFile[]>
  /** The text of one of these files, or null when it is none (binary, gone). */
  text(path: string, signal: AbortSignal): Promise<string | null>
}

/** The question whether to live with a finding (RUN-633). The answer itself is a transition of the finding, made by the operator. */
export interface RiskPrompt {
  /** Resolves when the operator has answered or passed it over; at once where nobody can be asked. */
  answered(findingId: string, signal: AbortSignal): Promise<void>
}

export interface CyclePorts {
  readonly artifact: ArtifactReader
  readonly risk: RiskPrompt
  /** Keeps the report (RUN-652). A throw is logged and changes nothing. */
  readonly keep: (record: CycleRecord) => void
  /** Most bytes of file content an attack packet carries. */
  readonly packetBytes: number
}
