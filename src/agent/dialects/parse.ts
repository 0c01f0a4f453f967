import { z } from 'zod'
import { parseJson } from '../../lib/json.ts'
import type { ToolCall } from '../../protocol/tool.ts'
import type { CallOrigin, ParsedCalls, ParseRefusal } from './types.ts'

// Tool calls of one response, from the envelope's JSON (MODEL-074). A refusal here means that no call of the response runs; an
// unknown tool or bad arguments are answered later with a result, so that the model can correct itself.

const envelope = z.array(
  z.object({
    id: z.string().nullish(),
    function: z.object({ name: z.string().min(1), arguments: z.unknown().optional() })
  })
)

/** Families with opaque ids: any string is an id, a missing one is made up, a repeated one gets a suffix. */
export function parseOpaqueCalls(rawJson: string, origin: CallOrigin): ParsedCalls {
  const calls = readEnvelope(rawJson)
  if (calls === null) return notCallObjects()
  const taken = new Set(calls.map((call) => call.id))
  const used = new Set<string>()
  const suffixes = new Map<string, number>()
  const withIds = calls.map((call, index) => {
    const id = uniqueId(call.id || `call_${origin.turn}_${origin.callsSoFar + index}`, { used, taken, suffixes })
    used.add(id)
    return { ...call, id }
  })
  return { ok: true, calls: withIds }
}

/** The shape in which a kimi model numbers its calls. */
export const numberedId = /^functions\.[A-Za-z_][A-Za-z0-9_-]*:\d+$/

/** The kimi family: each id must have the numbered shape and appear once. */
export function parseNumberedCalls(rawJson: string): ParsedCalls {
  const calls = readEnvelope(rawJson)
  if (calls === null) return notCallObjects()
  const seen = new Set<string>()
  for (const { id } of calls) {
    if (!numberedId.test(id))
      return refused(`id ${quoted(id)} is not of the required shape functions.<name>:<index>`, id)
    if (seen.has(id)) return refused(`id ${quoted(id)} appears more than once in one response`, id)
    seen.add(id)
  }
  return { ok: true, calls }
}

function readEnvelope(rawJson: string): readonly ToolCall[] | null {
  const parsed = envelope.safeParse(parseJson(rawJson))
  if (!parsed.success) return null
  return parsed.data.map((call) => ({
    id: call.id ?? '',
    name: call.function.name,
    arguments: argumentsText(call.function.arguments)
  }))
}

/** Empty arguments stand for none; an object is written as the text it should have been (MODEL-036). */
function argumentsText(value: unknown): string {
  if (value === undefined || value === null) return '{}'
  if (typeof value !== 'string') return JSON.stringify(value)
  return value.trim() === '' ? '{}' : value
}

type Ids = {
  readonly used: ReadonlySet<string>
  readonly taken: ReadonlySet<string>
  /** Where the search for a free suffix goes on: a reply that repeats one id many thousand times takes linear time. */
  readonly suffixes: Map<string, number>
}

function uniqueId(id: string, { used, taken, suffixes }: Ids): string {
  if (!used.has(id)) return id
  for (let n = suffixes.get(id) ?? 2; ; n += 1) {
    const candidate = `${id}_${n}`
    if (used.has(candidate) || taken.has(candidate)) continue
    suffixes.set(id, n + 1)
    return candidate
  }
}

function notCallObjects(): ParsedCalls {
  return refused('tool_calls is not a list of call objects', null)
}

function refused(reason: string, offending: string | null): ParsedCalls & { readonly ok: false } {
  const refusal: ParseRefusal = { code: 'parse-refused', reason, offending }
  return { ok: false, refusal }
}

/** Safe on one line, whatever a model came up with. */
const quoted = (id: string) => JSON.stringify(id.length > 80 ? `${id.slice(0, 80)}…` : id)
