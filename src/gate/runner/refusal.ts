/** An answer that is no: a closed code, the facts as fields, and the line the operator reads. Nothing has changed when it is given. */
export type Refusal<Code extends string = string> = { readonly code: Code; readonly text: string }

/** A refusal; without words of its own its code is what the operator reads. */
export function refusal<Code extends string>(code: Code, text: string = code): Refusal<Code> {
  return { code, text }
}
