import type { EscalationPrompt, VerdictPrompt } from '../../src/protocol/gate-prompt.ts'
import type { ArrowDetail, ArrowRow, FindingRow, GateView, PassRow, QueueRow } from '../../src/protocol/gate-view.ts'

// A small project as the screen is told of it: the default grid in one context, one pass parked on a verdict.

export const start = Date.parse('2026-08-21T10:11:12Z')

export function arrowRow(pair: string, changes: Partial<ArrowRow> = {}): ArrowRow {
  const [source = '', target = ''] = pair.split('→')
  const context = changes.context ?? 'default'
  return {
    id: `${pair}/${context}`,
    source,
    target,
    context,
    status: 'unevaluated',
    isStarted: false,
    isOutdated: false,
    openPass: null,
    liveStatus: null,
    waiting: 0,
    ...changes
  }
}

export const arrows: readonly ArrowRow[] = [
  arrowRow('init→analyst', { status: 'complete', isStarted: true }),
  arrowRow('analyst→architect', { openPass: 'p-7', liveStatus: 'provisional', waiting: 1 }),
  arrowRow('architect→implementer', { isStarted: true }),
  arrowRow('implementer→integrator')
]

export const pass: PassRow = {
  id: 'p-7',
  role: 'analyst',
  context: 'default',
  arrow: 'analyst→architect/default',
  state: 'open',
  closeReason: null,
  openedAt: start,
  closedAt: null,
  waiting: 1
}

export const queued: QueueRow = {
  item: 'att-analyst→architect/default-C2-v1',
  type: 'verdict',
  arrow: 'analyst→architect/default',
  clause: 'C2',
  finding: null,
  round: 1,
  since: start
}

export const finding: FindingRow = {
  id: 'adv-20260821T101112-3-9f2c',
  arrow: 'analyst→architect/default',
  type: 'open-sweep',
  severity: 'high',
  status: 'open',
  description: 'the cart accepts a negative amount',
  isOlder: false,
  isBlocking: true
}

export const view: GateView = {
  grid: { version: 1, residue: 12, unevaluated: 2, report: '2/5-complete-against-grid-v1, R=12, C=2' },
  isEngineOpen: true,
  closedBy: null,
  arrows,
  passes: [pass],
  findings: [finding],
  queue: [queued]
}

export const verdict: VerdictPrompt = {
  kind: 'verdict',
  item: queued.item,
  ref: queued.item,
  arrow: queued.arrow,
  clause: 'C2',
  concept: 'lint-clean',
  description: 'the linter finds nothing',
  pass: 'p-7',
  round: { at: 1, of: 3 },
  previous: '',
  locations: ['src/cart.ts:10-42', 'src/tax.ts:1-30'],
  basis: 'files changed since the last closed pass',
  notCovered: 'generated code',
  evidence: ['eslint: 0 problems', ...Array.from({ length: 12 }, (_, index) => `checked file ${index + 1}`)].join('\n'),
  note: '',
  noteMaxBytes: 16_384
}

export const escalation: EscalationPrompt = {
  kind: 'escalation',
  item: verdict.item,
  ref: verdict.ref,
  arrow: verdict.arrow,
  clause: 'C2',
  pass: 'p-7',
  rounds: 3,
  notes: ['no tests for tax', 'still none', 'and again'],
  noteMaxBytes: 16_384
}

export const arrowDetail: ArrowDetail = {
  row: { ...arrowRow('analyst→architect'), status: 'blocked', isStarted: true },
  outdated: null,
  amendmentHits: '',
  stratum: 'L1',
  why: ['C2 fail: 3 problems', '1 finding at or above medium'],
  clauses: [
    {
      id: 'C1',
      description: 'no marker is left',
      concept: 'no-todo-marker',
      eval: 'machine',
      depth: 'depth-robust',
      minTier: 0,
      status: 'pass',
      reason: ''
    },
    {
      id: 'C2',
      description: 'the linter finds nothing',
      concept: 'lint-clean',
      eval: 'attested',
      depth: 'depth-sensitive',
      minTier: 2,
      status: 'fail',
      reason: '3 problems'
    }
  ],
  predecessor: { arrow: 'init→analyst/default', status: 'complete' },
  requirements: [{ id: 'R1', minDepth: 2, observed: null, description: 'tax is computed per item' }],
  findings: [{ ...finding, id: 'f-low', severity: 'low', isBlocking: false }, finding],
  passes: [{ ...pass, state: 'closed', closeReason: 'derived-blocked', waiting: 0, closedAt: start + 5_000 }],
  attestations: [
    { id: 'att-analyst→architect/default-C2-v1', kind: 'depth-type', clause: 'C2', verdict: 'fail', opId: 'alice' }
  ]
}
