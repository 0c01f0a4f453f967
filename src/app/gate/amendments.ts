import { createTwoFilesPatch } from 'diff'
import { gridText } from '../../gate/bootstrap/index.ts'
import {
  type AmendmentPreview,
  amendmentsText,
  type Committer,
  type DrainPorts,
  drainAmendments
} from '../../gate/runner/amendment/index.ts'
import type { Told } from '../../gate/runner/index.ts'
import type { AmendmentPrompt } from '../../protocol/gate-prompt.ts'
import type { Asker } from './ask.ts'

/** `/amendments` and `/drain-amendments` (OPUI-360, OPUI-362). */
export interface AmendmentCommands {
  list(): readonly string[]
  /** Commits what waits, each after the operator's word, and answers the lines. */
  drain(signal: AbortSignal): Promise<Told>
}

export type AmendmentOptions = {
  readonly committer: Committer
  readonly asker: Asker
  readonly propose: DrainPorts['propose']
  readonly opId: () => string
}

/** The commands over the amendments of one committer (OPUI-360, OPUI-362). */
export function amendmentCommands({ committer, asker, propose, opId }: AmendmentOptions): AmendmentCommands {
  const { queue } = committer
  return {
    list: () => amendmentsText(queue.pending()).split('\n'),
    async drain(signal) {
      const lines: string[] = []
      const ports: DrainPorts = {
        // Where nobody can look at a proposal, no model is asked to edit the specifications for one.
        propose: asker.canAsk ? propose : async () => ({ kind: 'failed', text: 'nobody is there to decide on it' }),
        decide: (preview, aborted) => decide(asker, preview, aborted),
        line: (text) => void lines.push(text)
      }
      const { refusal } = await drainAmendments(committer, ports, { opId: opId(), signal })
      return { lines, refusal: refusal?.text ?? null }
    }
  }
}

/** A prompt that nobody answers stops the drain: the amendment stays at the head of the queue. */
async function decide(
  asker: Asker,
  preview: AmendmentPreview,
  signal: AbortSignal
): Promise<'accept' | 'commit-empty' | 'stop'> {
  const answer = await asker.ask(promptOf(preview), signal)
  return answer?.kind === 'settle-amendment' ? answer.how : 'stop'
}

function promptOf(preview: AmendmentPreview): AmendmentPrompt {
  const { amendment, rationale, problem, invalidates, aborts, gridVersionAfter } = preview
  return {
    kind: 'amendment',
    item: `amendment:${amendment.id}`,
    amendment: amendment.id,
    diff: diffOf(preview),
    rationale: problem === null ? rationale : `${problem.text}; ${rationale}`,
    invalidates,
    aborts,
    gridVersionAfter
  }
}

/** Empty when the grid stays as it is, or cannot become what was proposed. */
function diffOf({ before, after }: AmendmentPreview): string {
  if (before === null || after === null) return ''
  const [from, to] = [gridText(before), gridText(after)]
  if (from === to) return ''
  return createTwoFilesPatch(`grid.v${before.version}.yaml`, `grid.v${after.version}.yaml`, from, to, '', '', {
    context: 3
  }).replace(/^=+\n/, '')
}
