import { validateOpId } from '../../gate/runner/index.ts'

/** Who attests in this session (OPUI-200, OPUI-201). Read at the moment a verdict is submitted, never kept with a question. */
export interface Identity {
  /** Empty while none is set. */
  current(): string
  /** Sets it; null when it is taken, else what is wrong with it. */
  set(given: string): string | null
  /** `/op-id` with its answers. */
  command(args: string): readonly string[]
}

export function createIdentity(changed: (opId: string | null) => void): Identity {
  let opId = ''
  const set = (given: string): string | null => {
    const checked = validateOpId(given)
    if ('refused' in checked) return checked.refused.text
    opId = checked.opId
    changed(opId)
    return null
  }
  return {
    current: () => opId,
    set,
    command(args) {
      const given = args.trim()
      if (given === '') return [opId === '' ? 'ℹ no op-id set; use /op-id <identity> to declare' : `op-id: ${opId}`]
      if (given === 'clear' || given === 'none') {
        opId = ''
        changed(null)
        return ['op-id cleared']
      }
      const problem = set(given)
      return [problem === null ? `op-id set: ${opId}` : `✗ invalid op-id: ${problem}`]
    }
  }
}
