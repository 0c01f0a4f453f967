import type { Command } from './command.ts'
import type { GhyllEvent, HeaderFacts } from './event.ts'

/** What `app` hands to the screen when it mounts it. The screen knows nothing else of the program. */
export type ScreenPorts = {
  /** Calls `listener` for every event, in order, until the returned function is called. */
  subscribe(listener: (event: GhyllEvent) => void): () => void
  /** Waits for nothing; what comes of it arrives as events. */
  dispatch(command: Command): void
  readonly boot: ScreenBoot
}

/** What is known before the first frame. */
export type ScreenBoot = {
  readonly version: string
  readonly header: HeaderFacts
  /** `[keys]` of the configuration: action name to key names (CFG-012). */
  readonly keys: Readonly<Record<string, readonly string[]>>
  readonly mouse: boolean
  readonly notify: 'bell' | 'osc9' | 'none'
  readonly colour: boolean
  /** The terminal lacks `▸` and box drawing (SESS-023). */
  readonly ascii: boolean
}

/** How the screen ended. */
export type ScreenExit = { readonly reason: 'ended' | 'stdin-closed' | 'crashed'; readonly error?: unknown }
