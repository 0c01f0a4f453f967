import { unreachable } from '../../src/lib/assert.ts'
import type {
  AmendmentPrompt,
  BindingPrompt,
  EscalationPrompt,
  RiskPrompt,
  VerdictPrompt
} from '../../src/protocol/gate-prompt.ts'
import type { FindingRow } from '../../src/protocol/gate-view.ts'
import type { KeyFocus } from '../keys/index.ts'

/** What is decided. The last ones come from the panels' own keys. */
export type Ask =
  | VerdictPrompt
  | EscalationPrompt
  | RiskPrompt
  | AmendmentPrompt
  | BindingPrompt
  | { readonly kind: 'invalidate'; readonly item: string; readonly arrow: string }
  | { readonly kind: 'abort-pass'; readonly item: string; readonly pass: string; readonly waiting: number }
  | {
      readonly kind: 'settle-finding'
      readonly item: string
      readonly finding: FindingRow
      readonly to: 'accepted-risk' | 'resolved' | 'open'
    }

/** The gate asked and waits to hear of it; otherwise a panel's key did. */
export function isAskedByGate(ask: Ask): boolean {
  return ask.kind !== 'invalidate' && ask.kind !== 'abort-pass' && ask.kind !== 'settle-finding'
}

/** Whether the answers are recorded under an op-id, which is then asked for first (OPUI-407). */
export function needsOpId(ask: Ask): boolean {
  return ask.kind !== 'abort-pass' && ask.kind !== 'amendment'
}

/** Where the keys of a decision are bound. */
export function focusOf(ask: Ask): KeyFocus {
  switch (ask.kind) {
    case 'risk-acceptance':
      return 'risk'
    case 'verdict':
    case 'escalation':
    case 'amendment':
    case 'binding':
      return ask.kind
    case 'invalidate':
    case 'abort-pass':
    case 'settle-finding':
      return 'confirm'
    default:
      return unreachable(ask)
  }
}

/** The question where answers are typed (OPUI-420, 430, 540). */
export function lineQuestion(ask: Ask): string {
  switch (ask.kind) {
    case 'verdict':
      return 'verdict? [pass / fail / insufficient-basis / skip]:'
    case 'escalation':
      return 'choice (1 or 2):'
    case 'risk-acceptance':
      return 'accept / reject / skip:'
    case 'amendment':
      return 'accept / commit-empty / stop:'
    case 'binding':
      return 'declare / skip:'
    case 'invalidate':
    case 'abort-pass':
    case 'settle-finding':
      return ''
    default:
      return unreachable(ask)
  }
}

/** What a typed line that is no answer gets (OPUI-422, 432). */
export function notAnAnswer(ask: Ask, typed: string): string {
  if (ask.kind === 'verdict') return `✗ verdict "${typed}" not in {pass, fail, insufficient-basis, skip}`
  if (ask.kind === 'escalation') return '✗ choose 1 or 2'
  return `✗ choose one of: ${lineQuestion(ask).replace(/:$/, '')}`
}
