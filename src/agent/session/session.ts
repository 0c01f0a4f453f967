import { AssertionFailed } from '../../lib/assert.ts'
import { messageOf } from '../../lib/error.ts'
import type { CommandInfo, Delivery } from '../../protocol/command.ts'
import type { InboxRow } from '../../protocol/event.ts'
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

export type Origin = InboxRow['origin']

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

  const table = new Map<string, SlashCommand>()
  const actions = { compact, leave: () => void shutdown({ signal: false }), restore, reload }
  for (const command of [...builtInCommands(actions), ...added]) table.set(command.name, command)
  const tools = (signal: AbortSignal) => ({ ports, voice, signal, record: machine.record })
  const isLong = (name: string) => table.get(name)?.isLong === true
  const around: Surroundings = {
    machine,
    ports,
    voice,
    settlesPredecessors,
    runErrand,
    greeting: () => [...shadowed(), { kind: 'commands-loaded', commands: commandInfos() }]
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
    const state = await runSession(machine, (step, now) => perform(step, now, around), isLong)
    await Promise.all(background)
    return { state, wasBusy, checkpoint: state.checkpoints.last, isUnsaved: state.run.farewell === 'failed' }
  }

  function submit(text: string, delivery: Delivery, origin: Origin): void {
    // Words from afar are words, whatever they look like (SESS-039).
    const line = origin === 'operator' ? parseLine(text) : ({ kind: 'text', text } as const)
    if (line.kind === 'text') keep(text, delivery, origin)
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
    else keep(expanded, delivery, 'operator')
  }

  /** Into the inbox, before anybody forgets it (SESS-030). */
  function keep(text: string, delivery: Delivery, origin: Origin): void {
    const { preface } = machine.state().run
    const isOwn = origin === 'operator'
    const whole = isOwn && preface.length > 0 ? [...preface, text].join('\n\n') : text
    if (!enqueue({ kind: 'input', delivery, origin, text: whole })) return
    if (whole !== text) machine.record([{ fact: 'preface-used' }])
    if (isOwn && machine.state().held) machine.record([{ kind: 'hold-changed', held: false }])
    machine.wake()
  }

  /** The store keeps and announces the row; the state learns of it here. A refusal is told (SESS-038). */
  function enqueue(row: Omit<InboxRow, 'seq'>): boolean {
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
    const work = runCommand(command, args, machine.signal()).then((items) => {
      say(...items)
      background.delete(work)
    })
    background.add(work)
  }

  async function runCommand(command: SlashCommand, args: string, signal: AbortSignal): Promise<readonly Item[]> {
    try {
      return await command.run(args, { state: machine.state(), signal, commands: commandInfos })
    } catch (error) {
      // A bug stops the program instead of becoming a line of the transcript.
      if (error instanceof AssertionFailed) throw error
      return [notice('error', `/${command.name}: ${messageOf(error)}`)]
    }
  }

  async function runErrand(errand: Errand, signal: AbortSignal): Promise<readonly Item[]> {
    if (errand.kind === 'shell') return runShell(errand, voice.facts(machine.state().model).stampLabel, tools(signal))
    const command = table.get(errand.name)
    return command === undefined ? [] : runCommand(command, errand.args, signal)
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
    return [{ fact: 'context-stale' }, ...notices, ...shadowed(), { kind: 'commands-loaded', commands: commandInfos() }]
  }

  /** Built-ins first; a file of the same name is shadowed (CTX-121, CTX-127). */
  function commandInfos(): readonly CommandInfo[] {
    const builtIn = [...table.values()].map(
      ({ name, description }): CommandInfo => ({ name, description, source: 'built-in' })
    )
    return [...builtIn, ...ports.workflow.commands().filter(({ name }) => !table.has(name))]
  }

  function shadowed(): readonly Item[] {
    const hidden = ports.workflow.commands().filter(({ name }) => table.has(name))
    return hidden.map(({ name, from = '.ghyll/commands' }) =>
      notice('info', `command /${name} from ${from} is shadowed by a built-in`)
    )
  }

  function say(...items: readonly Item[]): void {
    machine.record(items)
  }
}
