/** An answer that is no: a closed code, the facts as fields, and the line the operator reads. Nothing has changed when it is given. */
export type Refusal<Code extends string = string> = { readonly code: Code; readonly text: string }

/** A refusal; without words of its own its code is what the operator reads. */
export function refusal<Code extends string>(code: Code, text: string = code): Refusal<Code> {
  return { code, text }
}

/** Nothing can be done to arrows where none are declared (INIT-86, OPUI-103). */
export const noGrid = refusal('no-grid', 'no grid; run `ghyll init` first')

/** The stores are not attached yet, or not at all (RUN-210). */
export const notAttached = refusal('engine-not-initialized', 'engine not initialized')

/** A file of the gate has changed under it: nothing opens, closes or takes a verdict until the next start (RUN-214). */
export function fileChanged({ path }: { readonly path: string }): Refusal<'gate-file-changed'> {
  return refusal('gate-file-changed', `gate-file-changed: ${path}`)
}
