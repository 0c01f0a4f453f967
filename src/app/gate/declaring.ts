import { contractArrows } from '../../gate/bootstrap/index.ts'
import type { Catalogue } from '../../gate/catalogue/index.ts'
import type { Committer } from '../../gate/runner/amendment/index.ts'
import { refusedTold, type Told, told } from '../../gate/runner/index.ts'
import {
  type Confirmed,
  type DeclarePorts,
  declareOnTheSpot,
  declareText,
  eligibleRoles,
  suspendTransition
} from '../../gate/runner/on-the-spot/index.ts'
import type { DeclarationPrompt } from '../../protocol/gate-prompt.ts'
import type { Asker, OpenAnswer } from './ask.ts'

export type DeclaringOptions = {
  readonly committer: Committer
  readonly catalogue: Catalogue
  readonly projectDir: string
  readonly asker: Asker
  readonly define: DeclarePorts['define']
  readonly opId: () => string
}

/** What came of `--define`: what to show, and whether the arrow is there to be run. */
export type DeclaredTold = Told & { readonly isDeclared: boolean }

/** Declares the arrow of a hand-off that has none, if somebody confirms it (RUN-800, RUN-801, OPUI-550). */
export type Declaring = (arrow: string, signal: AbortSignal) => Promise<DeclaredTold>

/** How `--define` declares an arrow of this project (RUN-801). */
export function createDeclaring(options: DeclaringOptions): Declaring {
  const { committer, catalogue, projectDir, asker, define, opId } = options
  const { gates } = committer
  return async (arrow, signal) => {
    const grid = gates.grid.current()
    if (grid === null || gates.grid.arrow(arrow) !== null) return nothingToDeclare
    const contractOf = await contractArrows(projectDir, grid, catalogue)
    let base: ReadonlySet<string> = new Set()
    const propose: Parameters<typeof suspendTransition>[1]['propose'] = (name) => {
      const contract = contractOf(name)
      base = contract.base
      return contract.arrow
    }
    const suspended = suspendTransition(gates, { arrow, propose })
    if (suspended.kind === 'refused') return { ...refusedTold(suspended.refusal.text), isDeclared: false }
    if (suspended.kind === 'declared') return nothingToDeclare
    const { suspension } = suspended
    const { arrowId, source, target, context } = suspension
    const roles = eligibleRoles(source, target)
    if (!asker.canAsk) {
      // Where nobody can confirm it, no model is asked either, and that is no decision of anybody.
      const left = linesOf(arrowId, opId(), { kind: 'left' })
      return { lines: left, refusal: `arrow-undeclared: ${arrowId}`, isDeclared: false }
    }

    const ports: DeclarePorts = {
      define,
      isBase: (id) => base.has(id),
      async confirm({ definition, gridVersionAfter }, aborted) {
        const prompt: DeclarationPrompt = {
          kind: 'declaration',
          item: `declare:${arrowId}`,
          arrow: arrowId,
          source,
          target,
          context,
          gridVersionAfter,
          roles,
          clauses: definition.clauses.map((clause) => ({
            id: clause.id,
            description: clause.description,
            eval: clause.eval,
            depth: clause.depth,
            concept: clause.concept,
            isSkippable: !base.has(clause.id)
          })),
          requirements: definition.requirements.map(({ id, description }) => `${id}: ${description}`),
          noteMaxBytes: grid.residueNoteMaxBytes
        }
        return confirmedOf(await asker.ask(prompt, aborted))
      }
    }
    const outcome = await declareOnTheSpot(committer, ports, { suspension, role: roles[0] ?? '', opId, signal })
    return {
      lines: linesOf(arrowId, opId(), outcome),
      refusal: outcome.kind === 'refused' ? outcome.refusal.text : null,
      isDeclared: outcome.kind === 'declared' || outcome.kind === 'already'
    }
  }
}

const nothingToDeclare: DeclaredTold = { ...told([]), isDeclared: true }

function confirmedOf(answer: OpenAnswer | null): Confirmed {
  if (answer?.kind !== 'declare-arrow') return { kind: 'refuse' }
  return { kind: 'declare', role: answer.role, skipped: answer.skipped }
}

function linesOf(arrowId: string, opId: string, outcome: Parameters<typeof declareText>[2]): readonly string[] {
  const text = declareText(arrowId, opId, outcome)
  return text === null ? [] : [text]
}
