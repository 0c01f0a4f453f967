export type ShellWords =
  | { readonly words: readonly string[] }
  /** What is wrong and where: 0-based index of the character that opened what is never closed. */
  | { readonly fault: string; readonly at: number }

/**
 * Splits a line by the quoting rules of a POSIX shell (single quotes, double quotes, backslash) without any expansion: `$`, `*`, `~`
 * and `#` are letters like others (TOOL-050).
 */
export function splitShellWords(line: string): ShellWords {
  const words: string[] = []
  let word: string | null = null
  let at = 0
  while (at < line.length) {
    const char = line.charAt(at)
    if (/\s/.test(char)) {
      if (word !== null) words.push(word)
      word = null
      at += 1
    } else if (char === "'") {
      const end = line.indexOf("'", at + 1)
      if (end === -1) return { fault: 'unbalanced single quote', at }
      word = (word ?? '') + line.slice(at + 1, end)
      at = end + 1
    } else if (char === '"') {
      const quoted = doubleQuoted(line, at + 1)
      if (quoted === null) return { fault: 'unbalanced double quote', at }
      word = (word ?? '') + quoted.text
      at = quoted.end + 1
    } else if (char === '\\') {
      if (at + 1 === line.length) return { fault: 'nothing follows the backslash', at }
      // An escaped line end joins two lines and leaves nothing.
      if (line.charAt(at + 1) !== '\n') word = (word ?? '') + line.charAt(at + 1)
      at += 2
    } else {
      word = (word ?? '') + char
      at += 1
    }
  }
  if (word !== null) words.push(word)
  return { words }
}

/** Text up to the closing quote; inside, a backslash only escapes `$`, a backquote, `"`, itself and a line end. */
function doubleQuoted(line: string, from: number): { readonly text: string; readonly end: number } | null {
  let text = ''
  for (let at = from; at < line.length; at += 1) {
    const char = line.charAt(at)
    if (char === '"') return { text, end: at }
    const next = line.charAt(at + 1)
    if (char === '\\' && next !== '' && '$`"\\\n'.includes(next)) {
      if (next !== '\n') text += next
      at += 1
    } else text += char
  }
  return null
}
