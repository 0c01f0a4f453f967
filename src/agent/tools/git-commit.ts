/** A git command line taken apart: options before the subcommand, the subcommand, and what follows it. */
export type GitCommand = {
  readonly globals: readonly string[]
  readonly subcommand: string | null
  readonly rest: readonly string[]
}

const globalsWithValue = new Set([
  '-C',
  '-c',
  '--git-dir',
  '--work-tree',
  '--namespace',
  '--super-prefix',
  '--config-env'
])

/** The words of a git command line, split at the subcommand; null where there are only git's own options. */
export function parseGitCommand(words: readonly string[]): GitCommand {
  let at = 0
  while (at < words.length && words[at]?.startsWith('-')) at += globalsWithValue.has(words[at] as string) ? 2 : 1
  return { globals: words.slice(0, at), subcommand: words[at] ?? null, rest: words.slice(at + 1) }
}

export type CommitOptions = {
  readonly isAmend: boolean
  /** Place behind the last message given on the command line, or null without one. */
  readonly afterMessage: number | null
  /** Texts that may already carry trailers: messages and trailers given on the command line. */
  readonly texts: readonly string[]
}

const longWithValue = new Set([
  '--message',
  '--file',
  '--author',
  '--date',
  '--template',
  '--trailer',
  '--fixup',
  '--squash',
  '--cleanup',
  '--reuse-message',
  '--reedit-message',
  '--pathspec-from-file'
])
const shortWithValue = 'mFCct'

/** Reads as much of `git commit`'s arguments as trailers need, so that a message that looks like an option stays a message. */
export function parseCommitOptions(rest: readonly string[]): CommitOptions {
  let isAmend = false
  let afterMessage: number | null = null
  const texts: string[] = []
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] as string
    if (word === '--') break
    if (word === '--amend') isAmend = true
    const option = optionValue(word, rest[at + 1])
    if (option === null) continue
    if (option.isSeparate) at += 1
    if (option.name === 'm' || option.name === '--message') afterMessage = at + 1
    if (['m', '--message', '--trailer'].includes(option.name)) texts.push(option.value)
  }
  return { isAmend, afterMessage, texts }
}

type Option = { readonly name: string; readonly value: string; readonly isSeparate: boolean }

function optionValue(word: string, next = ''): Option | null {
  if (word.startsWith('--')) {
    const equals = word.indexOf('=')
    const name = equals === -1 ? word : word.slice(0, equals)
    if (!longWithValue.has(name)) return null
    return equals === -1
      ? { name, value: next, isSeparate: true }
      : { name, value: word.slice(equals + 1), isSeparate: false }
  }
  if (!word.startsWith('-')) return null
  // A cluster such as `-am`: the first letter that takes a value takes what is left of the word, else the next word.
  for (let at = 1; at < word.length; at += 1) {
    const name = word.charAt(at)
    if (!shortWithValue.includes(name)) continue
    const attached = word.slice(at + 1)
    return attached === '' ? { name, value: next, isSeparate: true } : { name, value: attached, isSeparate: false }
  }
  return null
}
