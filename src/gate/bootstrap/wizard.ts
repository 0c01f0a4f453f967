import type { BoundedContext, ResidueEntry } from '../../protocol/grid.ts'
import { extensionFrom, modificationFrom, parseAnswer } from './answers.ts'
import { declaredContexts, proposedContexts } from './contexts.ts'
import { InitFailure } from './errors.ts'
import { checkFit, type FitFacts, type RefusalState, resolveRefusal } from './fit.ts'
import { type ProjectFacts, type ProposedArrow, proposeArrows } from './proposal.ts'
import { contextUndeclared } from './residue-entries.ts'
import {
  decide,
  extend,
  incompleteText,
  reopen,
  startVerdicts,
  type VerdictRules,
  type VerdictState
} from './verdicts.ts'

// The interactive path as a state machine: contexts, fit, a proposed refusal, then one clause at a time (INIT-37, INIT-41…43, INIT-57).
// Pure, so that a line reader and a screen drive the same dialogue; nothing is written before `done`, and nothing at all without it.

export type WizardSetup = {
  readonly facts: ProjectFacts
  readonly rules: VerdictRules
  /** Declared by flag: then nobody is asked. */
  readonly contexts: readonly BoundedContext[] | null
  /** As far as declared by flag; what is unknown is asked. */
  readonly fit: FitFacts
  /** The reason of `--override-refusal`, or null. */
  readonly override: string | null
}

export type WizardState = {
  readonly setup: WizardSetup
  readonly step: 'contexts' | FitQuestion | 'refusal' | 'clause' | 'done' | 'quit' | 'refused'
  readonly contexts: readonly BoundedContext[]
  /** Contexts that were seen and left out. */
  readonly residue: readonly ResidueEntry[]
  readonly fit: FitFacts
  readonly refusal: RefusalState | null
  readonly verdicts: VerdictState
  /** The clause under way, counted over all arrows. */
  readonly at: number
  /** Where `back` leads before the first clause. */
  readonly previous: WizardState | null
  /** Why the last answer was not taken. */
  readonly refused: string | null
}

const fitQuestions = ['seams', 'novel', 'critical'] as const
export type FitQuestion = (typeof fitQuestions)[number]

/** The wizard at its first question (INIT-37, INIT-40). */
export function startWizard(setup: WizardSetup): WizardState {
  const contexts = setup.contexts ?? proposedContexts(setup.facts.profile.detected)
  const start: WizardState = {
    setup,
    step: 'contexts',
    contexts,
    residue: [],
    fit: setup.fit,
    refusal: null,
    verdicts: startVerdicts([]),
    at: 0,
    previous: null,
    refused: null
  }
  return setup.contexts === null ? start : nextFitQuestion(start)
}

/** The next state after one line of the operator (INIT-57). An answer that cannot be taken leaves everything as it was but `refused`. */
export function answerWizard(state: WizardState, line: string): WizardState {
  const word = line.trim().toLowerCase()
  if (state.step === 'done' || state.step === 'quit' || state.step === 'refused') return state
  if (word === 'quit') return { ...state, step: 'quit', refused: null }
  if (word === 'back' && state.step !== 'clause') return state.previous ?? notTaken(state, 'nothing to go back to')
  switch (state.step) {
    case 'contexts':
      return answerContexts(state, line.trim())
    case 'seams':
    case 'novel':
    case 'critical':
      return answerFit(state, state.step, word)
    case 'refusal':
      return answerRefusal(state, line.trim())
    case 'clause':
      return answerClause(state, line)
  }
}

/** The clause that is asked about, or null. */
export function clauseAt({ verdicts, at }: Pick<WizardState, 'verdicts' | 'at'>) {
  let rest = at
  for (const arrow of verdicts.arrows) {
    const clause = arrow.clauses[rest]
    if (clause !== undefined) return { arrow, clause }
    rest -= arrow.clauses.length
  }
  return null
}

/** How many clauses there are to decide on. */
export function clauseCount(arrows: readonly ProposedArrow[]): number {
  return arrows.reduce((sum, { clauses }) => sum + clauses.length, 0)
}

function notTaken(state: WizardState, refused: string): WizardState {
  return { ...state, refused }
}

/** Enter takes what is proposed; `drop <id> <reason>` leaves one out with residue; anything else is the list of contexts. */
function answerContexts(state: WizardState, line: string): WizardState {
  const settled = { ...state, refused: null }
  if (line === '' || line.toLowerCase() === 'confirm') return { ...nextFitQuestion(settled), previous: settled }
  const drop = /^drop\s+(\S+)\s*(.*)$/i.exec(line)
  if (drop !== null) return dropContext(settled, drop[1] ?? '', drop[2] ?? '')
  try {
    const contexts = declaredContexts(line.split(',').map((each) => each.trim()))
    const residue = state.residue.filter(({ description }) => !contexts.some(({ id }) => id === description))
    return { ...nextFitQuestion({ ...settled, contexts, residue }), previous: settled }
  } catch (error) {
    if (error instanceof InitFailure) return notTaken(state, error.message)
    throw error
  }
}

function dropContext(state: WizardState, id: string, reason: string): WizardState {
  if (!state.contexts.some((context) => context.id === id)) return notTaken(state, `no context "${id}" is proposed`)
  if (reason.trim() === '') return notTaken(state, 'residue-required-for-skip')
  if (state.contexts.length === 1) return notTaken(state, 'at least one context is needed')
  const contexts = state.contexts.filter((context) => context.id !== id)
  return { ...state, contexts, residue: [...state.residue, contextUndeclared(id, reason)], previous: state }
}

/** Asks the next fact that nobody has declared, or goes on to what the facts say (INIT-40). */
function nextFitQuestion(state: WizardState): WizardState {
  const asked = (fitQuestions as readonly string[]).indexOf(state.step)
  const open = fitQuestions.find((question, n) => n > asked && state.setup.fit[question] === null)
  return open === undefined ? afterFit(state) : { ...state, step: open }
}

function answerFit(state: WizardState, question: FitQuestion, word: string): WizardState {
  const value = question === 'seams' ? seamsFrom(word) : yesNoFrom(word)
  if (value === undefined) return notTaken(state, `not understood: ${JSON.stringify(word)}`)
  const settled = { ...state, fit: { ...state.fit, [question]: value }, refused: null }
  return { ...nextFitQuestion(settled), previous: { ...state, refused: null } }
}

function seamsFrom(word: string): number | null | undefined {
  if (word === '' || word === '?') return null
  return /^\d{1,9}$/.test(word) ? Number(word) : undefined
}

function yesNoFrom(word: string): boolean | null | undefined {
  if (word === '' || word === '?') return null
  if (word === 'y' || word === 'yes') return true
  return word === 'n' || word === 'no' ? false : undefined
}

function afterFit(state: WizardState): WizardState {
  const fit = checkFit(state.fit, state.contexts.length, state.setup.facts.profile)
  if (fit.kind === 'proceed') return toClauses({ ...state, refusal: null })
  const refusal: RefusalState = { kind: 'proposed', text: fit.text }
  const { override } = state.setup
  if (override === null) return { ...state, step: 'refusal', refusal }
  const resolved = resolveRefusal(refusal, { kind: 'override', reason: override })
  return 'state' in resolved ? toClauses({ ...state, refusal: resolved.state }) : { ...state, step: 'refusal', refusal }
}

function answerRefusal(state: WizardState, line: string): WizardState {
  const [, word = '', reason = ''] = /^(\S*)\s*(.*)$/s.exec(line) ?? []
  if (state.refusal === null || !(word === 'accept' || word === 'override'))
    return notTaken(state, `not understood: ${JSON.stringify(line)}`)
  const decision = word === 'accept' ? { kind: 'accept' as const } : { kind: 'override' as const, reason }
  const resolved = resolveRefusal(state.refusal, decision)
  if ('refused' in resolved) return notTaken(state, resolved.refused)
  const settled = { ...state, refusal: resolved.state, refused: null }
  if (resolved.state.kind === 'accepted') return { ...settled, step: 'refused' }
  return { ...toClauses(settled), previous: state }
}

function toClauses(state: WizardState): WizardState {
  const { facts, rules } = state.setup
  const verdicts = startVerdicts(proposeArrows(state.contexts, facts, rules.catalogue))
  return { ...state, step: 'clause', verdicts, at: 0 }
}

function answerClause(state: WizardState, line: string): WizardState {
  const current = clauseAt(state)
  if (current === null) return state
  const { rules } = state.setup
  const { arrow } = current
  const { clause } = current.clause
  const answer = parseAnswer(line)
  switch (answer.kind) {
    case 'unclear':
      return notTaken(state, answer.text)
    case 'quit':
      return { ...state, step: 'quit', refused: null }
    case 'back':
      return goBack(state)
    case 'extend': {
      const read = extensionFrom(rules.catalogue, answer.pairs)
      if ('problem' in read) return notTaken(state, `extension-clause-invalid: ${read.problem}`)
      const extended = extend(state.verdicts, arrow.id, read.clause, rules)
      if ('refused' in extended) return notTaken(state, extended.refused.text)
      return { ...state, verdicts: extended.state, refused: null }
    }
    case 'modify':
      return take(state, { kind: 'modify', ...modificationFrom(rules.catalogue, clause.concept, answer.pairs) })
    default:
      return take(state, answer.kind === 'skip' ? answer : { kind: 'confirm' })
  }
}

function take(state: WizardState, verdict: Parameters<typeof decide>[3]): WizardState {
  const current = clauseAt(state)
  if (current === null) return state
  const decided = decide(state.verdicts, current.arrow.id, current.clause.clause.id, verdict, state.setup.rules)
  if ('refused' in decided) return notTaken(state, decided.refused.text)
  const next = { ...state, verdicts: decided.state, at: state.at + 1, refused: null }
  return incompleteText(next.verdicts) === null ? { ...next, step: 'done' } : next
}

/**
 * Reopens the clause before, whose verdict then counts no more; the first clause leads to the question before it, as long as that loses
 * nothing the operator has written.
 */
function goBack(state: WizardState): WizardState {
  const at = state.at - 1
  const before = at < 0 ? null : clauseAt({ verdicts: state.verdicts, at })
  if (before !== null)
    return { ...state, at, verdicts: reopen(state.verdicts, before.arrow.id, before.clause.clause.id), refused: null }
  if (state.previous === null) return notTaken(state, 'nothing to go back to')
  return state.verdicts.extensions.size === 0
    ? state.previous
    : notTaken(state, 'clauses were added here; the questions before them are settled')
}
