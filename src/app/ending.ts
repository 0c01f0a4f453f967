import type { SessionEnd } from '../agent/session/index.ts'
import { countText } from '../lib/count-text.ts'
import { signalCode } from './signals.ts'

export type ProgramEnd = {
  /** For the normal screen: the line of SESS-141, and after at least one turn up to three more (TERM-6). */
  readonly lines: readonly string[]
  readonly exitCode: number
}

/** What is said at the end, and the exit code of SESS-143: a signal counts only when it ended a busy session. */
export function endOf(
  { state, wasBusy, checkpoint, isUnsaved }: SessionEnd,
  { signal, canBeResumed }: { readonly signal: NodeJS.Signals | null; readonly canBeResumed: boolean }
): ProgramEnd {
  const exitCode = signal !== null && wasBusy ? signalCode(signal) : 0
  if (state.turn === 0) return { lines: ['ghyll: session ended.'], exitCode }
  const tokens = state.usage.reduce((sum, each) => sum + each.total, 0)
  return {
    lines: [
      `ghyll: session ended; final checkpoint ${isUnsaved ? 'not written' : 'written'}.`,
      `  ${countText(state.turn, 'turn')}, ${tokens} tokens`,
      `  last checkpoint ${checkpoint?.hash.slice(0, 12) ?? 'none'}`,
      ...(canBeResumed ? ['  resume with: ghyll run --resume'] : [])
    ],
    exitCode
  }
}
