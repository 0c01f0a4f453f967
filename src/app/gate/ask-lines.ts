import { readOpIdAnswer } from '../../gate/runner/index.ts'
import { visibleLine, visibleText } from '../../lib/safe-text.ts'
import type { DeclarationPrompt, PromptAnswer } from '../../protocol/gate-prompt.ts'
import type { AskSurface, OpenPrompt } from './ask.ts'
import type { LineSurface } from './line-surface.ts'
import type { Identity } from './op-id.ts'

// Declarations, amendments and bindings as text, answered by typed lines (OPUI-550, OPUI-560, INIT-130, OPUI-800).

export interface AskLines extends AskSurface, Pick<LineSurface, 'asking' | 'enter' | 'cancel'> {}

export type AskLinesOptions = {
  readonly identity: Identity
  readonly print: (lines: readonly string[]) => void
  readonly answer: (answer: PromptAnswer) => void
}

type Step = 'op-id' | 'role' | 'choice' | 'confirm'

type State = {
  readonly prompt: OpenPrompt
  readonly step: Step
  /** Of a declaration. */
  readonly role: string
  readonly skipped: readonly { readonly clause: string; readonly residue: string }[]
  /** What `y` at the confirmation sends. */
  readonly chosen: PromptAnswer | null
}

/** What a typed line comes to; an empty one is no answer (OPUI-422). */
type Outcome =
  | { readonly problem: string }
  | { readonly answer: PromptAnswer }
  | { readonly change: Partial<State>; readonly lines?: readonly string[]; readonly opId?: string }

/** Nothing is asked yet; each question is answered by the lines that follow it (OPUI-800). */
export function createAskLines({ identity, print, answer }: AskLinesOptions): AskLines {
  let state: State | null = null
  const refuse = (text: string) => print([`✗ ${visibleLine(text)}`])
  return {
    show(prompt) {
      const isNamed = identity.current() !== '' || prompt.kind === 'amendment'
      state = { prompt, step: isNamed ? firstStep(prompt) : 'op-id', role: '', skipped: [], chosen: null }
      print(factsOf(prompt))
    },
    closed(item, _, notice) {
      if (state?.prompt.item !== item) return
      state = null
      if (notice !== '') print([notice])
    },
    refused(item, text) {
      if (state?.prompt.item !== item) return
      refuse(text)
      state = { ...state, step: firstStep(state.prompt), chosen: null }
    },
    asking: () => (state === null ? null : questionOf(state)),
    enter(line) {
      if (state === null) return
      const outcome = takeLine(state, line.trim())
      if ('problem' in outcome) refuse(outcome.problem)
      else if ('answer' in outcome) answer(outcome.answer)
      else {
        const { change, lines = [], opId } = outcome
        state = { ...state, ...change }
        if (opId !== undefined) identity.set(opId)
        if (lines.length > 0) print(lines)
      }
    },
    cancel() {
      if (state !== null) answer({ kind: 'cancel-prompt', item: state.prompt.item })
    }
  }
}

function takeLine(state: State, typed: string): Outcome {
  const { prompt, step } = state
  if (step === 'op-id') return takeOpId(prompt, typed)
  if (typed === '') return { change: {} }
  if (step === 'confirm') return takeConfirmation(state, typed)
  switch (prompt.kind) {
    case 'binding':
      return takeBinding(prompt.item, typed)
    case 'amendment':
      return takeAmendment(prompt.item, typed)
    case 'declaration':
      return step === 'role' ? takeRole(prompt, typed) : takeDeclaration(state, prompt, typed)
  }
}

function takeOpId(prompt: OpenPrompt, typed: string): Outcome {
  const checked = readOpIdAnswer(typed)
  if ('refused' in checked) return { problem: `invalid op-id: ${checked.refused.text}` }
  const { opId } = checked
  return { change: { step: firstStep(prompt) }, lines: [`op-id set: ${opId}`], opId }
}

function takeConfirmation({ chosen }: State, typed: string): Outcome {
  if (/^y(?:es)?$/i.test(typed) && chosen !== null) return { answer: chosen }
  return { change: /^no?$/i.test(typed) ? { step: 'choice', chosen: null } : {} }
}

function takeBinding(item: string, typed: string): Outcome {
  return { answer: /^s(?:kip)?$/i.test(typed) ? { kind: 'skip-prompt', item } : { kind: 'bind', item, command: typed } }
}

function takeAmendment(item: string, typed: string): Outcome {
  const how = amendmentWords.get(typed.toLowerCase())
  if (how === undefined) return { problem: 'choose one of: accept / commit-empty / stop' }
  const chosen: PromptAnswer = { kind: 'settle-amendment', item, how }
  return how === 'stop' ? { answer: chosen } : { change: { step: 'confirm', chosen } }
}

function takeRole(prompt: DeclarationPrompt, typed: string): Outcome {
  const role = prompt.roles.find((each) => each === typed.toLowerCase())
  if (role === undefined) return { problem: `role "${typed}" not in {${prompt.roles.join(', ')}}` }
  return { change: { step: 'choice', role }, lines: clauseLines(prompt) }
}

function takeDeclaration({ role, skipped }: State, { item, clauses }: DeclarationPrompt, typed: string): Outcome {
  if (/^r(?:efuse)?$/i.test(typed)) return { answer: { kind: 'refuse-arrow', item } }
  if (/^d(?:eclare)?$/i.test(typed))
    return { change: { step: 'confirm', chosen: { kind: 'declare-arrow', item, role, skipped } } }
  const [, clause = '', residue = ''] = /^skip\s+(\S+)(?:\s+(.*))?$/i.exec(typed) ?? []
  if (clause === '') return { problem: 'choose one of: declare / skip <clause> <residue> / refuse' }
  const found = clauses.find(({ id }) => id === clause)
  if (found === undefined) return { problem: `unknown-clause-id: ${clause}` }
  if (!found.isSkippable) return { problem: `base-clause-not-skippable: ${clause}` }
  if (residue === '') return { problem: `residue-required-for-skip: ${clause}` }
  const others = skipped.filter((each) => each.clause !== clause)
  return {
    change: { skipped: [...others, { clause, residue }] },
    lines: [`  ${clause} skipped: ${visibleLine(residue)}`]
  }
}

const amendmentWords: ReadonlyMap<string, 'accept' | 'commit-empty' | 'stop'> = new Map([
  ['accept', 'accept'],
  ['a', 'accept'],
  ['commit-empty', 'commit-empty'],
  ['commit empty', 'commit-empty'],
  ['stop', 'stop'],
  ['s', 'stop']
])

function firstStep({ kind }: OpenPrompt): Step {
  return kind === 'declaration' ? 'role' : 'choice'
}

function questionOf({ prompt, step, chosen }: State): string {
  if (step === 'op-id') return 'op-id:'
  switch (prompt.kind) {
    case 'declaration':
      if (step === 'role') return `attesting role (${prompt.roles.join(' / ')}):`
      if (step === 'confirm') return `declare ${prompt.arrow} in grid v${prompt.gridVersionAfter}? [y/n]`
      return 'declare / skip <clause> <residue> / refuse:'
    case 'amendment': {
      if (step !== 'confirm') return 'accept / commit-empty / stop:'
      const isEmpty = chosen?.kind === 'settle-amendment' && chosen.how === 'commit-empty'
      return `commit ${isEmpty ? 'without new arrows' : 'the proposal'} as grid v${prompt.gridVersionAfter}? [y/n]`
    }
    case 'binding':
      return `command for ${prompt.key} (or skip):`
  }
}

const rule = '─'.repeat(40)

function factsOf(prompt: OpenPrompt): readonly string[] {
  const row = (name: string, value: string) => `  ${`${name}:`.padEnd(13)} ${visibleLine(value)}`
  switch (prompt.kind) {
    case 'declaration':
      return [
        '── arrow undeclared ────────────────────',
        row('arrow', prompt.arrow),
        row('transition', `${prompt.source} → ${prompt.target}`),
        row('context', prompt.context),
        rule
      ]
    case 'amendment':
      return [
        '── amendment proposal ──────────────────',
        row('amendment', prompt.amendment),
        row('rationale', prompt.rationale),
        row('invalidates', prompt.invalidates.join(', ') || 'none'),
        row('aborts', prompt.aborts.join(', ') || 'none'),
        ...visibleText(prompt.diff)
          .split('\n')
          .filter((line) => line !== ''),
        rule
      ]
    case 'binding':
      return [
        '── missing binding ─────────────────────',
        row('missing', prompt.key),
        row('arrow', prompt.arrow),
        ...(prompt.note === '' ? [] : [row('note', prompt.note)]),
        rule
      ]
  }
}

function clauseLines({ clauses, requirements }: DeclarationPrompt): readonly string[] {
  return [
    `  clauses (${clauses.length}):`,
    ...clauses.map(({ id, description, eval: type, depth, concept }) => {
      const kind = `${type}, ${depth}${concept === null ? '' : `, ${concept}`}`
      return `    ${visibleLine(id)} ${visibleLine(description)} (${visibleLine(kind)})`
    }),
    requirements.length === 0 ? '  requirements: none' : `  requirements (${requirements.length}):`,
    ...requirements.map((text) => `    ${visibleLine(text)}`)
  ]
}
