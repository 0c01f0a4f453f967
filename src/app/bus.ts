import type { GhyllEvent, TransientEvent } from '../protocol/event.ts'

export type Listener = (event: GhyllEvent) => void

type Unstamped<Event> = Event extends unknown ? Omit<Event, 'session' | 'at'> : never

/** Tells a transient event in the name of the session, now. */
export type Say = (event: Unstamped<TransientEvent>) => void

/** The one channel from the parts to whoever listens: screen, `exec`, log. In process, synchronous, in publish order. */
export interface Bus {
  publish(event: GhyllEvent): void
  /** Returns the function that ends the subscription; calling it twice is harmless. */
  subscribe(listener: Listener): () => void
}

/** A bus whose listeners cannot hurt one another: one that throws is reported to `onError`, the others still run. */
export function createBus(onError: (thrown: unknown) => void): Bus {
  let listeners: readonly Listener[] = []
  return {
    publish(event) {
      for (const listener of listeners) {
        try {
          listener(event)
        } catch (thrown) {
          onError(thrown)
        }
      }
    },
    subscribe(listener) {
      listeners = [...listeners, listener]
      return () => {
        listeners = listeners.filter((each) => each !== listener)
      }
    }
  }
}
