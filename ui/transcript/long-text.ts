// What a person says is short and what they paste may be a book: a long text shows how it begins and unfolds to the whole (TERM-20).

/** What the prompt shows as a chip is folded here (TERM-43). */
const FOLDED_FROM_CHARACTERS = 2_000
const FOLDED_FROM_LINES = 20
const BEGINNING_LINES = 8
const BEGINNING_CHARACTERS = 800

/** Whether a text of the operator is folded until somebody unfolds it. */
export function isLongText(text: string): boolean {
  return text.length > FOLDED_FROM_CHARACTERS || beginning(text, FOLDED_FROM_LINES).length < text.length
}

/** How a long text begins: what shows of it while it is folded. */
export function shownBeginning(text: string): string {
  const lines = beginning(text, BEGINNING_LINES)
  if (lines.length <= BEGINNING_CHARACTERS) return lines
  // Never half of a surrogate pair.
  const cut = lines.slice(0, BEGINNING_CHARACTERS)
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut
}

/** The first `count` lines, without the line end after them. */
function beginning(text: string, count: number): string {
  let end = -1
  for (let n = 0; n < count; n++) {
    end = text.indexOf('\n', end + 1)
    if (end === -1) return text
  }
  return text.slice(0, end)
}
