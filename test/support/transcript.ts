import type { AssistantEntry, ToolEntry } from '../../src/protocol/entry.ts'
import type { GhyllEvent } from '../../src/protocol/event.ts'
import { entryId, sessionId, stepId } from '../../src/protocol/ids.ts'
import { lineText } from '../../ui/parts/lines.ts'
import { unicodeGlyphs } from '../../ui/theme/glyphs.ts'
import { foldTranscript } from '../../ui/transcript/fold.ts'
import { emptyTranscript, type TranscriptState } from '../../ui/transcript/model.ts'
import type { Pen } from '../../ui/transcript/pen.ts'
import type { TranscriptView } from '../../ui/transcript/view.ts'

type Bare<T> = T extends unknown ? Omit<T, 'session' | 'at'> : never

/** An event of the test session at time 1. */
export function told(event: Bare<GhyllEvent>): GhyllEvent {
  return { ...event, session: sessionId('test'), at: 1 } as GhyllEvent
}

/** The transcript after these events. */
export function transcriptOf(
  events: readonly Bare<GhyllEvent>[],
  from: TranscriptState = emptyTranscript
): TranscriptState {
  return events.reduce((state, event) => foldTranscript(state, told(event)), from)
}

export function assistant(id: string, facts: Partial<AssistantEntry> = {}): AssistantEntry {
  return {
    kind: 'assistant',
    id: entryId(id),
    turn: 1,
    step: stepId('s1'),
    model: 'm25',
    family: 'minimax',
    text: '',
    reasoning: '',
    toolCalls: [],
    status: 'open',
    ...facts
  }
}

export function toolEntry(
  name: string,
  args: Readonly<Record<string, unknown>>,
  facts: Partial<ToolEntry> = {}
): ToolEntry {
  const call = { id: 'c1', name, arguments: JSON.stringify(args) }
  return {
    kind: 'tool',
    id: entryId('t1'),
    turn: 1,
    message: entryId('a1'),
    call,
    text: '',
    status: 'done',
    durationMs: 8,
    meta: {},
    ...facts
  }
}

export const said = (id: string, text: string): Bare<GhyllEvent> => ({
  kind: 'input-promoted',
  seqs: [],
  entries: [{ kind: 'user', id: entryId(id), turn: 1, text }]
})

export const notice = (text: string): Bare<GhyllEvent> => ({ kind: 'notice', level: 'info', text })

export const reply = (id: string, text: string): Bare<GhyllEvent> => ({
  kind: 'reply-opened',
  entry: assistant(id, { text, status: 'done' })
})

export const plainPen: Pen = { glyphs: unicodeGlyphs, highlight: null }

/** The visible lines as text, without spaces at their ends. */
export function shown(view: TranscriptView): string[] {
  return view.lines().map(({ line }) => lineText(line).trimEnd())
}
