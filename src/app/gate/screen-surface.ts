import type { Gates } from '../../gate/runner/index.ts'
import { unreachable } from '../../lib/assert.ts'
import type { PromptAnswer } from '../../protocol/gate-prompt.ts'
import type { AskSurface } from './ask.ts'
import type { GateSay } from './host.ts'
import type { PromptReply, Surface } from './presenter.ts'
import { promptOf } from './prompt-view.ts'

/** Questions as overlays of the screen (OPUI-740). */
export function screenSurface(gates: Gates, say: GateSay): Surface {
  return {
    show: (item, facts, place) => say({ kind: 'prompt-opened', prompt: promptOf(gates, item, facts), place }),
    closed: (item, how, notice) => say({ kind: 'prompt-closed', item, how, notice }),
    refused: (item, text) => say({ kind: 'prompt-refused', item, text })
  }
}

/** Decisions outside the queue as overlays of the screen (OPUI-550, OPUI-560). */
export function screenAskSurface(say: GateSay): AskSurface {
  return {
    show: (prompt, place) => say({ kind: 'prompt-opened', prompt, place }),
    closed: (item, how, notice) => say({ kind: 'prompt-closed', item, how, notice }),
    refused: (item, text) => say({ kind: 'prompt-refused', item, text })
  }
}

/** What the screen's answer means; null for one that no question of the queue takes (OPUI-740). */
export function replyOf(answer: PromptAnswer): PromptReply | null {
  switch (answer.kind) {
    case 'attest':
      return { kind: 'answer', choice: answer.verdict, text: answer.text }
    case 'answer-escalation':
      return { kind: 'answer', choice: answer.choice, text: answer.text }
    case 'answer-risk':
      return { kind: 'answer', choice: answer.accepted ? 'accept' : 'reject', text: answer.rationale }
    case 'skip-prompt':
      return { kind: 'skip' }
    case 'cancel-prompt':
      return { kind: 'cancel' }
    case 'declare-arrow':
    case 'refuse-arrow':
    case 'settle-amendment':
    case 'bind':
      return null
    default:
      return unreachable(answer)
  }
}
