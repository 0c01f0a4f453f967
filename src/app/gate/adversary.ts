import {
  type AdversarySlot,
  adversaryStatus,
  type Cycle,
  refusedTold,
  type Told,
  told
} from '../../gate/runner/index.ts'

/** The switch of the adversarial cycle (RUN-611). A wired cycle makes real model calls; without one sensitive arrows refuse. */
export interface Adversary {
  slot(): AdversarySlot
  /** The banner of the session's start. */
  banner(): string
  /** `/adversary` with its exact answers. */
  command(args: string): Told
  /** What stands behind `adversary:` in `/status`. */
  status(): string
}

/** `model` null: no dialect is usable. `cycle` null: the hooks are not there, whatever the operator says (RUN-611). */
export function createAdversary(model: string | null, cycle: Cycle | null): Adversary {
  let disabled = false
  const slot = (): AdversarySlot => ({ disabled, cycle: model === null ? null : cycle })
  return {
    slot,
    banner: () =>
      model === null || cycle === null
        ? 'adversarial cycle: disabled (no dialect configured; type `/adversary enable` to wire)'
        : `adversarial cycle: enabled (dialect=${model})`,
    command(args) {
      switch (args.trim()) {
        case '':
        case 'status':
          return told([`adversary: ${adversaryStatus(slot(), model)}`])
        case 'disable':
          disabled = true
          return told(['✓ /adversary disabled (depth-sensitive arrows refuse)'])
        case 'enable':
          if (model === null || cycle === null)
            return refusedTold(
              '/adversary enable refused: no-dialect-configured (no active model endpoint resolves; set a model in ~/.ghyll/config.toml or pass --model)'
            )
          disabled = false
          return told([`✓ /adversary enabled (dialect=${model} bundle wired)`])
        default:
          return refusedTold(`/adversary: unknown word "${args.trim()}"`, 'usage: /adversary [enable|disable|status]')
      }
    },
    status: () => adversaryStatus(slot(), model)
  }
}
