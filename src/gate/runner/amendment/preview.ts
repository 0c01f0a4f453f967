import type { Grid } from '../../../protocol/grid.ts'
import type { Refusal } from '../refusal.ts'
import { affectedArrows, differingArrows, hadPass } from './affected.ts'
import type { Amendment } from './amendment.ts'
import type { AmendmentContent } from './commit.ts'
import type { Committer } from './committer.ts'
import { appended, stageGrid } from './stage.ts'

/** What a commit would do, for whoever decides on it (OPUI-560). Nothing changes. */
export type AmendmentPreview = {
  readonly amendment: Amendment
  readonly content: AmendmentContent
  readonly rationale: string
  /** The grid in force and the one it would become; null when the content is refused. */
  readonly before: Grid | null
  readonly after: Grid | null
  readonly invalidates: readonly string[]
  /** Passes. */
  readonly aborts: readonly string[]
  readonly gridVersionAfter: number
  readonly problem: Refusal | null
}

/** Works out what a commit of this content would do, without doing any of it (OPUI-560). */
export async function previewAmendment(
  { gates, ports }: Committer,
  amendment: Amendment,
  content: AmendmentContent,
  rationale: string,
  signal: AbortSignal
): Promise<AmendmentPreview> {
  const before = gates.grid.current()
  const open = gates.passes.all().map(({ record }) => record)
  const common = { amendment, content, rationale, before }
  if (before === null)
    return { ...common, after: null, invalidates: [], aborts: [], gridVersionAfter: 0, problem: null }
  const change = {
    newArrows: content.newArrows,
    bindings: content.newBindings,
    amendmentId: amendment.id,
    opId: before.createdByOpId,
    createdAt: before.createdAt
  }
  const staged = stageGrid(before, change, ports.vocabulary)
  if ('refused' in staged) {
    const { refused: problem } = staged
    return { ...common, after: null, invalidates: [], aborts: [], gridVersionAfter: before.version, problem }
  }
  const differing = await differingArrows(gates, signal)
  const { sourceArrow } = amendment
  const { changedArtifacts } = content
  const affected = affectedArrows(before.arrows, { sourceArrow, staged: staged.staged, changedArtifacts, differing })
  const ids = new Set(affected.isSpecChange ? affected.arrows.map(({ id }) => id) : [sourceArrow])
  const isNewVersion = affected.isSpecChange || staged.staged.hasNewBindings
  return {
    ...common,
    after: isNewVersion ? appended(staged.staged) : before,
    invalidates: affected.arrows.map(({ id }) => id).filter((id) => hadPass(gates, id)),
    aborts: open.filter(({ arrowId }) => ids.has(arrowId)).map(({ id }) => id),
    gridVersionAfter: isNewVersion ? before.version + 1 : before.version,
    problem: null
  }
}
