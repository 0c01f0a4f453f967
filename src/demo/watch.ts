import type { GhyllEvent } from '../protocol/event.ts'
import type { TourSession } from './host.ts'

type Kind = GhyllEvent['kind']
type EventOf<K extends Kind> = Extract<GhyllEvent, { kind: K }>

/** Every event of a session since the watch began, and waiting for the next of a kind. */
export type Watch = {
  /** A place in the stream of events, for `since` and `next`. */
  mark(): number
  since<K extends Kind>(mark: number, kind: K): EventOf<K>[]
  /** The first event of `kind` behind `mark` that `fits`, now or when it comes; rejects after `limitMs` or when the session ends. */
  next<K extends Kind>(mark: number, kind: K, fits?: (event: EventOf<K>) => boolean): Promise<EventOf<K>>
  stop(): void
}

/** Listens to `session` until stopped. */
export function watchSession(session: TourSession, limitMs: number): Watch {
  const events: GhyllEvent[] = []
  const lookouts = new Set<() => void>()
  let over = false
  const look = () => {
    for (const lookout of [...lookouts]) lookout()
  }
  const unsubscribe = session.subscribe((event) => {
    events.push(event)
    look()
  })
  const onEnd = () => {
    over = true
    look()
  }
  session.ended.then(onEnd, onEnd)

  const since = <K extends Kind>(mark: number, kind: K) =>
    events.slice(mark).filter((event): event is EventOf<K> => event.kind === kind)

  return {
    mark: () => events.length,
    since,
    next(mark, kind, fits = () => true) {
      return new Promise((resolve, reject) => {
        const finish = (how: () => void) => {
          clearTimeout(timer)
          lookouts.delete(lookout)
          how()
        }
        const lookout = () => {
          const found = since(mark, kind).find(fits)
          if (found !== undefined) finish(() => resolve(found))
          else if (over) finish(() => reject(new Error(`the session ended before the event ${kind}`)))
        }
        const timer = setTimeout(
          () => finish(() => reject(new Error(`no event ${kind} within ${limitMs / 1000} s`))),
          limitMs
        )
        lookouts.add(lookout)
        lookout()
      })
    },
    stop: unsubscribe
  }
}
