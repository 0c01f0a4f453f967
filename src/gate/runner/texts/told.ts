/** What a command says: lines for the transcript, and apart from them whether it was carried out. */
export type Told = {
  readonly lines: readonly string[]
  /** Why nothing changed, in one line without its mark; null when it was carried out. */
  readonly refusal: string | null
  /** It was begun and broken off, so that what was asked for did not come about. */
  readonly isBroken?: boolean
}

/** A command that was carried out, or only read something (OPUI-108). */
export function told(lines: readonly string[]): Told {
  return { lines, refusal: null }
}

/** A command that changed nothing: its refusal with the mark of OPUI-100, and what stands below it. */
export function refusedTold(refusal: string, ...below: readonly string[]): Told {
  return { lines: [`✗ ${refusal}`, ...below], refusal }
}
