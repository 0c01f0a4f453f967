import type {
  AnchorEntry,
  AssistantEntry,
  ContextEntry,
  EntryStatus,
  NoteEntry,
  ToolEntry,
  UserEntry
} from '../../src/protocol/entry.ts'
import { entryId, stepId } from '../../src/protocol/ids.ts'
import type { ToolCall, ToolMeta } from '../../src/protocol/tool.ts'

// Short builders for history entries; the id says what an entry is, so that a failing test can be read.

/** What the operator asked. */
export const user = (id: string, text = `question ${id}`, turn = 1): UserEntry => ({
  kind: 'user',
  id: entryId(id),
  turn,
  text
})

/** A call of a tool, as a model makes it. */
export const call = (id: string, name = 'bash', args: Record<string, unknown> = { command: 'true' }): ToolCall => ({
  id,
  name,
  arguments: JSON.stringify(args)
})

/** A reply that is done. */
export const assistant = (
  id: string,
  over: { text?: string; calls?: ToolCall[]; status?: EntryStatus; turn?: number } = {}
): AssistantEntry => ({
  kind: 'assistant',
  id: entryId(id),
  turn: over.turn ?? 1,
  step: stepId(`s-${id}`),
  model: 'm25',
  family: 'minimax',
  text: over.text ?? `answer ${id}`,
  reasoning: '',
  toolCalls: over.calls ?? [],
  status: over.status ?? 'done'
})

/** The result of a call, which the reply `message` made. */
export const tool = (
  id: string,
  message: string,
  of: ToolCall,
  over: { text?: string; status?: ToolEntry['status']; meta?: ToolMeta; turn?: number } = {}
): ToolEntry => ({
  kind: 'tool',
  id: entryId(id),
  turn: over.turn ?? 1,
  message: entryId(message),
  call: of,
  text: over.text ?? `result ${id}`,
  status: over.status ?? 'done',
  durationMs: 5,
  meta: over.meta ?? {}
})

/** A note of a compaction. */
export const note = (id: string, sub: NoteEntry['sub'] = 'summary', text = `note ${id}`): NoteEntry => ({
  kind: 'note',
  id: entryId(id),
  turn: 0,
  sub,
  text
})

/** A compaction: its notes, and the entries it keeps, some with a shorter text. */
export const anchor = (
  id: string,
  notes: NoteEntry[],
  kept: (string | { entry: string; text: string })[] = []
): AnchorEntry => ({
  kind: 'compaction',
  id: entryId(id),
  turn: 1,
  notes,
  kept: kept.map((one) =>
    typeof one === 'string' ? { entry: entryId(one) } : { entry: entryId(one.entry), text: one.text }
  )
})

/** The ids of entries, in their order. */
export const ids = (entries: readonly { id: string }[]) => entries.map((entry) => entry.id)

/** One question with `calls` rounds of a call and its result, and a closing answer. */
export function turnOf(number: number, calls = 0, resultText?: string): ContextEntry[] {
  const rounds = Array.from({ length: calls }, (_, index) => {
    const made = call(`c${number}.${index}`)
    const message = `a${number}.${index}`
    return [
      assistant(message, { calls: [made], text: '', turn: number }),
      tool(`r${number}.${index}`, message, made, {
        turn: number,
        ...(resultText === undefined ? {} : { text: resultText })
      })
    ]
  }).flat()
  return [user(`u${number}`, `question ${number}`, number), ...rounds, assistant(`a${number}`, { turn: number })]
}
