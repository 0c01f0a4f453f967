import { type GhyllEvent, isDurable } from '../../src/protocol/event.ts'

/** About a frame (TERM-11). */
const FRAME_MS = 33

export type Gatherer = {
  /** Takes an event; what it leads to reaches `apply` at once (durable) or within a frame (transient), always in order. */
  push(event: GhyllEvent): void
  /** Drops what has gathered and takes nothing more. */
  stop(): void
}

/** Gathers transient events for a frame, so that events make at most thirty frames a second (TERM-11). */
export function createGatherer(apply: (events: readonly GhyllEvent[]) => void): Gatherer {
  let gathered: GhyllEvent[] = []
  let timer: NodeJS.Timeout | null = null
  let isStopped = false

  function flush(): void {
    if (timer !== null) clearTimeout(timer)
    timer = null
    if (gathered.length === 0) return
    const events = gathered
    gathered = []
    apply(events)
  }

  return {
    push(event) {
      if (isStopped) return
      add(gathered, event)
      if (isDurable(event)) flush()
      else timer ??= setTimeout(flush, FRAME_MS)
    },
    stop() {
      isStopped = true
      gathered = []
      if (timer !== null) clearTimeout(timer)
      timer = null
    }
  }
}

/** Deltas of one reply that follow each other become one; of progress and waiting only the newest matters. */
function add(gathered: GhyllEvent[], event: GhyllEvent): void {
  const last = gathered.at(-1)
  if (last?.kind === 'reply-delta' && event.kind === 'reply-delta') {
    if (last.entry === event.entry && last.channel === event.channel) {
      gathered[gathered.length - 1] = { ...event, text: last.text + event.text }
      return
    }
  }
  const isOutdated =
    (last?.kind === 'waiting-changed' && event.kind === 'waiting-changed') ||
    (last?.kind === 'context-measured' && event.kind === 'context-measured') ||
    (last?.kind === 'gate-viewed' && event.kind === 'gate-viewed') ||
    (last?.kind === 'dispatch-progressed' && event.kind === 'dispatch-progressed') ||
    (last?.kind === 'tool-progressed' && event.kind === 'tool-progressed' && last.call === event.call)
  if (isOutdated) gathered[gathered.length - 1] = event
  else gathered.push(event)
}
