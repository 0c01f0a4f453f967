import { messageOf } from '../src/lib/error.ts'
import type { GhyllEvent } from '../src/protocol/event.ts'
import type { ScreenPorts } from '../src/protocol/screen.ts'
import { clipboardOffer } from './clipboard.ts'
import type { TerminalInput } from './keys/index.ts'
import { isTiny } from './layout.ts'
import { createTurnWatch, notification } from './notify.ts'
import { armed, armingAt, painted } from './overlays/stack.ts'
import { fitted } from './panels/state.ts'
import { createGatherer } from './store/batch.ts'
import { numberedRequest } from './store/outcome.ts'
import { press } from './store/press.ts'
import { reduce } from './store/reduce.ts'
import type { Effect, Outcome, ScreenState, ScrollMove } from './store/state.ts'
import type { ScreenStore } from './store/store.ts'
import { releaseOlder, toggleRow } from './transcript/fold.ts'
import type { TranscriptView } from './transcript/view.ts'

/** What the runtime needs of whoever owns the terminal. */
export type Terminal = {
  /** The clock of keys and frames, in milliseconds. */
  now(): number
  /** Bytes that draw nothing: bell, clipboard. */
  control(sequence: string): void
  redraw(): void
  /** Stops the process until the shell brings it back (Ctrl+Z). */
  suspend(): void
  /** Gives the terminal away; the answer resolves when `back` is called. */
  handOver(): Promise<{ back(): Promise<void> }>
  setMouse(isOn: boolean): void
  /** The session has ended. */
  leave(): void
}

export type Runtime = {
  readonly input: (inputs: readonly TerminalInput[], now: number) => void
  /** A frame has been painted. */
  readonly painted: () => void
  readonly resized: (size: { readonly columns: number; readonly rows: number }) => void
  readonly report: (message: string) => void
  readonly start: () => void
  /** Drops timers and subscriptions; what was typed is kept first. */
  readonly stop: () => void
}

/** How long `press Ctrl+C again to leave` holds (SESS-013). */
const NOTICE_MS = 2_000
/** How long the status line tells of an arrow that settled (OPUI-746). */
const SETTLED_MS = 3_000
const OLDER_ENTRIES = 200

/** Connects bus, keys, store and terminal: events and keys in, commands and bytes out. It decides nothing. */
export function createRuntime(
  ports: ScreenPorts,
  store: ScreenStore,
  view: TranscriptView,
  terminal: Terminal
): Runtime {
  const later = new Map<string, { readonly timer: NodeJS.Timeout; readonly run: () => void }>()
  const waiting = new Map<string, () => void>()
  const turns = createTurnWatch()
  let armingTimer: NodeJS.Timeout | null = null
  let noticeTimer: NodeJS.Timeout | null = null

  const gatherer = createGatherer((events) => {
    store.setState(events.reduce(reduce, store.getState()), true)
    for (const event of events) after(event)
  })
  const unwatch = store.subscribe((state, before) => {
    if (state.overlays !== before.overlays) scheduleArming()
    if (state.notice !== before.notice) scheduleNotice(state.notice)
  })
  let unsubscribe: (() => void) | null = null

  view.onNeedOlder = (before) => {
    const request = freshRequest()
    ports.dispatch({ kind: 'load-older', request, before, limit: OLDER_ENTRIES })
  }
  view.onFollow = () => store.setState(({ transcript }) => ({ transcript: releaseOlder(transcript) }))

  /** What an event means beyond the state. */
  function after(event: GhyllEvent): void {
    if (event.kind === 'pager-closed' || event.kind === 'editor-closed') waiting.get(event.request)?.()
    if (event.kind === 'gate-viewed') lookAgain()
    if (event.kind === 'arrow-settled') delay('settled', SETTLED_MS, () => store.setState(withoutSettled))
    const call = event.kind === 'prompt-opened' ? 'ghyll: a verdict is asked' : 'ghyll: the turn has ended'
    if ((event.kind === 'prompt-opened' || turns.attention(event)) && !store.getState().terminal.isFocused) {
      terminal.control(notification(ports.boot.notify, call))
    }
    if (event.kind === 'ended') terminal.leave()
  }

  /** What a panel shows of one thing is read anew with the rest (EVT-401). */
  function lookAgain(): void {
    const { focus, open, panels } = store.getState().panels
    const detail = panels[focus ?? open ?? 'arrows'].details.at(-1)
    if (detail === undefined || detail.request === null || detail.subject.kind === 'event') return
    ports.dispatch({ kind: 'inspect', request: detail.request, subject: detail.subject })
  }

  function apply({ state, effects }: Outcome): void {
    store.setState(state, true)
    for (const effect of effects) perform(effect)
  }

  function perform(effect: Effect): void {
    switch (effect.kind) {
      case 'dispatch':
        ports.dispatch(effect.command)
        break
      case 'later':
        delay(effect.slot, effect.delayMs, () => ports.dispatch(effect.command))
        break
      case 'scroll':
        scroll(effect.move)
        break
      case 'find':
        view.find(effect.query)
        break
      case 'find-next':
        view.findNext(effect.by)
        break
      case 'fold': {
        const row = view.foldTarget()
        if (row !== null) store.setState(({ transcript }) => ({ transcript: toggleRow(transcript, row) }))
        break
      }
      case 'hand-over':
        void handOver(effect.command)
        break
      case 'offer-clipboard': {
        const bytes = clipboardOffer(effect.text)
        if (bytes !== null) terminal.control(bytes)
        break
      }
      case 'redraw':
        terminal.redraw()
        break
      case 'suspend':
        terminal.suspend()
        break
      case 'apply-mouse':
        terminal.setMouse(store.getState().terminal.hasMouse)
        break
    }
  }

  function scroll(move: ScrollMove): void {
    switch (move.kind) {
      case 'lines':
        view.scrollLines(move.by)
        break
      case 'pages':
        view.scrollPages(move.by)
        break
      case 'entries':
        view.scrollEntries(move.by < 0 ? -1 : 1)
        break
      case 'top':
        view.toStart()
        break
      case 'bottom':
        view.toEnd()
        break
    }
  }

  /** Pager and editor run on the terminal; it is given away before they are asked for (TERM-24, TERM-47). */
  async function handOver(command: Extract<Effect, { kind: 'hand-over' }>['command']): Promise<void> {
    try {
      const handed = await terminal.handOver()
      await new Promise<void>((resolve) => {
        waiting.set(command.request, resolve)
        ports.dispatch(command)
      })
      waiting.delete(command.request)
      await handed.back()
    } catch (thrown) {
      report(`${command.kind}: ${messageOf(thrown)}`)
    }
  }

  function delay(slot: string, ms: number, run: () => void): void {
    clearTimeout(later.get(slot)?.timer)
    const timer = setTimeout(() => {
      later.delete(slot)
      run()
    }, ms)
    later.set(slot, { timer, run })
  }

  function scheduleArming(): void {
    if (armingTimer !== null) clearTimeout(armingTimer)
    const due = armingAt(store.getState().overlays)
    armingTimer = due === null ? null : setTimeout(arm, Math.max(0, due - terminal.now()) + 1)
  }

  function arm(): void {
    store.setState(({ overlays }) => ({ overlays: armed(overlays, terminal.now()) }))
    scheduleArming()
  }

  function scheduleNotice(notice: string | null): void {
    if (noticeTimer !== null) clearTimeout(noticeTimer)
    noticeTimer = notice === null ? null : setTimeout(() => store.setState({ notice: null }), NOTICE_MS)
  }

  function freshRequest() {
    const { state, request } = numberedRequest(store.getState())
    store.setState(state, true)
    return request
  }

  function report(message: string): void {
    ports.dispatch({ kind: 'report-screen-error', message })
  }

  return {
    input(inputs, now) {
      for (const input of inputs) apply(press(store.getState(), input, now))
    },
    painted() {
      const { overlays, terminal: size } = store.getState()
      // In a tiny window no overlay is on the screen.
      const next = isTiny(size) ? overlays : painted(overlays, terminal.now())
      if (next !== overlays) store.setState({ overlays: next })
    },
    resized({ columns, rows }) {
      store.setState(({ terminal: facts, panels }) => ({
        terminal: { ...facts, columns, rows },
        panels: fitted(panels, columns)
      }))
    },
    report,
    start() {
      unsubscribe = ports.subscribe((event) => gatherer.push(event))
      ports.dispatch({ kind: 'load-prompt-history', request: freshRequest() })
    },
    stop() {
      unsubscribe?.()
      unwatch()
      gatherer.stop()
      for (const { timer, run } of later.values()) {
        clearTimeout(timer)
        run()
      }
      later.clear()
      if (armingTimer !== null) clearTimeout(armingTimer)
      if (noticeTimer !== null) clearTimeout(noticeTimer)
    }
  }
}

function withoutSettled(state: ScreenState): Partial<ScreenState> {
  return { gate: { ...state.gate, settled: null } }
}
