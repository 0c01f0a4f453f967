import type { Command } from '../../src/protocol/command.ts'
import type { DurableEvent, GhyllEvent, TransientEvent } from '../../src/protocol/event.ts'
import { entryId, sessionId } from '../../src/protocol/ids.ts'
import type { ScreenBoot } from '../../src/protocol/screen.ts'
import { mountScreen, type Screen } from '../../ui/mount.tsx'
import { type EmulatedTerminal, emulateTerminal } from './emulated-terminal.ts'
import { assistant } from './entries.ts'

// The real screen in this process on an emulated terminal, fed with scripted events: what a person would see, without a program
// behind it.

/** An event without the fields that are the same in every test. */
export type ScriptedEvent = Unaddressed<DurableEvent> | Unaddressed<TransientEvent>
type Unaddressed<Event> = Event extends unknown ? Omit<Event, 'session' | 'at'> : never

export type ScreenHarness = Omit<EmulatedTerminal, 'stdin' | 'stdout' | 'now' | 'stir'> & {
  readonly screen: Screen
  /** Commands dispatched so far. */
  readonly commands: readonly Command[]
  emit(...events: readonly ScriptedEvent[]): void
  close(): Promise<void>
}

export const boot: ScreenBoot = {
  version: '0.0.0',
  header: {
    model: 'm25',
    tier: 'fast',
    workdir: '~/repos/shop',
    branch: 'main',
    gridVersion: null,
    residue: null,
    unevaluated: null,
    opId: null
  },
  keys: {},
  mouse: true,
  notify: 'bell',
  colour: true,
  ascii: false
}

/** Mounts the screen at a size. `answers`: the terminal answers the screen's queries. */
export function openScreen(
  options: {
    readonly columns?: number
    readonly rows?: number
    readonly boot?: Partial<ScreenBoot>
    readonly answers?: boolean
    readonly stop?: () => void
  } = {}
): ScreenHarness {
  const { columns = 80, rows = 24, answers = true } = options
  const emulated = emulateTerminal({ columns, rows, answers })
  const { stdin, stdout, now } = emulated
  const listeners = new Set<(event: GhyllEvent) => void>()
  const commands: Command[] = []
  const screen = mountScreen(
    {
      boot: { ...boot, ...options.boot },
      subscribe(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      dispatch(command) {
        commands.push(command)
        emulated.stir()
      }
    },
    { stdin, stdout, now, stop: options.stop ?? (() => undefined) }
  )

  return {
    ...emulated,
    screen,
    commands,
    emit(...events) {
      for (const event of events) {
        const whole = { ...event, session: sessionId('s'), at: Date.now() } as GhyllEvent
        for (const listener of listeners) listener(whole)
      }
    },
    async close() {
      screen.unmount()
      await screen.exited
      emulated.terminal.dispose()
    }
  }
}

/** A reply that comes whole. */
export function replied(id: string, text: string): ScriptedEvent[] {
  return [
    { kind: 'reply-opened', entry: assistant(id, { text: '', status: 'open' }) },
    { kind: 'reply-settled', entry: entryId(id), status: 'done', text, reasoning: '', toolCalls: [] }
  ]
}
