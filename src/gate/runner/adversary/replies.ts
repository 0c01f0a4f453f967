import { z } from 'zod'
import type { DepthRank, Severity } from '../../../protocol/grid.ts'
import { findingLimits } from '../finding.ts'
import { holdsJudgement, isJudgingPlace } from '../hint.ts'
import { type Ladder, rankOfLabel } from '../ladder.ts'
import { severities } from '../severity.ts'

// The shapes of the answers (RUN-621, RUN-622). Names on the wire are the models'; here they become the kernel's own.

/** Most findings one round may raise (RUN-624). */
export const maxFindings = 50

const text = z.string().trim()
/** What may be left out, and is then often null. */
const spoken = text.nullish().transform((given) => given ?? '')
const locations = z
  .array(text.min(1))
  .nullish()
  .transform((list) => (list ?? []).slice(0, findingLimits.locations))

const word = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.string().trim().toLowerCase().pipe(z.enum(words))

const severity = word([...severities, 'unevaluated'])

/** A text of a finding or a hint; whoever judges has not answered. What stands in quotes is the artifact's word, not the model's. */
function plain(value: string, context: z.RefinementCtx, path: string): void {
  if (!holdsJudgement(withoutQuotes(value))) return
  const message = 'holds a verdict or recommendation; say where and why, quote the artifact in backticks'
  context.addIssue({ code: 'custom', path: [path], message })
}

function withoutQuotes(value: string): string {
  return value
    .replace(/```[\s\S]*?(?:```|$)/g, ' ')
    .replace(/`[^`\n]*`/g, ' ')
    .replace(/"[^"\n]*"/g, ' ')
}

export type Falsification = {
  readonly falsified: boolean
  readonly severity: Severity | 'unevaluated'
  readonly basis: string
  readonly locations: readonly string[]
  readonly evidence: string
}

const counterexample = z
  .object({
    severity: severity.nullish().transform((given) => given ?? 'high'),
    basis: spoken,
    locations,
    evidence: spoken
  })
  .superRefine(({ basis, evidence }, context) => {
    if (basis === '') context.addIssue({ code: 'custom', path: ['basis'], message: 'missing' })
    plain(basis, context, 'basis')
    plain(evidence, context, 'evidence')
  })

const upheld: Falsification = { falsified: false, severity: 'high', basis: '', locations: [], evidence: '' }

/** One that falsifies nothing says nothing else: whatever stands in its other fields is left alone (RUN-621). */
export function falsificationShape(clauseId: string): z.ZodType<Falsification> {
  return z
    .object({ clause_id: z.literal(clauseId), falsified: z.boolean() })
    .loose()
    .transform((given, context): Falsification => {
      if (!given.falsified) return upheld
      const read = counterexample.safeParse(given)
      if (read.success) return { falsified: true, ...read.data }
      for (const { path, message } of read.error.issues) context.addIssue({ code: 'custom', path, message })
      return z.NEVER
    })
}

export type SweepFinding = {
  readonly title: string
  readonly severity: Severity | 'unevaluated'
  readonly basis: string
  readonly locations: readonly string[]
  readonly evidence: string
  readonly targetClause: string | null
}

export type Sweep = { readonly findings: readonly SweepFinding[]; readonly artifactRead: readonly string[] }

const sweepFinding = z
  .object({
    title: text.min(1),
    severity,
    basis: text.min(1),
    locations,
    evidence: spoken,
    target_clause: text.nullish()
  })
  .superRefine((finding, context) => {
    plain(finding.title, context, 'title')
    plain(finding.basis, context, 'basis')
    plain(finding.evidence, context, 'evidence')
  })
  .transform(({ target_clause, ...finding }): SweepFinding => ({ ...finding, targetClause: target_clause || null }))

/** The answer of an open sweep (RUN-621). */
export const sweepShape: z.ZodType<Sweep> = z
  .object({ findings: z.array(sweepFinding), artifact_read: z.array(z.string()).nullish() })
  .transform(({ findings, artifact_read }) => ({ findings, artifactRead: artifact_read ?? [] }))

export type ObservedDepth = {
  readonly requirementId: string
  readonly observed: DepthRank
  readonly evidence: string
  readonly locations: readonly string[]
}

/** Every requirement once; a classification nobody asked for is left out (RUN-621). */
export function classificationShape(ids: readonly string[], ladder: Ladder): z.ZodType<readonly ObservedDepth[]> {
  const label = z.string().transform((given, context): DepthRank => {
    const rank = rankOfLabel(ladder, given)
    if (rank !== null) return rank
    context.addIssue({ code: 'custom', message: `one of ${ladder.join(', ')}` })
    return z.NEVER
  })
  const one = z.object({ requirement_id: text, observed: label, evidence: spoken, locations })
  return z.object({ classifications: z.array(one) }).transform(({ classifications }, context) => {
    const known = classifications.filter(({ requirement_id }) => ids.includes(requirement_id))
    for (const id of ids) {
      const count = known.filter(({ requirement_id }) => requirement_id === id).length
      if (count !== 1) context.addIssue({ code: 'custom', message: `requirement "${id}" is classified ${count} times` })
    }
    return known.map(({ requirement_id, ...rest }) => ({ requirementId: requirement_id, ...rest }))
  })
}

export type Recheck = { readonly reproduced: 'yes' | 'no' | 'cannot-tell'; readonly evidence: string }

/** The answer about one finding, in one of three words (RUN-621). */
export function recheckShape(findingId: string): z.ZodType<Recheck> {
  return z.object({
    finding_id: z.literal(findingId),
    reproduced: word(['yes', 'no', 'cannot-tell']),
    evidence: spoken
  })
}

export type Disposition = {
  readonly findingId: string
  readonly action: 'fixed' | 'propose-accepted-risk' | 'cannot-fix'
  readonly rationale: string
}

const disposition = z
  .object({
    finding_id: text,
    action: word(['fixed', 'propose-accepted-risk', 'cannot-fix']),
    rationale: spoken
  })
  .transform(({ finding_id, action, rationale }): Disposition => ({ findingId: finding_id, action, rationale }))

/** The first word on each of the findings that were given; ids nobody gave are left out (RUN-621). */
export function dispositionsShape(ids: readonly string[]): z.ZodType<readonly Disposition[]> {
  return z.object({ dispositions: z.array(disposition) }).transform(({ dispositions }) =>
    ids.flatMap((id) => {
      const first = dispositions.find(({ findingId }) => findingId === id)
      return first === undefined ? [] : [first]
    })
  )
}

export type HintReply = {
  readonly locations: readonly string[]
  readonly basis: string
  readonly residue: string
}

/** No location means that no rule chose any (GATE-39); with one, rule and remainder are mandatory (ATT-361). */
export function hintShape(clauseId: string): z.ZodType<HintReply> {
  return z
    .object({ clause_id: z.literal(clauseId), locations, basis: spoken, residue: spoken })
    .superRefine((hint, context) => {
      if (hint.locations.length === 0) return
      for (const part of ['basis', 'residue'] as const) {
        if (hint[part] === '') context.addIssue({ code: 'custom', path: [part], message: 'missing' })
        // What the operator reads holds no verdict, in quotes or out of them (GATE-58).
        if (holdsJudgement(hint[part]))
          context.addIssue({ code: 'custom', path: [part], message: 'holds a verdict or recommendation' })
      }
      if (hint.locations.some(isJudgingPlace))
        context.addIssue({ code: 'custom', path: ['locations'], message: 'hold a verdict or recommendation' })
    })
    .transform(({ clause_id: _, ...hint }) => hint)
}
