/** Where keys go, in the order of the help overlay, with the title of their section there (TERM-48). */
export const focusTitles = {
  anywhere: 'Anywhere',
  prompt: 'Prompt',
  list: 'Completion list',
  search: 'History search',
  find: 'Transcript search',
  found: 'Transcript search that is kept',
  panel: 'Panels',
  filter: 'Filter of a panel',
  arrows: 'Arrow panel',
  passes: 'Pass panel',
  queue: 'Verdict queue',
  findings: 'Findings panel',
  overlay: 'Overlays',
  picker: 'Lists to choose from',
  field: 'Text fields of overlays',
  confirm: 'Confirmations',
  verdict: 'Verdict',
  escalation: 'Escalation',
  risk: 'Risk acceptance',
  declaration: 'Declaration on the spot',
  amendment: 'Amendment',
  binding: 'Missing binding',
  wizard: 'ghyll init --interactive'
} as const

export type KeyFocus = keyof typeof focusTitles

/** All of them, in that order. */
export const keyFocuses = Object.keys(focusTitles) as readonly KeyFocus[]

export type KeyAction = {
  readonly action: string
  readonly focus: KeyFocus
  readonly keys: readonly string[]
  /** For the help overlay. */
  readonly description: string
  /** Answers a verdict: Enter, Space, Esc and Backspace are not allowed (TERM-52, CFG-012). */
  readonly isVerdict?: true
}
