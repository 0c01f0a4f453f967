import type { InboxRow } from './event.ts'
import type { SessionId } from './ids.ts'

// What a session and its durable store say to each other beside the events.

/** An input on its way into the inbox, which numbers it. */
export type NewInboxRow = Omit<InboxRow, 'seq'>

/** What became of it: kept under its number, or refused with words for the operator (SESS-038). */
export type Submitted =
  | { readonly row: InboxRow }
  | { readonly refused: { readonly code: 'inbox-full' | 'input-too-large' | 'not-kept'; readonly text: string } }

/** A session found in the store at start; `active` means that its process died before it closed it (SESS-102). */
export type Predecessor = { readonly session: SessionId; readonly state: 'active' | 'closed' }
