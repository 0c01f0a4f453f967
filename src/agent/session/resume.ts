import { Failure } from '../../lib/error.ts'
import type { NoteEntry } from '../../protocol/entry.ts'
import { type Item, notice } from './facts.ts'
import type { Ports, ResumedSession } from './ports.ts'

/** INIT step 18: goes on from the last checkpoint there is (SESS-120…126). Whatever is in the way of it is a line, never an error. */
export async function resume(ports: Pick<Ports, 'resume' | 'ids'>): Promise<readonly Item[]> {
  if (ports.resume === undefined) return []
  try {
    const { found, warnings } = await ports.resume.find()
    return [
      ...warnings.map((text) => notice('warning', text)),
      ...(found === null ? [notice('info', 'no previous session found, starting fresh')] : resumed(found, ports))
    ]
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return [notice('warning', `not resumed: ${error.message}`, error.hint)]
  }
}

/** SESS-123…125. */
function resumed({ note: text, turn, planMode, from }: ResumedSession, { ids }: Pick<Ports, 'ids'>): readonly Item[] {
  const entry: NoteEntry = { kind: 'note', id: ids.entry(), turn: 0, sub: 'resume', text, from }
  return [
    { kind: 'note-added', entry },
    ...(planMode ? [{ kind: 'plan-mode-changed', on: true } as const] : []),
    notice('info', `resumed from previous session (turn ${turn})`)
  ]
}
