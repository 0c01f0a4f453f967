import { InitFailure } from './errors.ts'
import type { Profile } from './profile.ts'

// Whether this way of working suits the project at all.

/** null: nobody has said, and unknown never counts as weak (INIT-41). */
export type FitFacts = {
  readonly contexts: number | null
  readonly seams: number | null
  readonly novel: boolean | null
  readonly critical: boolean | null
}

/** Nobody has said anything (INIT-41). */
export const unknownFit: FitFacts = { contexts: null, seams: null, novel: null, critical: null }

/** Reads `contexts=…,seams=…,novel=yes/no,critical=yes/no` (INIT-40). Throws `InitFailure`. */
export function parseFit(text: string): FitFacts {
  const facts: { -readonly [Name in keyof FitFacts]: FitFacts[Name] } = { ...unknownFit }
  for (const part of text.split(',').map((each) => each.trim())) {
    const [name, value = ''] = part.split('=', 2)
    if ((name === 'contexts' || name === 'seams') && /^-?\d{1,9}$/.test(value)) {
      if (Number(value) < 0) throw new InitFailure(`refusal-facts-negative: ${part}`)
      facts[name] = Number(value)
    } else if ((name === 'novel' || name === 'critical') && (value === 'yes' || value === 'no')) {
      facts[name] = value === 'yes'
    } else throw new InitFailure(`--fit does not take "${part}"`, 'usage')
  }
  return facts
}

export type Fit =
  /** `advisory`: the project looks weak and nobody said otherwise (INIT-42). */
  { readonly kind: 'proceed'; readonly advisory: string | null } | { readonly kind: 'refuse'; readonly text: string }

/** Proposes a refusal only when every fact is known and weak; one strong signal is enough to proceed (INIT-41…43). */
export function checkFit(facts: FitFacts, contextCount: number, profile: Profile): Fit {
  const contexts = facts.contexts ?? contextCount
  const isStrong = contexts > 1 || (facts.seams ?? 0) > 0 || facts.novel === true || facts.critical === true
  if (isStrong) return { kind: 'proceed', advisory: null }
  const isKnown = facts.seams !== null && facts.novel !== null && facts.critical !== null
  if (isKnown) {
    const seen = `${contexts} context(s), 0 seams, no novel architecture, not correctness-critical`
    return { kind: 'refuse', text: `refusal proposed: ${seen} — use a fast agent instead` }
  }
  const { mode, sourceCount } = profile
  const files = sourceCount === 1 ? '1 source file' : `${sourceCount} source files`
  const advice = 'if nothing here is novel or correctness-critical, use a fast agent instead'
  return { kind: 'proceed', advisory: `fit: ${mode}, ${contexts} context(s), ${files}; ${advice}` }
}

export type RefusalState =
  | { readonly kind: 'proposed'; readonly text: string }
  | { readonly kind: 'accepted' }
  | { readonly kind: 'overridden'; readonly reason: string }

export type RefusalDecision = { readonly kind: 'accept' } | { readonly kind: 'override'; readonly reason: string }

/** Takes the operator's decision on a proposed refusal, once (INIT-43). */
export function resolveRefusal(
  state: RefusalState,
  decision: RefusalDecision
):
  | { readonly state: RefusalState }
  | { readonly refused: 'refusal-already-resolved' | 'refusal-override-residue-required' } {
  if (state.kind !== 'proposed') return { refused: 'refusal-already-resolved' }
  if (decision.kind === 'accept') return { state: { kind: 'accepted' } }
  if (decision.reason.trim() === '') return { refused: 'refusal-override-residue-required' }
  return { state: { kind: 'overridden', reason: decision.reason } }
}
