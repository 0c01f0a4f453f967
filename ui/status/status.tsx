import { Text } from 'ink'
import { useEffect, useState } from 'react'
import { safeLine } from '../../src/lib/safe-text.ts'
import type { Waiting } from '../../src/protocol/event.ts'
import { type Bindings, keyLabel } from '../keys/index.ts'
import { cutLine, line, span } from '../parts/lines.ts'
import type { GateState } from '../store/gate.ts'
import type { SessionFacts } from '../store/state.ts'
import { type Line, type Span, useTheme } from '../theme/index.ts'
import { gateCounters, gateNews } from './gate.ts'

export type StatusFacts = {
  readonly session: SessionFacts
  readonly waiting: Waiting | null
  readonly gate: GateState
  readonly isBusy: boolean
  /** Takes the place of the key hints. */
  readonly notice: string | null
  readonly bindings: Bindings
}

export type StatusProps = { readonly facts: StatusFacts; readonly width: number }

/** The last line: what the session is at, and the keys that matter now. */
export function Status({ facts, width }: StatusProps) {
  const theme = useTheme()
  const now = useSeconds(facts.waiting ?? facts.gate.progress)
  return <Text wrap="truncate">{theme.paintLine(statusLine(facts, now, width))}</Text>
}

/** Calls executed without operator input may not exceed this (SESS-072). */
const TOOL_CEILING = 50
/** Waiting is told once it is longer than this (TERM-25). */
const TOLD_AFTER_MS = 300

/**
 * `turn 3 · context 4.2k/200k · ↑1.2k ↓340 · tools 2/50 · Esc stop  ? help`. A notice stands first, so that it is seen at every width.
 * Where there is no room for all, counts make way for the keys; then the end is cut (TERM-3).
 */
export function statusLine(facts: StatusFacts, now: number, width: number): Line {
  const { session, notice } = facts
  const parts: Part[] = []
  const add = (spans: Span[], makesWay?: number) => void parts.push({ spans, makesWay: makesWay ?? 0 })
  if (notice !== null) add([span(safeLine(notice), { tone: 'warn' })])
  const waiting = waitingText(facts.waiting, now)
  if (waiting !== null) add([span(waiting, { tone: 'accent' })])
  for (const spans of gateNews(facts.gate, now)) add(spans)
  if (session.phase === 'init') add([span('starting')])
  if (session.phase === 'shutdown') add([span('leaving')])
  if (session.turn > 0) add([span(`turn ${session.turn}`)], 3)
  for (const spans of gateCounters(facts.gate, facts.bindings)) add(spans)
  if (session.isPlanning) add([span('plan', { tone: 'accent' })])
  if (session.isHeld) {
    add([span('held', { tone: 'warn' })])
    // What goes on with a turn that did not complete (SESS-092, SESS-117).
    add([span('/retry', { tone: 'warn' })], 2)
  }
  if (session.context !== null) add([contextSpan(session.context)], 1)
  if (session.tokensIn + session.tokensOut > 0) {
    add([span(`↑${shortCount(session.tokensIn)} ↓${shortCount(session.tokensOut)}`)], 5)
  }
  if (session.context !== null && session.context.toolDepth > 0) {
    add([span(`tools ${session.context.toolDepth}/${TOOL_CEILING}`)], 4)
  }
  for (const text of Object.values(session.marks)) add([span(safeLine(text), { tone: 'warn' })])
  if (notice === null) parts.push(...keyHints(facts))
  return cutLine(fitting(parts, width), width)
}

/** What makes way goes first where its number is highest; 0 stays. Hints stand close together. */
type Part = { readonly spans: readonly Span[]; readonly makesWay: number; readonly isHint?: true }

function fitting(parts: readonly Part[], width: number): Line {
  const whole = joined(parts)
  const last = Math.max(0, ...parts.map(({ makesWay }) => makesWay))
  if (whole.width <= width || last === 0) return whole
  return fitting(
    parts.filter(({ makesWay }) => makesWay !== last),
    width
  )
}

function joined(parts: readonly Part[]): Line {
  const spans = parts.flatMap((part, index) => {
    const isClose = part.isHint && parts[index - 1]?.isHint
    return index === 0 ? part.spans : [span(isClose ? '  ' : ' · ', { tone: 'dim' }), ...part.spans]
  })
  return line(span(' '), ...spans)
}

/** `m25 4s · 120 tokens`, or null while it is too short to tell. */
export function waitingText(waiting: Waiting | null, now: number): string | null {
  if (waiting === null || now - waiting.since < TOLD_AFTER_MS) return null
  const seconds = Math.max(0, Math.floor((now - waiting.since) / 1_000))
  const label = safeLine(waiting.label)
  if (waiting.what === 'retry' && waiting.count !== null) {
    return `${label} ${Math.max(0, Math.ceil(waiting.count - (now - waiting.since) / 1_000))}s`
  }
  const tokens =
    waiting.what === 'model' && waiting.count !== null && waiting.count > 0 ? ` · ${waiting.count} tokens` : ''
  return `${label} ${seconds}s${tokens}`
}

/** 340, 4.2k, 200k, 1.3M. */
export function shortCount(count: number): string {
  if (count < 1_000) return String(count)
  if (count < 1_000_000) return `${trimmedTenth(count / 1_000)}k`
  return `${trimmedTenth(count / 1_000_000)}M`
}

function trimmedTenth(value: number): string {
  return value >= 100 ? String(Math.floor(value)) : (Math.floor(value * 10) / 10).toFixed(1).replace(/\.0$/, '')
}

function contextSpan(context: NonNullable<SessionFacts['context']>): Span {
  const { tokens, limit, threshold } = context
  const text = `context ${shortCount(tokens)}/${shortCount(limit)}`
  if (tokens > 0.9 * limit) return span(text, { tone: 'fail' })
  return tokens > threshold ? span(text, { tone: 'warn' }) : span(text)
}

function keyHints({ isBusy, bindings, gate, session }: StatusFacts): Part[] {
  if (session.phase === 'shutdown') {
    const skip = keyLabel(bindings, 'interrupt')
    return skip === null ? [] : [{ spans: [span(`${skip} skip the sync`, { tone: 'dim' })], makesWay: 0, isHint: true }]
  }
  const stop = keyLabel(bindings, 'escape')
  const arrows = keyLabel(bindings, 'panel.arrows')
  const hints = [
    ...(isBusy && stop !== null ? [{ text: `${stop} stop`, makesWay: 0 }] : []),
    ...(gate.view !== null && arrows !== null ? [{ text: `${arrows} arrows`, makesWay: 2 }] : []),
    { text: '? help', makesWay: 0 }
  ]
  return hints.map(({ text, makesWay }) => ({ spans: [span(text, { tone: 'dim' })], makesWay, isHint: true }))
}

/** The time, once a second while something is waited for; without a timer otherwise (TERM-13). */
function useSeconds(waiting: { readonly since: number } | null): number {
  const [now, setNow] = useState(() => Date.now())
  const since = waiting?.since ?? null
  useEffect(() => {
    if (since === null) return
    let timer: NodeJS.Timeout
    const next = () => {
      const elapsed = Date.now() - since
      const wait = elapsed < TOLD_AFTER_MS ? TOLD_AFTER_MS - elapsed : 1_000 - (elapsed % 1_000)
      timer = setTimeout(() => {
        setNow(Date.now())
        next()
      }, wait + 1)
    }
    next()
    return () => clearTimeout(timer)
  }, [since])
  return since === null ? now : Math.max(now, since)
}
