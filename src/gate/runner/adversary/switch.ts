import type { AdversarySlot, Cycle } from '../ports.ts'
import { adversaryStatus } from '../texts/project.ts'

// `/adversary` and its exact words (RUN-611). Explicitly disabled means that sensitive arrows refuse; they never fall back to
// verification alone.

export interface AdversarySwitch {
  /** Read once per dispatch (RUN-211). */
  slot(): AdversarySlot
  /** The line of a session's start. */
  banner(): string
  /** Answer to `/adversary enable`, `disable`, `status` or without a word; null for any other word. */
  command(word: string): string | null
}

export type AdversarySwitchOptions = {
  /** Active model when its name, endpoint and dialect are all there, else null. */
  readonly dialect: () => string | null
  /** A cycle whose calls go to real models; null when none can be wired. */
  readonly wire: () => Cycle | null
}

export function createAdversarySwitch({ dialect, wire }: AdversarySwitchOptions): AdversarySwitch {
  let cycle = dialect() === null ? null : wire()
  let isDisabled = false
  const name = () => dialect() ?? 'no-dialect-configured'
  const slot = (): AdversarySlot => ({ disabled: isDisabled, cycle: isDisabled ? null : cycle })
  return {
    slot,
    banner: () =>
      cycle === null
        ? 'ℹ adversarial cycle: disabled (no dialect configured; type `/adversary enable` to wire)'
        : `ℹ adversarial cycle: enabled (dialect=${name()})`,
    command(word) {
      switch (word.trim()) {
        case '':
        case 'status':
          return `adversary: ${adversaryStatus(slot(), dialect())}`
        case 'disable':
          isDisabled = true
          return '✓ /adversary disabled (depth-sensitive arrows refuse)'
        case 'enable': {
          const wired = dialect() === null ? null : wire()
          if (wired === null)
            return '✗ /adversary enable refused: no-dialect-configured (no active model endpoint resolves; set a model in ~/.ghyll/config.toml or pass --model)'
          cycle = wired
          isDisabled = false
          return `✓ /adversary enabled (dialect=${name()} bundle wired)`
        }
        default:
          return null
      }
    }
  }
}
