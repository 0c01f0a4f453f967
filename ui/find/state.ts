/**
 * The search of the transcript (TERM-22): what is looked for is typed in the last row, Enter goes over to walking through the matches,
 * Esc ends it. The draft stays as it is. The matches themselves are the view's, which knows where its lines are.
 */
export type FindState = {
  readonly query: string
  /** Keys are letters of the query; afterwards n and N walk. */
  readonly isTyping: boolean
}
