import type { GateView } from '../../src/protocol/gate-view.ts'

/** What stands where arrows would be while there are none to show (OPUI-103, PERS-401); null: nobody has said anything yet. */
export function closedText(view: GateView | null): string {
  if (view === null) return '…'
  return view.closedBy === null ? 'no grid; run `ghyll init` first' : `engine not initialized: ${view.closedBy}`
}
