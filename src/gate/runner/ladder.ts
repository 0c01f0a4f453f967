import type { DepthRank } from '../../protocol/grid.ts'

/** Labels of the ranks 0..3 unless a project renames them (GATE-21). */
export const defaultLadder = ['NONE', 'SHALLOW', 'MOCKED', 'REALISTIC'] as const

export type Ladder = readonly [string, string, string, string]

/** Reads four labels, or says what is wrong with them: four, well-formed, different when case is ignored (GATE-21). */
export function readLadder(labels: readonly unknown[]): { readonly ladder: Ladder } | { readonly problem: string } {
  if (labels.length !== 4) return { problem: `depth-ladder needs four labels, got ${labels.length}` }
  const trimmed = labels.map((label) => (typeof label === 'string' ? label.trim() : ''))
  const bad = trimmed.findIndex((label) => !/^[A-Za-z][A-Za-z0-9-]*$/.test(label))
  if (bad !== -1) return { problem: `depth-ladder label of rank ${bad} is invalid: ${JSON.stringify(labels[bad])}` }
  if (new Set(trimmed.map((label) => label.toLowerCase())).size !== 4)
    return { problem: 'depth-ladder repeats a label' }
  const [none = '', shallow = '', mocked = '', realistic = ''] = trimmed
  return { ladder: [none, shallow, mocked, realistic] }
}

/** The rank a label stands for, case and surrounding space ignored; null when the ladder has no such label (GATE-21). */
export function rankOfLabel(ladder: Ladder, label: string): DepthRank | null {
  const wanted = label.trim().toLowerCase()
  const rank = ladder.findIndex((each) => each.toLowerCase() === wanted)
  return rank === 0 || rank === 1 || rank === 2 || rank === 3 ? rank : null
}
