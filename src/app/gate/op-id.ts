import { output, type SlashCommand } from '../../agent/session/index.ts'
import { validateOpId } from '../../gate/runner/index.ts'

/** Who attests in this session (OPUI-200, OPUI-201). Read at the moment a verdict is submitted, never kept with a question. */
export interface Identity {
  /** Empty while none is set. */
  current(): string
  /** Sets it; null when it is taken, else what is wrong with it. */
  set(given: string): string | null
  clear(): void
}

export function createIdentity(changed: (opId: string | null) => void): Identity {
  let opId = ''
  return {
    current: () => opId,
    set(given) {
      const checked = validateOpId(given)
      if ('refused' in checked) return checked.refused.text
      opId = checked.opId
      changed(opId)
      return null
    },
    clear() {
      opId = ''
      changed(null)
    }
  }
}

/** `/op-id [<identity>|clear|none]` with its exact answers. */
export function opIdCommand(identity: Identity): SlashCommand {
  return {
    name: 'op-id',
    description: 'identity that signs your verdicts',
    when: 'idle',
    run: (args) => [output('op-id', opIdLine(identity, args.trim()))]
  }
}

function opIdLine(identity: Identity, given: string): string {
  if (given === '') {
    const opId = identity.current()
    return opId === '' ? 'ℹ no op-id set; use /op-id <identity> to declare' : `op-id: ${opId}`
  }
  if (given === 'clear' || given === 'none') {
    identity.clear()
    return 'op-id cleared'
  }
  const problem = identity.set(given)
  return problem === null ? `op-id set: ${identity.current()}` : `✗ invalid op-id: ${problem}`
}
