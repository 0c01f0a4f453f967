import type { AssistantEntry, ToolEntry } from '../../src/protocol/entry.ts'
import type { GhyllEvent } from '../../src/protocol/event.ts'
import { entryId, sessionId, stepId } from '../../src/protocol/ids.ts'
import { lineText } from '../../ui/parts/lines.ts'
import { unicodeGlyphs } from '../../ui/theme/glyphs.ts'
import { foldTranscript } from '../../ui/transcript/fold.ts'
import { emptyTranscript, type TranscriptState } from '../../ui/transcript/model.ts'
import type { Pen } from '../../ui/transcript/pen.ts'
import type { TranscriptView } from '../../ui/transcript/view.ts'
import { assistant as assistantEntry, call, tool } from './entries.ts'

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

/** A reply that has just been opened, in step `s1`; `facts` say what became of it. */
export function assistant(id: string, facts: Partial<AssistantEntry> = {}): AssistantEntry {
  return { ...assistantEntry(id, { text: '', status: 'open' }), step: stepId('s1'), ...facts }
}

/** The entry `t1` of a call that is done and printed nothing. */
export function toolEntry(
  name: string,
  args: Readonly<Record<string, unknown>>,
  facts: Partial<ToolEntry> = {}
): ToolEntry {
  return { ...tool('t1', 'a1', call('c1', name, args), { text: '' }), durationMs: 8, ...facts }
}

/** The operator's words, on their way to the model. */
export const said = (id: string, text: string): Bare<GhyllEvent> => ({
  kind: 'input-promoted',
  seqs: [],
  entries: [{ kind: 'user', id: entryId(id), turn: 1, text }]
})

/** A notice of the session. */
export const notice = (text: string): Bare<GhyllEvent> => ({ kind: 'notice', level: 'info', text })

/** A whole reply. */
export const reply = (id: string, text: string): Bare<GhyllEvent> => ({
  kind: 'reply-opened',
  entry: assistant(id, { text, status: 'done' })
})

/** A pen that draws without colours in code. */
export const plainPen: Pen = { glyphs: unicodeGlyphs, highlight: null }

/** The visible lines as text, without spaces at their ends. */
export function shown(view: TranscriptView): string[] {
  return view.lines().map(({ line }) => lineText(line).trimEnd())
}
