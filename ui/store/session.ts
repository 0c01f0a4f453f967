import type { GhyllEvent } from '../../src/protocol/event.ts'
import type { SessionFacts } from './state.ts'

/** What an event changes of the status line's facts. */
export function foldSession(facts: SessionFacts, event: GhyllEvent): SessionFacts {
  switch (event.kind) {
    case 'phase-changed':
      return { ...facts, phase: event.to }
    case 'turn-started':
      return { ...facts, turn: event.turn }
    case 'hold-changed':
      return { ...facts, isHeld: event.held }
    case 'plan-mode-changed':
      return { ...facts, isPlanning: event.on }
    case 'context-measured': {
      const { tokens, limit, threshold, toolDepth } = event
      return { ...facts, context: { tokens, limit, threshold, toolDepth } }
    }
    case 'usage-counted':
      return {
        ...facts,
        tokensIn: facts.tokensIn + event.usage.prompt,
        tokensOut: facts.tokensOut + event.usage.completion
      }
    case 'shell-started':
      return { ...facts, shells: [...facts.shells, event.id] }
    case 'shell-ended':
      return { ...facts, shells: facts.shells.filter((id) => id !== event.id) }
    case 'mark-set':
      return { ...facts, marks: marked(facts.marks, event.mark, event.text) }
    default:
      return facts
  }
}

/** An empty text takes the mark away. */
function marked(marks: SessionFacts['marks'], mark: string, text: string): SessionFacts['marks'] {
  const { [mark]: _, ...others } = marks
  return text === '' ? others : { ...others, [mark]: text }
}
