import { letBugsThrough } from '../../../lib/assert.ts'
import { messageOf } from '../../../lib/error.ts'
import { type Refusal, refusal } from '../refusal.ts'
import type { Amendment } from './amendment.ts'
import { type AmendmentContent, type CommitOutcome, commitAmendment } from './commit.ts'
import type { Committer } from './committer.ts'
import { type AmendmentPreview, previewAmendment } from './preview.ts'
import { drainTexts } from './texts.ts'

// `/drain-amendments` (RUN-726, OPUI-362): one after the other, each shown before it is committed. The first that fails stops the run.

export type Proposed =
  | { readonly kind: 'proposal'; readonly content: AmendmentContent; readonly rationale: string }
  /** The analyst brought nothing usable. */
  | { readonly kind: 'failed'; readonly text: string }

export interface DrainPorts {
  /** The re-engaged analyst; it edits the specs before it answers. null: no dialect is configured. */
  readonly propose: ((amendment: Amendment, signal: AbortSignal) => Promise<Proposed>) | null
  decide(preview: AmendmentPreview, signal: AbortSignal): Promise<'accept' | 'commit-empty' | 'stop'>
  line(text: string): void
}

/** How far a drain came. `refusal`: what stopped it, null when nothing did but the operator. */
export type Drained = { readonly committed: number; readonly total: number; readonly refusal: Refusal | null }

/** What is committed where nobody proposes anything: only what the digests show (RUN-726). */
export const emptyContent: AmendmentContent = { newArrows: [], newBindings: {}, changedArtifacts: [] }

/** Commits what waits, one after the other, as far as it goes; lines say what came of each (RUN-726, OPUI-362). */
export async function drainAmendments(
  committer: Committer,
  ports: DrainPorts,
  { opId, signal }: { readonly opId: string; readonly signal: AbortSignal }
): Promise<Drained> {
  const { queue } = committer
  const waiting = queue.pending()
  if (opId === '') {
    ports.line(`✗ ${drainTexts.noOpId}`)
    return { committed: 0, total: waiting.length, refusal: refusal('op-id-required', drainTexts.noOpId) }
  }
  if (waiting.length === 0) {
    ports.line(drainTexts.empty)
    return { committed: 0, total: 0, refusal: null }
  }
  let committed = 0
  let refused: Refusal | null = null
  for (const amendment of waiting) {
    const content = await settledContent(committer, ports, amendment, signal)
    if (content === null || signal.aborted) break
    const outcome = await commitAmendment(committer, { ...content, id: amendment.id, opId, signal })
    ports.line(drainTexts.outcome(amendment.id, outcome))
    if (outcome.kind === 'committed' && outcome.fallbackOnly > 0)
      ports.line(drainTexts.undeclared(outcome.fallbackOnly))
    refused = refusalOf(outcome)
    if (refused !== null) break
    committed += 1
  }
  ports.line(drainTexts.done(committed, waiting.length))
  return { committed, total: waiting.length, refusal: refused }
}

function refusalOf(outcome: CommitOutcome): Refusal | null {
  if (outcome.kind === 'committed') return null
  return outcome.kind === 'refused'
    ? outcome.refusal
    : refusal(outcome.outcome, `${outcome.outcome}: ${outcome.reason}`)
}

/** What the operator let through; null: stop. */
async function settledContent(
  committer: Committer,
  ports: DrainPorts,
  amendment: Amendment,
  signal: AbortSignal
): Promise<AmendmentContent | null> {
  if (isWritten(committer, amendment) || ports.propose === null) return emptyContent
  const proposed = await proposal(ports.propose, amendment, signal)
  if (signal.aborted) return null
  const content = proposed.kind === 'proposal' ? proposed.content : emptyContent
  const rationale = proposed.kind === 'proposal' ? proposed.rationale : drainTexts.noProposal(proposed.text)
  const preview = await previewAmendment(committer, amendment, content, rationale, signal)
  if (signal.aborted) return null
  switch (await ports.decide(preview, signal)) {
    case 'accept':
      return content
    case 'commit-empty':
      return emptyContent
    case 'stop':
      return null
  }
}

/** The grid file bears it already; it only has to be marked, and nobody is asked again (RUN-725). */
function isWritten({ gates }: Committer, { id }: Amendment): boolean {
  return gates.grid.current()?.amendmentId === id
}

async function proposal(
  propose: NonNullable<DrainPorts['propose']>,
  amendment: Amendment,
  signal: AbortSignal
): Promise<Proposed> {
  try {
    return await propose(amendment, signal)
  } catch (cause) {
    letBugsThrough(cause)
    return { kind: 'failed', text: messageOf(cause) }
  }
}
