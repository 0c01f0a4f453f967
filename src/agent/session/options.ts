import type { SessionId } from '../../protocol/ids.ts'
import type { Rules } from './rules.ts'
import type { SlashCommand } from './slash.ts'

export type SessionOptions = Omit<Rules, 'measuresDrift'> & {
  readonly session: SessionId
  readonly workdir: string
  /** The model to start with, checked by the caller (INIT step 12). */
  readonly model: string
  /** Settle and close what a crashed predecessor left (INIT step 17); only the primary session of a process does. */
  readonly settlesPredecessors: boolean
  /** Commands that other wings add to the built-in ones. */
  readonly commands?: readonly SlashCommand[]
}
