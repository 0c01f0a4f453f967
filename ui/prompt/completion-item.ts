/** One line of the completion list: what it shows, what stands beside it, and what it puts into the draft (TERM-42). */
export type CompletionItem = { readonly label: string; readonly detail: string; readonly insert: string }
