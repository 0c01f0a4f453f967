import { type Role, type RoleId, roles } from '../../protocol/grid.ts'

// How the things of the grid are named (GATE-4…11). Names are text on disk and on the wire, so they are spelled in one place.

export type ArrowName = { readonly source: Role | 'init'; readonly target: Role; readonly context: string }

/** The hand-offs every context has, in their order (GATE-1). */
export const defaultPairs: readonly Omit<ArrowName, 'context'>[] = [
  { source: 'init', target: 'analyst' },
  { source: 'analyst', target: 'architect' },
  { source: 'architect', target: 'implementer' },
  { source: 'implementer', target: 'integrator' }
]

/** `<source>→<target>/<context>` (GATE-4). */
export function arrowId(source: RoleId, target: RoleId, context: string): string {
  return `${source}→${target}/${context}`
}

/** What an operator typed as an arrow id, with `→` for `->` and without space around it (GATE-4). */
export function normaliseArrowId(text: string): string {
  return text.trim().replace('->', '→')
}

/**
 * The id an operator means by `text`: a hand-off without its context, as panels write it in a project of one context, is the arrow
 * between these roles when only one of `declared` is. Anything else stands as it was typed.
 */
export function meantArrowId(text: string, declared: readonly { readonly id: string }[]): string {
  const typed = normaliseArrowId(text)
  const meant = typed.includes('/') ? [] : declared.filter(({ id }) => id.startsWith(`${typed}/`))
  return meant.length === 1 && meant[0] !== undefined ? meant[0].id : typed
}

/** The parts of an arrow id in either spelling, or null when it names no hand-off between roles (GATE-4). */
export function parseArrowId(text: string): ArrowName | null {
  const match = /^([a-z]+)→([a-z]+)\/(.+)$/u.exec(normaliseArrowId(text))
  if (match === null) return null
  const [, source = '', target = '', context = ''] = match
  if (!(isRole(source) || source === 'init') || !isRole(target) || source === target || !isContextId(context))
    return null
  return { source, target, context }
}

/** A role of the closed set (ROLE-1); the synthetic ids are none. */
export function isRole(text: string): text is Role {
  return roles.some((role) => role === text)
}

/** GATE-10 */
export function isContextId(text: string): boolean {
  return /^[A-Za-z][A-Za-z0-9_-]*$/.test(text)
}

/** The id of a programming language, such as `go` or `c++`: lower case (INIT-134). */
export function isLanguageId(text: string): boolean {
  return /^[a-z][a-z0-9+#-]*$/.test(text)
}

/** GATE-6; no hyphen, so that attestation refs split from the right. */
export function isClauseId(text: string): boolean {
  return /^[A-Za-z][A-Za-z0-9_.]*$/.test(text)
}

/** Id of the clause that stands for one of several languages: `C2.<language>`, other characters as `_` (GATE-6). */
export function languageClauseId(id: string, language: string): string {
  return `${id}.${language.replace(/[^A-Za-z0-9_.]/g, '_')}`
}

/** Id of a clause that verification adds by itself (GATE-8). */
export function autoClauseId(arrow: string, concept: string): string {
  return `auto/${arrow}/${concept}`
}

/** `p-<n>` (GATE-7). */
export function passId(n: number): string {
  return `p-${n}`
}

/** What an attestation answers: one clause, or the whole arrow with `clause` null (GATE-11). */
export function attestationRef(arrow: string, clause: string | null, gridVersion: number): string {
  return clause === null ? `att-${arrow}-v${gridVersion}` : `att-${arrow}-${clause}-v${gridVersion}`
}

/** Id of the `round`-th record on one ref, from 1; later rounds append `-r<k>` (GATE-11, ATT-203). */
export function attestationId(ref: string, round: number): string {
  return round <= 1 ? ref : `${ref}-r${round}`
}
