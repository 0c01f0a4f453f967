import { unreachable } from '../../src/lib/assert.ts'
import type { Command } from '../../src/protocol/command.ts'
import type { ActionName } from '../keys/index.ts'
import type { Ask } from './ask.ts'
import type { Field } from './field-rule.ts'

/** One answer to a decision. */
export type Choice = {
  /** Its key in the key map. */
  readonly action: ActionName
  readonly label: string
  /** What is asked after it; null: nothing. */
  readonly field: Field | null
  /** The confirmation, without `[y/n]`; null where the answer records nothing. */
  readonly consequence: ((opId: string, text: string) => string) | null
  readonly command: (text: string) => Command
  /** Typed answers that mean it (OPUI-422). */
  readonly words: readonly string[]
}

const REASON_MAX_BYTES = 4096

/** The answers to a decision, in the order they are shown. */
export function choicesOf(ask: Ask): readonly Choice[] {
  switch (ask.kind) {
    case 'verdict':
      return verdictChoices(ask)
    case 'escalation':
      return escalationChoices(ask)
    case 'risk-acceptance':
      return riskChoices(ask)
    case 'amendment':
      return amendmentChoices(ask)
    case 'binding':
      return [
        {
          action: 'binding.declare',
          label: 'declare',
          field: { question: `command for ${ask.key}:`, maxBytes: REASON_MAX_BYTES, rule: 'command' },
          consequence: () => `bind ${ask.key} and write it to the next grid version?`,
          command: (text) => ({ kind: 'bind', item: ask.item, command: text }),
          words: ['declare', 'd', 'b']
        },
        skipping(ask.item, 'binding.skip')
      ]
    case 'invalidate':
      return [
        {
          action: 'arrows.invalidate',
          label: 'invalidate',
          field: { question: 'reason (operator-requested):', maxBytes: REASON_MAX_BYTES, rule: 'optional' },
          consequence: (opId) => `invalidate ${ask.arrow} as ${opId}?`,
          command: (text) => ({
            kind: 'invalidate-arrow',
            arrow: ask.arrow,
            reason: text === '' ? 'operator-requested' : text
          }),
          words: []
        }
      ]
    case 'abort-pass':
      return [
        {
          action: 'passes.abort',
          label: 'abort',
          field: null,
          consequence: () =>
            `abort pass ${ask.pass}${ask.waiting === 0 ? '' : ` and cancel ${ask.waiting} verdict request(s)`}?`,
          command: () => ({ kind: 'abort-pass', pass: ask.pass }),
          words: []
        }
      ]
    case 'settle-finding':
      return [settling(ask)]
    default:
      return unreachable(ask)
  }
}

function verdictChoices(ask: Extract<Ask, { kind: 'verdict' }>): readonly Choice[] {
  const { item, clause, noteMaxBytes } = ask
  const named = (verdict: string) => (opId: string) => `record ${verdict} for ${clause} as ${opId}?`
  return [
    {
      action: 'verdict.pass',
      label: 'pass',
      field: null,
      consequence: named('PASS'),
      command: () => ({ kind: 'attest', item, verdict: 'pass', text: '' }),
      words: ['pass', 'p']
    },
    {
      action: 'verdict.fail',
      label: 'fail',
      field: { question: 'inspected locations (comma-separated):', maxBytes: noteMaxBytes, rule: 'locations' },
      consequence: named('FAIL'),
      command: (text) => ({ kind: 'attest', item, verdict: 'fail', text }),
      words: ['fail', 'f']
    },
    {
      action: 'verdict.insufficient-basis',
      label: 'insufficient-basis',
      field: { question: 'residue note:', maxBytes: noteMaxBytes, rule: 'note' },
      consequence: named('INSUFFICIENT-BASIS'),
      command: (text) => ({ kind: 'attest', item, verdict: 'insufficient-basis', text }),
      words: ['insufficient-basis', 'ib', 'i']
    },
    skipping(item, 'verdict.skip')
  ]
}

function escalationChoices(ask: Extract<Ask, { kind: 'escalation' }>): readonly Choice[] {
  const { item, clause, pass, noteMaxBytes } = ask
  return [
    {
      action: 'escalation.accept-risk',
      label: 'accept risk',
      field: { question: 'residue note:', maxBytes: noteMaxBytes, rule: 'note' },
      consequence: (opId) => `accept the risk of ${clause} as ${opId}?`,
      command: (text) => ({ kind: 'answer-escalation', item, choice: 'accept-risk', text }),
      words: ['1']
    },
    {
      action: 'escalation.route-upstream',
      label: 'route upstream',
      field: { question: 'rationale:', maxBytes: noteMaxBytes, rule: 'note' },
      consequence: () => `abort pass ${pass} and route upstream?`,
      command: (text) => ({ kind: 'answer-escalation', item, choice: 'route-upstream', text }),
      words: ['2']
    }
  ]
}

function riskChoices(ask: Extract<Ask, { kind: 'risk-acceptance' }>): readonly Choice[] {
  const { item, finding, noteMaxBytes } = ask
  return [
    {
      action: 'risk.accept',
      label: 'accept',
      field: { question: 'rationale:', maxBytes: noteMaxBytes, rule: 'note' },
      consequence: (opId) => `accept the risk of ${finding} as ${opId}?`,
      command: (text) => ({ kind: 'answer-risk', item, accepted: true, rationale: text }),
      words: ['accept', 'a']
    },
    {
      action: 'risk.reject',
      label: 'reject',
      field: null,
      consequence: null,
      command: () => ({ kind: 'answer-risk', item, accepted: false, rationale: '' }),
      words: ['reject', 'r']
    },
    skipping(item, 'risk.skip')
  ]
}

function amendmentChoices(ask: Extract<Ask, { kind: 'amendment' }>): readonly Choice[] {
  const { item, gridVersionAfter: version } = ask
  return [
    {
      action: 'amendment.accept',
      label: 'accept',
      field: null,
      consequence: () => `commit the proposal as grid v${version}?`,
      command: () => ({ kind: 'settle-amendment', item, how: 'accept' }),
      words: ['accept', 'a']
    },
    {
      action: 'amendment.empty',
      label: 'commit empty',
      field: null,
      consequence: () => `commit without new arrows as grid v${version}?`,
      command: () => ({ kind: 'settle-amendment', item, how: 'commit-empty' }),
      words: ['commit-empty', 'commit empty', 'm']
    },
    {
      action: 'amendment.stop',
      label: 'stop',
      field: null,
      consequence: null,
      command: () => ({ kind: 'settle-amendment', item, how: 'stop' }),
      words: ['stop', 's']
    }
  ]
}

function settling(ask: Extract<Ask, { kind: 'settle-finding' }>): Choice {
  const { finding, to } = ask
  const command = (text: string): Command => ({ kind: 'settle-finding', finding: finding.id, to, reason: text })
  const field = { question: 'reason:', maxBytes: REASON_MAX_BYTES, rule: 'note' } as const
  switch (to) {
    case 'accepted-risk':
      return {
        action: 'findings.accept',
        label: 'accept',
        field: { ...field, question: 'rationale:' },
        consequence: (opId) => `accept the risk of ${finding.id} as ${opId}?`,
        command,
        words: []
      }
    case 'resolved':
      return {
        action: 'findings.resolve',
        label: 'resolve',
        field,
        consequence: (opId) => `mark ${finding.id} resolved as ${opId}?`,
        command,
        words: []
      }
    case 'open':
      return {
        action: 'findings.reopen',
        label: 'reopen',
        field,
        consequence: (opId) => `open ${finding.id} again as ${opId}?`,
        command,
        words: []
      }
  }
}

function skipping(item: string, action: 'verdict.skip' | 'risk.skip' | 'binding.skip'): Choice {
  return {
    action,
    label: 'skip',
    field: null,
    consequence: null,
    command: () => ({ kind: 'skip-prompt', item }),
    words: ['skip', 's']
  }
}
