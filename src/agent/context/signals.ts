import { cutBytes } from '../../lib/cap-text.ts'
import { safeLine } from '../../lib/safe-text.ts'
import type { HistoryEntry } from '../../protocol/entry.ts'
import type { EntryId } from '../../protocol/ids.ts'

// Signs that text from outside tries to steer the model. Detection only: nothing is blocked or removed (CTX-061). Every search is
// a plain substring, a pattern without nested repetition, or one pass over words, so a scan takes linear time (CTX-067).

/** Bytes of one entry that are looked at (CTX-067). */
const scanBytes = 256 * 1024
const snippetChars = 100

/** The exact strings kept in a checkpoint's `injections` (CTX-062). */
export type SignalLabel = 'instruction_override' | 'sensitive_path' | 'base64_payload' | 'system_prompt_modify'

export type InjectionSignal = {
  readonly label: SignalLabel
  readonly entry: EntryId
  readonly turn: number
  /** At most 100 characters around the find, safe to show (CTX-065). */
  readonly snippet: string
}

type Span = { readonly at: number; readonly length: number }
type SignalClass = { readonly label: SignalLabel; find(text: string): Span | null }

const overridePhrases = [
  'ignore previous instructions',
  'ignore all previous',
  'disregard previous',
  'forget your instructions',
  'new instructions:',
  'override system prompt',
  'you are now',
  'act as if'
]
const sensitivePaths = [
  '~/.ssh/',
  '/etc/shadow',
  '/etc/passwd',
  // Not `.environment`, `process.env`, `import.meta.env` (CTX-063).
  /(?<!process\??|import\.meta)\.env(?![a-z0-9])/,
  /\bcredentials\b/,
  'id_rsa',
  'private_key',
  'secret_key',
  '/root/'
]
const promptPhrases = [
  'modify your system prompt',
  'change your system message',
  'update your instructions',
  'rewrite your prompt'
]

const classes: readonly SignalClass[] = [
  { label: 'instruction_override', find: (text) => firstOf(text, overridePhrases) },
  { label: 'sensitive_path', find: (text) => firstOf(text, sensitivePaths) },
  { label: 'base64_payload', find: findPayload },
  { label: 'system_prompt_modify', find: (text) => firstOf(text, promptPhrases) }
]

/** Signals in the user and tool entries, at most one per class and entry; what the assistant says is never scanned (CTX-060, CTX-064). */
export function scanForSignals(entries: readonly HistoryEntry[]): readonly InjectionSignal[] {
  return entries.flatMap((entry) => {
    if (entry.kind !== 'user' && entry.kind !== 'tool') return []
    const text = normalised(entry.text)
    return signalsInText(text).map(({ label, at, length }) => ({
      label,
      entry: entry.id,
      turn: entry.turn,
      snippet: snippetOf(text, { at, length })
    }))
  })
}

/** The labels a checkpoint stores: each once, in order of first appearance (CTX-064). */
export function signalLabels(signals: readonly InjectionSignal[]): readonly SignalLabel[] {
  return [...new Set(signals.map((signal) => signal.label))]
}

/** Every class found in normalised text, in order of appearance. */
function signalsInText(text: string): readonly (Span & { readonly label: SignalLabel })[] {
  const lower = text.toLowerCase()
  return classes
    .flatMap(({ label, find }) => {
      const span = find(label === 'base64_payload' ? text : lower)
      return span === null ? [] : [{ label, ...span }]
    })
    .sort((a, b) => a.at - b.at)
}

/** NFKC without zero-width characters, white space runs as one space (CTX-066); the first 256 KiB. */
function normalised(text: string): string {
  return cutBytes(text, scanBytes)
    .normalize('NFKC')
    .replace(/[\u00ad\u180e\u200b-\u200f\u2060-\u2064\ufeff]/g, '')
    .replace(/\s+/g, ' ')
}

function firstOf(text: string, patterns: readonly (string | RegExp)[]): Span | null {
  const spans = patterns.flatMap((pattern): Span[] => {
    const at = typeof pattern === 'string' ? text.indexOf(pattern) : text.search(pattern)
    return at === -1 ? [] : [{ at, length: typeof pattern === 'string' ? pattern.length : 0 }]
  })
  return spans.sort((a, b) => a.at - b.at)[0] ?? null
}

function findPayload(text: string): Span | null {
  let at = 0
  for (const word of text.split(' ')) {
    if (isPayload(word)) return { at, length: word.length }
    at += word.length + 1
  }
  return null
}

/** A long word that is base64 of readable text and not just a hash (CTX-062, CTX-063). */
function isPayload(word: string): boolean {
  if (word.length < 40 || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(word) || /^[0-9a-fA-F]+$/.test(word)) return false
  if (/[+/]/.test(word) && /[-_]/.test(word)) return false
  const decoded = decodeBase64(word)
  if (decoded === null) return false
  const points = [...decoded]
  const printable = points.filter((point) => /[^\p{C}]|[\n\r\t]/u.test(point)).length
  return printable >= points.length * 0.8
}

/** Standard or URL-safe base64 as UTF-8 text, or null when it is neither. */
function decodeBase64(word: string): string | null {
  const standard = word.replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/')
  if (standard.length % 4 === 1) return null
  const bytes = Uint8Array.from(atob(standard), (char) => char.charCodeAt(0))
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // Not text: an answer, not trouble.
    return null
  }
}

function snippetOf(text: string, span: Span): string {
  const lead = Math.max(0, Math.floor((snippetChars - span.length) / 2))
  const from = Math.max(0, Math.min(span.at - lead, text.length - snippetChars))
  return safeLine(text.slice(from, from + snippetChars).toWellFormed()).slice(0, snippetChars)
}
