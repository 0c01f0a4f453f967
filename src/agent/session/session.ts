import type { Delivery } from '../../protocol/command.ts'
import type { InboxRow } from '../../protocol/event.ts'
import type { NewInboxRow } from '../../protocol/session-store.ts'
import { createCommandTable } from './command-table.ts'
import { builtInCommands } from './commands.ts'
import { type Item, notice } from './facts.ts'
import { type Errand, parseLine } from './line.ts'
import { createMachine, runSession } from './loop.ts'
import type { SessionOptions } from './options.ts'
import { perform } from './perform.ts'
import type { Ports } from './ports.ts'
import { unsentRows } from './recover.ts'
import type { Rules } from './rules.ts'
import { runShell } from './shell.ts'
import { busyText, output, type SlashCommand } from './slash.ts'
import { initialState, type SessionState } from './state.ts'
import type { Surroundings } from './surroundings.ts'
import { createVoice } from './voice.ts'

type Origin = InboxRow['origin']

/** One running session. Whoever holds it submits inputs and reads snapshots; the loop alone changes the state (SESS-015). */
export interface Session {
  /** A typed text, a `/command` or a `!line`. What comes of it arrives as events; waits for nothing. */
  submit(text: string, delivery: Delivery, origin: Origin): void
  /** Aborts the work under way; true when there was any (SESS-090). */
  interrupt(): boolean
  /** Enter on an empty field: a held session takes up what waits (SESS-092). */
  takeUp(): void
  /** Takes a pending row out again; its text, or null when it was taken up already (TERM-46). */
  takeBack(seq: number): string | null
  /** `/retry`. */
  retry(): void
  /** Keeps what conversations beside its own turns used, as events of this session. */
  keep(items: readonly Item[]): void
  /** Settles what a predecessor left and says READY; then runs until the session ends. */
  start(): void
  /** Interrupts, settles, makes the final checkpoint and closes (SESS-140). Resolves with `ended`. */
  shutdown(how: { readonly signal: boolean }): Promise<SessionEnd>
  state(): SessionState
  /** Resolves when the session is closed; rejects on a bug or when its store fails. */
  readonly ended: Promise<SessionEnd>
}

/** What is known at the end, for the lines and the code of the exit (SESS-141, SESS-143, TERM-6). */
export type SessionEnd = {
  readonly state: SessionState
  /** It was in the middle of something when it was told to end. */
  readonly wasBusy: boolean
  /** The final checkpoint, or the last one before it. */
  readonly checkpoint: SessionState['checkpoints']['last']
  /** The final one could not be stored. */
  readonly isUnsaved: boolean
}

/** Opens a session in the store, so that inputs can be kept before it is ready (SESS-027). Nothing runs until `start`. */
export function createSession(ports: Ports, options: SessionOptions): Session {
  const { session, workdir, model, settlesPredecessors, commands: added = [] } = options
  const rules: Rules = { ...options, measuresDrift: ports.drift !== undefined }
  const machine = createMachine(initialState(session, rules), ports)
  const voice = createVoice(rules, workdir, ports)
  const end = Promise.withResolvers<SessionEnd>()
  // Whoever only waits for shutdown must not find an unhandled rejection instead.
  end.promise.catch(() => undefined)
  /** Commands that run beside the loop; the session does not end before them (SESS-049). */
  const background = new Set<Promise<void>>()
  let wasBusy = false
  let isStarted = false

  machine.record([{ kind: 'session-opened', workdir, model }])

  const actions = { compact, leave: () => void shutdown({ signal: false }), restore, reload }
  const table = createCommandTable([...builtInCommands(actions), ...added], ports.workflow)
  const tools = (signal: AbortSignal) => ({ ports, voice, signal, record: machine.record })
  const around: Surroundings = {
    machine,
    ports,
    voice,
    settlesPredecessors,
    runErrand,
    greeting: () => [...table.shadowed(), { kind: 'commands-loaded', commands: table.infos() }]
  }

  return {
    submit,
    interrupt,
    takeUp() {
      if (!machine.state().held) return
      machine.record([{ kind: 'hold-changed', held: false }])
      machine.wake()
    },
    takeBack(seq) {
      const row = ports.store.drop(session, seq)
      if (row === null) return null
      machine.fold({ kind: 'input-dropped', seq, session, at: ports.clock.now() })
      return row.text
    },
    retry: () => ask({ kind: 'command', name: 'retry', args: '' }),
    keep: machine.record,
    start,
    shutdown,
    state: machine.state,
    ended: end.promise
  }

  function start(): void {
    if (isStarted) return
    isStarted = true
    run().then(end.resolve, end.reject)
  }

  async function run(): Promise<SessionEnd> {
    const state = await runSession(machine, (step, now) => perform(step, now, around), table.isLong)
    await Promise.all(background)
    return { state, wasBusy, checkpoint: state.checkpoints.last, isUnsaved: state.run.farewell === 'failed' }
  }

  function submit(text: string, delivery: Delivery, origin: Origin): void {
    // Words from afar are words, whatever they look like (SESS-039).
    const line = origin === 'operator' ? parseLine(text) : ({ kind: 'text', text } as const)
    if (line.kind === 'text') keepInput(text, delivery, origin)
    else if (line.kind === 'shell') ask(line)
    else submitCommand(line, delivery)
  }

  function submitCommand(line: Extract<Errand, { kind: 'command' }>, delivery: Delivery): void {
    const command = table.get(line.name)
    const expanded = command === undefined ? ports.workflow.expand(line.name, line.args) : null
    if (command?.when === 'always') runNow(command, line.args)
    else if (command !== undefined) ask(line)
    else if (expanded === null) say({ ...output(line.name, `unknown command: ${line.name}`), failed: true })
    // A command from a file is a message; while a turn runs it may be queued, not steered (SESS-037, CTX-123).
    else if (isBusy() && delivery === 'steer') say(notice('warning', busyText))
    else keepInput(expanded, delivery, 'operator')
  }

  /** Into the inbox, before anybody forgets it (SESS-030). */
  function keepInput(text: string, delivery: Delivery, origin: Origin): void {
    const { preface } = machine.state().run
    const isOwn = origin === 'operator'
    const whole = isOwn && preface.length > 0 ? [...preface, text].join('\n\n') : text
    if (!enqueue({ kind: 'input', delivery, origin, text: whole })) return
    if (whole !== text) machine.record([{ fact: 'preface-used' }])
    if (isOwn && machine.state().held) machine.record([{ kind: 'hold-changed', held: false }])
    machine.wake()
  }

  /** The store keeps and announces the row; the state learns of it here. A refusal is told (SESS-038). */
  function enqueue(row: NewInboxRow): boolean {
    const kept = ports.store.submit(session, row)
    if ('refused' in kept) say(notice('error', kept.refused.text))
    else machine.fold({ kind: 'input-submitted', row: kept.row, session, at: ports.clock.now() })
    return !('refused' in kept)
  }

  /** A command that needs an idle session: refused while busy, done as soon as the loop is there. */
  function ask(errand: Errand): void {
    if (isBusy()) {
      say(notice('warning', busyText))
      return
    }
    machine.record([{ fact: 'errand-asked', errand }])
    machine.wake()
  }

  function runNow(command: SlashCommand, args: string): void {
    const work = table.run(command, args, machine.state(), machine.signal()).then((items) => {
      say(...items)
      background.delete(work)
    })
    background.add(work)
  }

  async function runErrand(errand: Errand, signal: AbortSignal): Promise<readonly Item[]> {
    if (errand.kind === 'shell') return runShell(errand, voice.facts(machine.state().model).stampLabel, tools(signal))
    const command = table.get(errand.name)
    return command === undefined ? [] : table.run(command, errand.args, machine.state(), signal)
  }

  function interrupt(): boolean {
    const { phase } = machine.state().run
    if (!isBusy() || phase === 'shutdown') return false
    machine.record([{ fact: 'interrupt-asked' }])
    machine.abort()
    return true
  }

  function shutdown(how: { readonly signal: boolean }): Promise<SessionEnd> {
    if (machine.state().run.leaving === null) {
      wasBusy = isBusy()
      machine.record([{ fact: 'leave-asked', signal: how.signal }])
      interrupt()
      machine.wake()
      // One that was never started is closed all the same.
      start()
    }
    return end.promise
  }

  function isBusy(): boolean {
    const { phase } = machine.state().run
    return phase !== 'ready' && phase !== 'init'
  }

  function compact(): readonly Item[] {
    if (enqueue({ kind: 'compaction', delivery: 'queue', origin: 'operator', text: '' })) machine.wake()
    return []
  }

  function restore(): number {
    const from = machine.state().run.unsentFrom
    const rows = from === null ? [] : unsentRows(ports.store.pending(from))
    let count = 0
    for (const { seq, origin, text } of rows) {
      if (from === null || !enqueue({ kind: 'input', delivery: 'queue', origin, text })) break
      ports.store.drop(from, seq)
      count += 1
    }
    return count
  }

  async function reload(): Promise<readonly Item[]> {
    await ports.workflow.reload()
    const notices = ports.workflow.notices().map(({ level, text }) => notice(level, text))
    return [
      { fact: 'context-stale' },
      ...notices,
      ...table.shadowed(),
      { kind: 'commands-loaded', commands: table.infos() }
    ]
  }

  function say(...items: readonly Item[]): void {
    machine.record(items)
  }
}
