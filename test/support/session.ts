import type { ResumePort, Session, SessionOptions, SessionStorePort } from '../../src/agent/session/index.ts'
import { createSession, type DriftPort } from '../../src/agent/session/index.ts'
import type { CheckpointDraft } from '../../src/protocol/checkpoint.ts'
import type { CommandInfo } from '../../src/protocol/command.ts'
import type { DurableEvent, GhyllEvent, InboxRow } from '../../src/protocol/event.ts'
import { entryId, type SessionId, sessionId, stepId } from '../../src/protocol/ids.ts'
import type {
  DialectFamily,
  ModelDelta,
  ModelFailure,
  ModelOutcome,
  ModelReply,
  ModelRequest
} from '../../src/protocol/model.ts'
import type { Predecessor } from '../../src/protocol/session-store.ts'
import { type ToolCall, type ToolName, type ToolResult, toolNames } from '../../src/protocol/tool.ts'
import { type ManualClock, manualClock } from './clock.ts'

// A session with every port replaced by a small fake: the model follows a script, tools answer at once, time stands still.

/** One attempt of the script. */
export type Turnout = (
  request: ModelRequest,
  signal: AbortSignal,
  onDelta: (delta: ModelDelta) => void
) => Promise<ModelOutcome> | ModelOutcome

export type ToolAnswer = (call: ToolCall, signal: AbortSignal) => Promise<ToolResult> | ToolResult

export type FakeSession = {
  readonly session: Session
  readonly clock: ManualClock
  readonly store: MemoryStore
  readonly events: readonly GhyllEvent[]
  readonly requests: readonly ModelRequest[]
  readonly ran: readonly ToolCall[]
  readonly checkpoints: readonly CheckpointDraft[]
  readonly logged: readonly string[]
  script(...turnouts: readonly Turnout[]): void
  /** Attempts of the script that were not asked for. */
  left(): number
  setTool(answer: ToolAnswer): void
  setFloor(floor: number): void
  /** Resolves with the first event for which `is` holds, counted from `from` (default: the beginning). */
  until<T extends GhyllEvent>(is: (event: GhyllEvent) => event is T, from?: number): Promise<T>
  untilEvent(is: (event: GhyllEvent) => boolean, from?: number): Promise<GhyllEvent>
  /** Resolves when the session is idle again after what was submitted. */
  idle(): Promise<void>
  /** Submits and waits until the session is idle again. */
  say(text: string): Promise<void>
  notices(): readonly string[]
  outputs(): readonly string[]
  /** `role: text` of a request, the system message left out. */
  spoken(index: number): readonly string[]
}

export type FakeOptions = Partial<SessionOptions> & {
  readonly store?: MemoryStore | SessionStorePort
  readonly clock?: ManualClock
  readonly drift?: DriftPort
  readonly resume?: ResumePort
  readonly commands?: SessionOptions['commands']
  readonly files?: Readonly<Record<string, string>>
  /** What the composition of the system prompt warns of. */
  readonly composeWarnings?: () => readonly string[]
  readonly failCheckpoints?: boolean
  /** Checkpoints never come to an end. */
  readonly checkpointPending?: boolean
  readonly onEvent?: (event: GhyllEvent, session: () => Session) => void
  readonly drainVerdicts?: (signal: AbortSignal) => Promise<void>
  readonly random?: () => number
}

/** What routing knows of a model. */
export const facts = (name: string, family: DialectFamily = 'minimax', maxContext = 100_000) => ({
  name,
  family,
  maxContext,
  stampLabel: name
})

/** A fast model and a deep one. */
export const twoModels = { fast: facts('fast'), deep: facts('deep', 'glm') }

/** Routing between the two, with everything switched on. */
export const routing = {
  defaultModel: 'fast',
  deepModel: 'deep' as string | null,
  contextDepthThreshold: 32_000,
  toolDepthThreshold: 5,
  enableAutoRouting: true,
  gateFloorEscalateAtRank: 2,
  gateFloorDisabled: false
}

/** A session that waits for its first input. */
export function fakeSession(options: FakeOptions = {}): FakeSession {
  const clock = options.clock ?? manualClock()
  const id = options.session ?? sessionId('device-1')
  const events: GhyllEvent[] = []
  const requests: ModelRequest[] = []
  const ran: ToolCall[] = []
  const checkpoints: CheckpointDraft[] = []
  const logged: string[] = []
  const pending: Turnout[] = []
  const lookouts = new Set<() => void>()
  let answer: ToolAnswer = (call) => toolDone(`did ${call.name}`)
  let floor = 0
  let counter = 0

  const announce = (event: GhyllEvent) => {
    if (event.session !== id) return
    events.push(event)
    for (const look of [...lookouts]) look()
    options.onEvent?.(event, () => session)
  }
  const store = (options.store ?? memoryStore(clock)) as MemoryStore
  store.subscribe(announce)

  const session: Session = createSession(
    {
      clock,
      ids: { entry: () => entryId(`${id}/e${++counter}`), step: () => stepId(`${id}/s${++counter}`) },
      store,
      tell: announce,
      model: {
        async request(request, signal, onDelta) {
          requests.push(request)
          const next = pending.shift()
          if (next === undefined) throw new Error(`no turnout left for request ${requests.length}`)
          return await next(request, signal, onDelta)
        }
      },
      tools: {
        specs: (audience) => (audience === 'session' ? sessionSpecs : agentSpecs),
        check(call, audience) {
          const specs = audience === 'session' ? sessionSpecs : agentSpecs
          if (!specs.some(({ name }) => name === call.name)) {
            const known = toolNames.some((name) => name === call.name)
            const error = known ? `tool "${call.name}" is not available to sub-agents` : `unknown tool: ${call.name}`
            return { ok: false, kind: 'unknown-tool', error }
          }
          return { ok: true, name: call.name as ToolName, args: JSON.parse(call.arguments || '{}') }
        },
        async run(call, _, { signal }) {
          ran.push(call)
          return await answer(call, signal)
        }
      },
      checkpoints: {
        async create(draft) {
          if (options.failCheckpoints === true) throw new Error('no room')
          if (options.checkpointPending === true) await new Promise(() => undefined)
          checkpoints.push(draft)
          return { hash: `hash-${checkpoints.length - 1}`, index: checkpoints.length - 1 }
        }
      },
      gate: { floor: () => floor, drainVerdicts: options.drainVerdicts ?? (async () => undefined) },
      workflow: {
        compose: ({ base, overlay }) => ({
          prompt: [base, overlay ?? ''].filter(Boolean).join('\n\n'),
          warnings: options.composeWarnings?.() ?? []
        }),
        commands: (): CommandInfo[] =>
          Object.keys(options.files ?? {}).map((name) => ({ name, description: name, source: 'project' })),
        expand: (name, args) => {
          const text = options.files?.[name]
          return text === undefined ? null : args === '' ? text : `${text}\n\nArguments: ${args}`
        },
        reload: async () => undefined,
        notices: () => [
          { level: 'info', text: 'workflow loaded from .ghyll/' },
          { level: 'warning', text: 'one file was not read' }
        ]
      },
      ...(options.drift === undefined ? {} : { drift: options.drift }),
      ...(options.resume === undefined ? {} : { resume: options.resume }),
      random: options.random ?? (() => 0.5),
      redact: (text) => text,
      log: (line) => void logged.push(line)
    },
    {
      session: id,
      workdir: '/project/tree',
      model: 'fast',
      locked: false,
      models: twoModels,
      routing,
      checkpointIntervalTurns: 100,
      driftCheckIntervalTurns: 100,
      maxResultBytes: 8192,
      subAgent: { defaultModel: 'fast', maxTurns: 20, tokenBudget: 50_000, timeoutSeconds: 300 },
      settlesPredecessors: true,
      ...options
    }
  )

  const untilEvent = (is: (event: GhyllEvent) => boolean, from = 0) =>
    new Promise<GhyllEvent>((resolve, reject) => {
      // A session that broke says why, instead of letting its test wait.
      session.ended.catch(reject)
      let at = from
      const look = () => {
        for (; at < events.length; at++) {
          const event = events[at]
          if (event === undefined || !is(event)) continue
          lookouts.delete(look)
          resolve(event)
          return
        }
      }
      lookouts.add(look)
      look()
    })
  const idle = async () => {
    for (;;) {
      const { run, inbox, held } = session.state()
      const waits = !held && inbox.length > 0
      if (run.phase === 'ready' && run.errands.length === 0 && !run.retrying && !waits) return
      await untilEvent(() => true, events.length)
      await settled()
    }
  }
  return {
    session,
    clock,
    store,
    events,
    requests,
    ran,
    checkpoints,
    logged,
    script: (...turnouts) => void pending.push(...turnouts),
    left: () => pending.length,
    setTool(next) {
      answer = next
    },
    setFloor(next) {
      floor = next
    },
    until: (is, from) => untilEvent(is, from) as Promise<never>,
    untilEvent,
    idle,
    async say(text) {
      session.submit(text, 'steer', 'operator')
      await idle()
    },
    notices: () => events.flatMap((event) => (event.kind === 'notice' ? [`${glyphs[event.level]} ${event.text}`] : [])),
    outputs: () => events.flatMap((event) => (event.kind === 'command-output' ? event.lines : [])),
    spoken: (index) => spokenOf(requests[index])
  }
}

/** Lets everything that is ready to run do so. */
export const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

const glyphs = { info: 'ℹ', warning: '⚠', error: '✗', success: '✓', switch: '⟳', detail: '·' }

function spokenOf(request: ModelRequest | undefined): readonly string[] {
  return (request?.messages ?? [])
    .filter((message) => message.role !== 'system')
    .map((message) => {
      const calls = message.role === 'assistant' ? (message.tool_calls ?? []).map((call) => ` [${call.id}]`) : []
      return `${message.role}: ${message.content ?? ''}${calls.join('')}`
    })
}

const spec = (name: ToolName) => ({ name, description: name, parameters: { type: 'object', properties: {} } })
const sessionSpecs = toolNames.map(spec)
const agentSpecs = sessionSpecs.filter(({ name }) => !['agent', 'enter_plan_mode', 'exit_plan_mode'].includes(name))

// ---- what a script is made of ----

const emptyReply: ModelReply = {
  content: '',
  reasoningContent: '',
  toolCalls: [],
  usage: null,
  finishReason: 'stop',
  partial: false,
  requestId: null
}

/** Streams `text` and ends well. */
export const says =
  (text: string, more: Partial<ModelReply> = {}): Turnout =>
  (_, __, onDelta) => {
    if (more.reasoningContent !== undefined) onDelta({ channel: 'reasoning', text: more.reasoningContent })
    onDelta({ channel: 'content', text })
    return { kind: 'reply', reply: { ...emptyReply, content: text, ...more } }
  }

/** Answers with tool calls; each is a name, or a name with arguments. */
export const calls = (...list: readonly (readonly [id: string, name: string, args?: object])[]): Turnout =>
  says('', {
    finishReason: 'tool_calls',
    toolCalls: list.map(([id, name, args]) => ({ id, name, arguments: JSON.stringify(args ?? {}) }))
  })

/** The stream breaks after `text`. */
export const breaks = (text: string): Turnout => says(text, { partial: true, finishReason: null })

/** The attempt fails: by default with a status that may be tried again. */
export const fails =
  (failure: Partial<ModelFailure> = {}): Turnout =>
  () => ({
    kind: 'failure',
    failure: {
      code: 'stream-failed',
      message: 'HTTP 503',
      statusCode: 503,
      retryable: true,
      retryAfterSeconds: null,
      contextTooLong: false,
      requestId: null,
      ...failure
    }
  })

/** The model says that the prompt is too long for it. */
export const tooLong = fails({ message: 'prompt is too long', statusCode: 400, retryable: false, contextTooLong: true })

/** Streams `text` and then nothing, until it is aborted. */
export const hangs =
  (text = ''): Turnout =>
  async (request, signal, onDelta) => {
    if (text !== '') onDelta({ channel: 'content', text })
    await aborted(signal)
    return text === ''
      ? fails({ code: 'interrupted', message: 'aborted', retryable: false })(request, signal, onDelta)
      : { kind: 'reply', reply: { ...emptyReply, content: text, partial: true, finishReason: null } }
  }

/** Resolves when the signal is aborted. */
export const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** The answer of a tool that succeeded. */
export const toolDone = (output: string, meta: ToolResult['meta'] = {}): ToolResult => ({
  output,
  error: '',
  timedOut: false,
  durationMs: 1,
  meta
})

/** A tool that runs until it is aborted. */
export const toolHangs: ToolAnswer = async (_, signal) => {
  await aborted(signal)
  return { ...toolDone('so far', { kind: 'interrupted' }), error: 'interrupted by operator' }
}

// ---- the store ----

export type MemoryStore = SessionStorePort & {
  subscribe(listener: (event: DurableEvent) => void): () => void
  /** Every event kept, of all sessions, in order. */
  readonly kept: readonly DurableEvent[]
}

/** The durable store without a disk. Refuses what the real one refuses. */
export function memoryStore(clock: { now(): number }, earlier: readonly DurableEvent[] = []): MemoryStore {
  const kept: DurableEvent[] = [...earlier]
  const own = new Set<SessionId>()
  const listeners = new Set<(event: DurableEvent) => void>()
  const of = (session: SessionId) => kept.filter((event) => event.session === session)
  const pending = (session: SessionId): readonly InboxRow[] => {
    const gone = new Set(
      of(session).flatMap((event) =>
        event.kind === 'input-promoted' ? event.seqs : event.kind === 'input-dropped' ? [event.seq] : []
      )
    )
    return of(session).flatMap((event) =>
      event.kind === 'input-submitted' && !gone.has(event.row.seq) ? [event.row] : []
    )
  }
  const keep = (events: readonly DurableEvent[]) => {
    for (const event of events) {
      if (event.kind === 'session-opened') own.add(event.session)
      if (event.kind === 'input-promoted')
        for (const seq of event.seqs)
          if (!pending(event.session).some((row) => row.seq === seq)) throw new Error(`row ${seq} is not pending`)
      kept.push(event)
    }
    for (const event of events) for (const listener of [...listeners]) listener(event)
  }
  return {
    kept,
    record: keep,
    load: of,
    pending,
    submit(session, row) {
      if (pending(session).length >= 64) return { refused: { code: 'inbox-full', text: '64 inputs are waiting' } }
      const seq = kept.filter((event) => event.kind === 'input-submitted').length + 1
      const full = { ...row, seq }
      keep([{ kind: 'input-submitted', row: full, session, at: clock.now() }])
      return { row: full }
    },
    drop(session, seq) {
      const row = pending(session).find((candidate) => candidate.seq === seq)
      if (row === undefined) return null
      keep([{ kind: 'input-dropped', seq, session, at: clock.now() }])
      return row
    },
    predecessors(session): readonly Predecessor[] {
      const opened = kept.flatMap((event) => (event.kind === 'session-opened' ? [event.session] : []))
      const closed = new Set(kept.flatMap((event) => (event.kind === 'session-closed' ? [event.session] : [])))
      return opened
        .filter((other) => other !== session && !own.has(other))
        .map((other): Predecessor => ({ session: other, state: closed.has(other) ? 'closed' : 'active' }))
        .reverse()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    }
  }
}
