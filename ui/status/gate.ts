import { safeLine } from '../../src/lib/safe-text.ts'
import type { ArrowStatus } from '../../src/protocol/gate.ts'
import type { DispatchProgress, GateView } from '../../src/protocol/gate-view.ts'
import { type Bindings, keyLabel } from '../keys/index.ts'
import { span } from '../parts/lines.ts'
import type { GateState } from '../store/gate.ts'
import type { Span } from '../theme/index.ts'

/** What happens in the gate now: a dispatch, and for three seconds the arrow that settled last (OPUI-701, 746). */
export function gateNews({ progress, settled }: GateState, now: number): Span[][] {
  const parts: Span[][] = []
  if (progress !== null) parts.push([span(progressText(progress, now), { tone: 'accent' })])
  if (settled !== null) parts.push([settledSpan(settled.text, settled.status)])
  return parts
}

/** Only a valid arrow is ticked off. */
function settledSpan(text: string, status: ArrowStatus): Span {
  if (status === 'complete') return span(`✓ ${safeLine(text)}`, { tone: 'ok' })
  return span(safeLine(text), {
    tone: status === 'provisional' ? 'warn' : status === 'unevaluated' ? 'unevaluated' : 'fail'
  })
}

/** `verdicts 2 (F4)`, `passes 1`, `blocked 1`, each only when it is not zero (OPUI-701). */
export function gateCounters({ view }: GateState, bindings: Bindings): Span[][] {
  if (view === null) return []
  const parts: Span[][] = []
  const { verdicts, passes, blocked } = countersOf(view)
  const key = keyLabel(bindings, 'panel.queue')
  if (verdicts > 0) parts.push([span(`verdicts ${verdicts}${key === null ? '' : ` (${key})`}`, { tone: 'warn' })])
  if (passes > 0) parts.push([span(`passes ${passes}`)])
  if (blocked > 0) parts.push([span(`blocked ${blocked}`, { tone: 'fail' })])
  return parts
}

function countersOf(view: GateView) {
  return {
    verdicts: view.queue.length,
    passes: view.passes.filter(({ state }) => state === 'open').length,
    blocked: view.arrows.filter(({ status }) => status === 'blocked').length
  }
}

/** `arrow ▶ p-7 adversarial 2/5`, `arrow ▶ p-7 verification C2 3/8 12s` (OPUI-321). */
function progressText(progress: DispatchProgress, now: number): string {
  const { arrow, pass, phase, round, clause, since } = progress
  const place = clause === null ? [] : [`${safeLine(clause.id)} ${clause.at}/${clause.of}`]
  const seconds = Math.max(0, Math.floor((now - since) / 1_000))
  return [
    'arrow ▶',
    safeLine(pass ?? arrow),
    round === null ? phase : `${phase} ${round.at}/${round.of}`,
    ...place,
    ...(seconds === 0 ? [] : [`${seconds}s`])
  ].join(' ')
}
