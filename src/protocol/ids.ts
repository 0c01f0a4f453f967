// Ids are branded, so that one kind cannot stand in for another.
declare const brand: unique symbol
type Branded<T, B extends string> = T & { readonly [brand]: B }

/** `<device-id>-<unix-nanoseconds>` (SESS-022). */
export type SessionId = Branded<string, 'SessionId'>
/** Id of one history entry; unique within the session store. */
export type EntryId = Branded<string, 'EntryId'>
/** Id of one logical model call inside a turn. */
export type StepId = Branded<string, 'StepId'>
/** Correlates a screen request with the transient event that answers it. */
export type RequestId = Branded<string, 'RequestId'>

// A text from outside, or one made up here, is taken for an id by naming which.
export const sessionId = (text: string) => text as SessionId
export const entryId = (text: string) => text as EntryId
export const stepId = (text: string) => text as StepId
export const requestId = (text: string) => text as RequestId
