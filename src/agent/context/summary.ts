import { cutBytes } from '../../lib/cap-text.ts'
import { isRecord, parseJson } from '../../lib/json.ts'
import type { HistoryEntry, ToolEntry } from '../../protocol/entry.ts'
import { clipLine, clipText } from './shorten.ts'

/** Bytes of a checkpoint's summary (CTX-072). */
const summaryCapBytes = 8192
/** How many lines a section of a local summary may have; the oldest go first. */
const sectionLines = 40

/** What a checkpoint is made for, with what its first line tells (CTX-070). */
export type SummaryReason =
  | { readonly kind: 'interval'; readonly from: number; readonly to: number }
  | { readonly kind: 'compaction'; readonly turn: number }
  | { readonly kind: 'handoff'; readonly from: string; readonly to: string; readonly reason: string }
  | { readonly kind: 'shutdown'; readonly how: 'ended' | 'signal' | 'recovered' }

/** The first line of a checkpoint's summary, which is its only trace of the reason (CTX-070). */
export function summaryFirstLine(reason: SummaryReason): string {
  switch (reason.kind) {
    case 'interval':
      return `turns ${reason.from}-${reason.to}`
    case 'compaction':
      return `compaction at turn ${reason.turn}`
    case 'handoff':
      return `model switch: ${reason.from} → ${reason.to} (reason: ${reason.reason})`
    case 'shutdown':
      return reason.how === 'ended' ? 'session ended' : `session ended (${reason.how})`
  }
}

/** First line and body as they are hashed: secrets replaced by `redact`, then cut to 8192 bytes at a code point (CTX-072). */
export function checkpointSummary(reason: SummaryReason, body: string, redact: (text: string) => string): string {
  return cutBytes(redact(`${summaryFirstLine(reason)}\n${body}`.trim()), summaryCapBytes)
}

/**
 * The body of an interval or shutdown summary, made without a model (CTX-071): what was asked, done, touched and left open in
 * `entries`. `goal` is the session's first user message, `error` the message of a turn that failed last, if it did.
 */
export function localBody(parts: {
  readonly goal: string | null
  readonly entries: readonly HistoryEntry[]
  readonly error: string | null
}): string {
  const { entries } = parts
  const facts = checkpointFacts(entries)
  const outcome = entries.findLast((entry) => entry.kind === 'assistant' && isSaid(entry))
  const sections: readonly (readonly [string, readonly string[]])[] = [
    ['Goal', parts.goal === null ? [] : [clipLine(parts.goal, 200)]],
    ['Requests', entries.flatMap((entry) => (entry.kind === 'user' ? [`- ${clipLine(entry.text, 200)}`] : []))],
    ['Outcome', outcome?.kind === 'assistant' ? [clipText(outcome.text, 600)] : []],
    ['Files', facts.files.map((file) => `- ${file}`)],
    ['Tools', toolCounts(entries)],
    ['Sub-agents', entries.flatMap((entry) => (entry.kind === 'tool' ? subAgentLine(entry) : []))],
    ['Open', openEnd(entries, parts.error)]
  ]
  return sections
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => `${title}:\n${lastLines(lines).join('\n')}`)
    .join('\n\n')
}

/**
 * The body of a handoff checkpoint without a compaction just before it (CTX-071a): what the summary so far says, then the local
 * body over the entries the handoff leaves out. An earlier handoff's note counts as the summary, for it took its place.
 */
export function handoffBody(parts: {
  readonly goal: string | null
  /** The active context. */
  readonly context: readonly HistoryEntry[]
  /** Entries of it that stay verbatim. */
  readonly keep: readonly HistoryEntry[]
}): string {
  const kept = new Set(parts.keep.map((entry) => entry.id))
  const earlier = parts.context.flatMap((entry) =>
    entry.kind === 'note' && (entry.sub === 'summary' || entry.sub === 'handoff') ? [entry.text] : []
  )
  const left = parts.context.filter((entry) => entry.kind !== 'note' && !kept.has(entry.id))
  return [...earlier, localBody({ goal: parts.goal, entries: left, error: null })].filter(Boolean).join('\n\n')
}

/** `files` and `tools` of a checkpoint: sorted, unique, never null; files read count only when none was written (CTX-073). */
export function checkpointFacts(entries: readonly HistoryEntry[]): {
  readonly files: readonly string[]
  readonly tools: readonly string[]
} {
  const calls = entries.filter((entry) => entry.kind === 'tool')
  const written = calls.flatMap((entry) => entry.meta.filesWritten ?? [])
  const read = calls.flatMap((entry) => entry.meta.filesRead ?? [])
  return {
    files: sortedUnique(written.length > 0 ? written : read),
    tools: sortedUnique(calls.map((entry) => entry.call.name))
  }
}

function toolCounts(entries: readonly HistoryEntry[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const entry of entries) {
    if (entry.kind === 'tool') counts.set(entry.call.name, (counts.get(entry.call.name) ?? 0) + 1)
  }
  if (counts.size === 0) return []
  const names = sortedUnique([...counts.keys()])
  return [names.map((name) => `${clipLine(name, 64)} × ${counts.get(name)}`).join(', ')]
}

function subAgentLine(entry: ToolEntry): readonly string[] {
  if (entry.call.name !== 'agent') return []
  return [`- ${clipLine(taskOf(entry.call.arguments), 200)} → ${clipLine(entry.text, 300)}`]
}

/** What a call of `agent` asks for; arguments need not be JSON, and are then shown as they are. */
function taskOf(args: string): string {
  const parsed = parseJson(args)
  return isRecord(parsed) && 'task' in parsed ? String(parsed.task) : args
}

/** The error the last turn ended with, else the last request if nothing was said since. */
function openEnd(entries: readonly HistoryEntry[], error: string | null): readonly string[] {
  if (error !== null) return [clipLine(error, 300)]
  const asked = entries.findLastIndex((entry) => entry.kind === 'user')
  const request = entries[asked]
  if (request?.kind !== 'user' || entries.slice(asked).some(isAnswer)) return []
  return [clipLine(request.text, 200)]
}

/** A whole answer: said, not cut off, and not waiting for tools. */
function isAnswer(entry: HistoryEntry): boolean {
  return entry.kind === 'assistant' && entry.status === 'done' && entry.toolCalls.length === 0
}

function isSaid(entry: HistoryEntry): boolean {
  return entry.kind === 'assistant' && entry.status !== 'superseded' && entry.text.trim() !== ''
}

function lastLines(lines: readonly string[]): readonly string[] {
  if (lines.length <= sectionLines) return lines
  return [`(${lines.length - sectionLines} earlier ones left out)`, ...lines.slice(-sectionLines)]
}

function sortedUnique(texts: readonly string[]): readonly string[] {
  // Code-unit order, so that every machine agrees.
  return [...new Set(texts)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
}
