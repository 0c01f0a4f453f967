import type { Arrow } from '../../protocol/grid.ts'

/** The arrow with a name for every clause: one without an id is called by its place, ids in use skipped (RUN-230). */
export function withClauseIds(arrow: Arrow): Arrow {
  if (arrow.clauses.every(({ id }) => id !== '')) return arrow
  const used = new Set(arrow.clauses.map(({ id }) => id))
  const clauses = arrow.clauses.map((clause, place) => {
    if (clause.id !== '') return clause
    let k = place + 1
    while (used.has(`C${k}`)) k += 1
    used.add(`C${k}`)
    return { ...clause, id: `C${k}` }
  })
  return { ...arrow, clauses }
}
