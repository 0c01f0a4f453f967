import type { CommandInfo } from '../../src/protocol/command.ts'
import type { RequestId } from '../../src/protocol/ids.ts'
import type { CompletionItem } from './completion-item.ts'
import { idPrefix } from './ids.ts'
import { lineEnd } from './motion.ts'

/** The word a completion would replace (TERM-42). */
export type CompletionTarget = {
  readonly kind: 'command' | 'path' | 'id'
  /** What was typed so far, without `/` or `@`. */
  readonly prefix: string
  readonly from: number
  readonly to: number
}

/** An open list, or a question under way while `items` is null. */
export type Completion = {
  readonly target: CompletionTarget
  readonly items: readonly CompletionItem[] | null
  readonly selected: number
  /** The operator chose with the arrows; Enter then takes the item. */
  readonly isChosen: boolean
  /** The path request that fills the list. */
  readonly request: RequestId | null
}

const MAX_ITEMS = 100

/**
 * What could be completed at the cursor: a command name at the very beginning, an id behind a command that takes one, a path behind
 * `@`. With `isForced` (Tab) any word is a path (TERM-42).
 */
export function completionTarget(text: string, cursor: number, isForced = false): CompletionTarget | null {
  const before = text.slice(0, cursor)
  const command = /^\/(\S*)$/u.exec(before)
  if (command !== null) {
    const to = wordEnd(text, cursor)
    return { kind: 'command', prefix: command[1] ?? '', from: 0, to }
  }
  const id = idPrefix(before)
  if (id !== null) {
    const from = cursor - id.prefix.length
    return { kind: 'id', prefix: id.prefix, from, to: wordEnd(text, cursor) }
  }
  const mention = /(?:^|\s)@([^\s@]*)$/u.exec(before)
  if (mention !== null) {
    const prefix = mention[1] ?? ''
    return { kind: 'path', prefix, from: cursor - prefix.length, to: wordEnd(text, cursor) }
  }
  const word = isForced ? (/\S+$/u.exec(before)?.[0] ?? '') : ''
  return word === '' ? null : { kind: 'path', prefix: word, from: cursor - word.length, to: wordEnd(text, cursor) }
}

/** The commands for a typed beginning: those that begin with it, then those that contain it. */
export function commandItems(commands: readonly CommandInfo[], prefix: string): CompletionItem[] {
  const wanted = prefix.toLowerCase()
  const starting = commands.filter(({ name }) => name.toLowerCase().startsWith(wanted))
  const holding = commands.filter(
    ({ name }) => !starting.some((one) => one.name === name) && name.toLowerCase().includes(wanted)
  )
  return [...starting, ...holding].map(({ name, description, source }) => ({
    label: `/${name}`,
    detail: source === 'built-in' ? description : `${description} (${source})`,
    insert: `/${name} `
  }))
}

/** Found paths as items; a folder ends in `/` and takes no space, so that the next part can follow. */
export function pathItems(paths: readonly string[]): CompletionItem[] {
  return paths
    .slice(0, MAX_ITEMS)
    .map((path) => ({ label: path, detail: '', insert: path.endsWith('/') ? path : `${path} ` }))
}

/** The list with another item marked; it wraps around. */
export function moveSelection(completion: Completion, by: number): Completion {
  const count = completion.items?.length ?? 0
  if (count === 0) return completion
  return { ...completion, selected: (completion.selected + by + count) % count, isChosen: true }
}

/** Whether Enter takes the marked item instead of sending: it was chosen, or what is typed is no command yet. */
export function isCompletedByEnter(completion: Completion | null, commands: readonly CommandInfo[]): boolean {
  if (completion?.items == null || completion.items.length === 0) return false
  if (completion.isChosen) return true
  const { kind, prefix } = completion.target
  return kind === 'command' && prefix !== '' && !commands.some(({ name }) => name === prefix)
}

function wordEnd(text: string, at: number): number {
  const end = text.slice(at, lineEnd(text, at)).search(/\s/u)
  return end === -1 ? lineEnd(text, at) : at + end
}
