// The keys whose meaning depends on everything else on the screen, as tables: the first line that holds decides.

export type EscapeFacts = {
  /** An overlay is in front and takes answers. */
  readonly isOverlayArmed: boolean
  /** A completion list, history search or transcript search is open. */
  readonly isListOpen: boolean
  readonly isPanelFocused: boolean
  readonly isBusy: boolean
}

export type EscapeDecision = 'close-overlay' | 'close-list' | 'leave-panel' | 'interrupt' | 'nothing'

/** What Esc means (TERM-45a). */
export function decideEscape(facts: EscapeFacts): EscapeDecision {
  if (facts.isOverlayArmed) return 'close-overlay'
  if (facts.isListOpen) return 'close-list'
  if (facts.isPanelFocused) return 'leave-panel'
  if (facts.isBusy) return 'interrupt'
  return 'nothing'
}

export type InterruptFacts = EscapeFacts & {
  readonly isDraftEmpty: boolean
  /** Milliseconds since a Ctrl+C that interrupted, closed an overlay or asked about leaving; null if there was none (SESS-013). */
  readonly sinceFirstMs: number | null
}

export type InterruptDecision = 'leave' | 'clear-draft' | 'ask-leave' | Exclude<EscapeDecision, 'nothing'>

const LEAVE_WITHIN_MS = 2_000

/** What Ctrl+C means (TERM-45a, SESS-013). */
export function decideInterrupt(facts: InterruptFacts): InterruptDecision {
  if (facts.sinceFirstMs !== null && facts.sinceFirstMs <= LEAVE_WITHIN_MS) return 'leave'
  if (facts.isOverlayArmed) return 'close-overlay'
  if (facts.isBusy) return 'interrupt'
  if (facts.isListOpen) return 'close-list'
  if (facts.isPanelFocused) return 'leave-panel'
  if (!facts.isDraftEmpty) return 'clear-draft'
  return 'ask-leave'
}

/** Whether a second Ctrl+C within two seconds of this one leaves (SESS-013). */
export function armsLeaving(decision: InterruptDecision): boolean {
  return decision === 'interrupt' || decision === 'close-overlay' || decision === 'ask-leave'
}

export type TabFacts = { readonly isListOpen: boolean; readonly isDraftEmpty: boolean; readonly isBusy: boolean }
export type TabDecision = 'accept' | 'next-focus' | 'queue' | 'open-list'

/** What Tab means in the prompt (TERM-46). */
export function decideTab(facts: TabFacts): TabDecision {
  if (facts.isListOpen) return 'accept'
  if (facts.isDraftEmpty) return 'next-focus'
  if (facts.isBusy) return 'queue'
  return 'open-list'
}

export type EnterFacts = {
  /** No hand typed it: it came with other text (TERM-43). */
  readonly isBurst: boolean
  /** The caret stands behind a lone `\` (TERM-40). */
  readonly isEscaped: boolean
  /** A completion is marked that Enter would take: chosen with the arrows, or the only way to make a command of the word. */
  readonly isCompleting: boolean
  readonly isDraftEmpty: boolean
  /** Messages wait in a held session (SESS-092). */
  readonly hasHeld: boolean
}

export type EnterDecision = 'newline' | 'escaped-newline' | 'accept' | 'submit' | 'take-up' | 'nothing'

/** What Enter means in the prompt (TERM-40, 43, 46). */
export function decideEnter(facts: EnterFacts): EnterDecision {
  if (facts.isBurst) return 'newline'
  if (facts.isCompleting) return 'accept'
  if (facts.isEscaped) return 'escaped-newline'
  if (!facts.isDraftEmpty) return 'submit'
  return facts.hasHeld ? 'take-up' : 'nothing'
}

export type UpFacts = {
  readonly isFirstRow: boolean
  readonly isDraftEmpty: boolean
  readonly hasChips: boolean
  /** The draft is an entry recalled from the history and unchanged. */
  readonly isRecalled: boolean
}
export type UpDecision = 'row' | 'take-back' | 'history'

/** What ↑ means in the prompt (TERM-41, 46). */
export function decideUp(facts: UpFacts): UpDecision {
  if (facts.isDraftEmpty && facts.hasChips && !facts.isRecalled) return 'take-back'
  return facts.isFirstRow ? 'history' : 'row'
}
