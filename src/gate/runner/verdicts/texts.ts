import { visibleLine, visibleText } from '../../../lib/safe-text.ts'
import type { Finding } from '../records.ts'
import type { Choice, PromptState } from './prompt.ts'
import type { QueueItem } from './queue.ts'

// The exact texts of the questions (OPUI-420…434, OPUI-540): the line mode prints them. Ids and free text are shown so that nothing in them can deceive whoever decides (TERM-31).

const rule = '─'.repeat(40)

/** What is known around a question beyond its item. */
export type PromptFacts = {
  /** 1-based round of the clause, and how many there are. */
  readonly round: number
  readonly roundsMax: number
  /** Residue notes of earlier rounds, oldest first. */
  readonly notes: readonly string[]
  /** Of a risk acceptance. */
  readonly finding: Finding | null
}

/** The whole question as lines, from its title to the rule before the prompt (OPUI-420, OPUI-430, OPUI-540). */
export function questionLines(item: QueueItem, facts: PromptFacts): readonly string[] {
  if (item.type === 'verdict') return verdictLines(item, facts)
  return item.type === 'escalation' ? escalationLines(item, facts) : riskLines(item, facts)
}

function verdictLines({ arrowId, clauseId, passId, ref, hint }: QueueItem, facts: PromptFacts): readonly string[] {
  const row = (name: string, value: string) => `  ${`${name}:`.padEnd(16)} ${visibleLine(value)}`
  const rowIf = (name: string, value: string | undefined) =>
    value === undefined || value === '' ? [] : [row(name, value)]
  return [
    '── attestation request ─────────────────',
    row('arrow', arrowId),
    row('clause', clauseId),
    row('concept', hint?.concept ?? 'unknown'),
    row('attestation-ref', ref),
    ...rowIf('description', hint?.description),
    row('pass', passId),
    row('round', `${facts.round} of ${facts.roundsMax}`),
    ...rowIf('previous', hint?.previous),
    ...rowIf('locations', hint?.locations?.join(', ')),
    ...rowIf('basis', hint?.basis),
    ...rowIf('not covered', hint?.residue),
    ...evidenceLines(hint?.evidence),
    ...rowIf('note', hint?.note),
    rule
  ]
}

/** Folded after five lines (OPUI-421). */
function evidenceLines(evidence: string | undefined): readonly string[] {
  if (evidence === undefined || evidence === '') return []
  const [first = '', ...rest] = visibleText(evidence).split('\n')
  const shown = rest.slice(0, 4).map((line) => `${' '.repeat(19)}${line}`)
  const more = rest.length > 4 ? [`${' '.repeat(19)}(${rest.length - 4} more lines)`] : []
  return [`  ${'evidence:'.padEnd(16)} ${first}`, ...shown, ...more]
}

function escalationLines({ arrowId, clauseId }: QueueItem, { round, notes }: PromptFacts): readonly string[] {
  return [
    `── escalation: ${round} insufficient-basis rounds ──`,
    `  arrow:    ${visibleLine(arrowId)}`,
    `  clause:   ${visibleLine(clauseId)}`,
    ...(notes.length === 0 ? [] : ['  notes:', ...notes.map((note, n) => `    ${n + 1}: ${visibleLine(note)}`)]),
    '  options:',
    '    1) accept risk     (record residue note; finding → accepted-risk)',
    '    2) route upstream  (record rationale; pass aborts; deeper-tier retry)',
    '─'.repeat(45)
  ]
}

function riskLines({ arrowId, ref, rationale }: QueueItem, { finding }: PromptFacts): readonly string[] {
  const kind = finding === null ? '' : ` (${finding.severity}, ${finding.type})`
  return [
    '── accept risk? ────────────────────────',
    `  arrow:     ${visibleLine(arrowId)}`,
    `  finding:   ${visibleLine(ref)}${kind}`,
    `  claim:     ${visibleLine(finding?.description ?? '')}`,
    `  producer:  ${visibleLine(rationale)}`,
    rule
  ]
}

/** The line that asks for what the prompt needs next (OPUI-423, OPUI-432). */
export function askLine({ step, item, choice }: PromptState): string {
  if (step === 'op-id') return 'op-id:'
  if (step === 'text' && choice !== null) return fieldLabels[choice] ?? ''
  if (item.type === 'verdict') return 'verdict? [pass / fail / insufficient-basis / skip]:'
  return item.type === 'escalation' ? 'choice (1 or 2):' : 'accept / reject / skip:'
}

const fieldLabels: Readonly<Partial<Record<Choice, string>>> = {
  fail: 'inspected locations (comma-separated):',
  'insufficient-basis': 'residue note:',
  'accept-risk': 'residue note:',
  'route-upstream': 'rationale:',
  accept: 'rationale:'
}

/** An error as the prompt shows it, in place (OPUI-406). */
export function errorLine(error: string): string {
  return `✗ ${visibleLine(error)}`
}

/** The prompt closes because its question is gone (OPUI-405). */
export function withdrawnLine(passId: string, closeReason: string): string {
  return `ℹ request withdrawn: pass ${passId} aborted (${visibleLine(closeReason)})`
}
