import { output, type SlashCommand } from '../../agent/session/index.ts'
import { isClearingWord, refusedTold, type Told, told, validateOpId } from '../../gate/runner/index.ts'

/** Who attests in this session (OPUI-200, OPUI-201). Read at the moment a verdict is submitted, never kept with a question. */
export interface Identity {
  /** Empty while none is set. */
  current(): string
  /** Sets it; null when it is taken, else what is wrong with it. */
  set(given: string): string | null
  clear(): void
}

/** Nobody yet; `changed` hears of every change (OPUI-201). */
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

/** `/op-id [<identity>|clear|none]` with its exact answers (OPUI-200). */
export function opIdCommand(identity: Identity): SlashCommand {
  return {
    name: 'op-id',
    description: 'identity that signs your verdicts',
    when: 'idle',
    run(args) {
      const { lines, refusal } = answerOpId(identity, args.trim())
      return [{ ...output('op-id', ...lines), failed: refusal !== null }]
    }
  }
}

function answerOpId(identity: Identity, given: string): Told {
  if (given === '') {
    const opId = identity.current()
    return told([opId === '' ? 'ℹ no op-id set; use /op-id <identity> to declare' : `op-id: ${opId}`])
  }
  if (isClearingWord(given)) {
    identity.clear()
    return told(['op-id cleared'])
  }
  const problem = identity.set(given)
  return problem === null ? told([`op-id set: ${identity.current()}`]) : refusedTold(`invalid op-id: ${problem}`)
}
