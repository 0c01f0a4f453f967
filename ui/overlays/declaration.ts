import { visibleLine } from '../../src/lib/safe-text.ts'
import type { DeclarationPrompt } from '../../src/protocol/gate-prompt.ts'
import { span, wrapHanging } from '../parts/lines.ts'
import type { Editor } from '../prompt/editor.ts'
import type { Line, Span } from '../theme/index.ts'
import { factLines } from './facts.ts'

/**
 * An arrow declared on the spot (OPUI-550): first the attesting role, then the definition to read, in which clauses of the contract
 * can be skipped with a residue text, then the confirmation.
 */
export type Declaration = {
  readonly kind: 'declaration'
  readonly ask: DeclarationPrompt
  readonly place: { readonly at: number; readonly of: number }
  readonly stage: 'role' | 'review' | 'residue' | 'confirm' | 'sent'
  readonly role: string | null
  /** Clause to residue text. */
  readonly skipped: Readonly<Record<string, string>>
  /** The clause whose residue is being written. */
  readonly clause: string | null
  readonly texts: Readonly<Record<string, Editor>>
  readonly note: string
}

/** A declaration just opened (OPUI-550). */
export function declarationOf(ask: DeclarationPrompt, place: Declaration['place']): Declaration {
  return { kind: 'declaration', ask, place, stage: 'role', role: null, skipped: {}, clause: null, texts: {}, note: '' }
}

export type DeclarationStage = Declaration['stage'] | 'op-id'

/** Where it stands, given the op-id in force: it is asked for first (OPUI-407). */
export function declarationStage(declaration: Declaration, opId: string | null): DeclarationStage {
  return opId === null && declaration.stage !== 'sent' ? 'op-id' : declaration.stage
}

/** The name of the text under the caret, or null where none is typed. */
export function declarationField(declaration: Declaration, stage: DeclarationStage): string | null {
  if (stage === 'op-id') return 'op-id'
  return stage === 'residue' ? declaration.clause : null
}

/** A line of the body and what the cursor on it stands for. */
export type DeclarationLine = { readonly line: Line; readonly role?: string; readonly clause?: string }

/** The body: roles to choose from, or the definition with its clauses (OPUI-550). */
export function declarationBody(declaration: Declaration, width: number): DeclarationLine[] {
  const { ask } = declaration
  const facts = factLines(
    [
      ['arrow', ask.arrow],
      ['transition', `${ask.source} → ${ask.target}`],
      ['context', ask.context],
      ['attested by', declaration.role ?? '']
    ],
    width
  ).map((line) => ({ line }))
  if (declaration.stage === 'role') {
    const roles = ask.roles.flatMap((role) => entry([span(visibleLine(role))], width).map((line) => ({ line, role })))
    return [...facts, ...entry([span('attesting role:', { bold: true })], width).map((line) => ({ line })), ...roles]
  }
  const clauses = ask.clauses.flatMap((clause) => {
    const residue = declaration.skipped[clause.id]
    const mark = residue === undefined ? '[x]' : '[ ]'
    const kind = `${clause.eval}, ${clause.depth}${clause.concept === null ? '' : `, ${clause.concept}`}`
    const spans: Span[] = [
      span(`${mark} ${visibleLine(clause.id)} `, residue === undefined ? { bold: true } : { tone: 'dim' }),
      span(visibleLine(clause.description)),
      span(` (${visibleLine(kind)})`, { tone: 'dim' })
    ]
    if (residue !== undefined) spans.push(span(` skipped: ${visibleLine(residue)}`, { tone: 'warn' }))
    return entry(spans, width).map((line) => ({ line, clause: clause.id }))
  })
  const requirements = ask.requirements.flatMap((text) => entry([span(visibleLine(text))], width))
  const heading = (text: string) => entry([span(text, { bold: true })], width).map((line) => ({ line }))
  return [
    ...facts,
    ...heading(`clauses (${ask.clauses.length}):`),
    ...clauses,
    ...heading(requirements.length === 0 ? 'requirements: none' : `requirements (${ask.requirements.length}):`),
    ...requirements.map((line) => ({ line }))
  ]
}

/**
 * The line the cursor of a declaration is on: the first at or below `scroll` that a key can take, or `scroll` itself where none follows.
 * So a role is marked from the start, and the lines above and below can still be scrolled to.
 */
export function declarationCursor(lines: readonly DeclarationLine[], scroll: number): number {
  const from = Math.min(scroll, lines.length - 1)
  const at = lines.findIndex(({ role, clause }, index) => index >= from && (role ?? clause) !== undefined)
  return at === -1 ? from : at
}

function entry(spans: readonly Span[], width: number): Line[] {
  return wrapHanging(spans, width, [span('  ')], [span('      '.slice(0, Math.max(2, Math.min(6, width - 4))))])
}
