import type { OperatorEvent } from '../../src/protocol/gate.ts'

/** What an event is about, in one line: its ids, the most telling first (OPUI-733). */
export function eventSubject(event: OperatorEvent): string {
  const { pass_id, arrow_id, clause_id, finding_id, role, op_id } = event
  const parts = [pass_id, arrow_id, clause_id, finding_id, role, op_id].filter(
    (part) => part !== undefined && part !== ''
  )
  return parts.length === 0 ? (event.detail ?? '').split('\n', 1).join('') : parts.join(' ')
}
