import type { Clause } from '../../protocol/grid.ts'
import type { WizardArgument, WizardChoice, WizardClause, WizardStep, WizardView } from '../../protocol/wizard.ts'
import type { Catalogue } from '../catalogue/index.ts'
import type { ProposedArrow, ProposedClause } from './proposal.ts'
import { clauseAt, clauseCount, type WizardState } from './wizard.ts'
import { flow } from './yaml-text.ts'

/** What a wizard state looks like to whoever draws it or prints it (INIT-51, INIT-57). */
export function viewOf(state: WizardState): WizardView {
  const { step } = state
  const shared = { clause: null, added: [], position: null, refusal: state.refused }
  switch (step) {
    case 'contexts':
      return { ...shared, step, ...contextsView(state) }
    case 'seams':
    case 'novel':
    case 'critical':
      return {
        ...shared,
        step: 'fit',
        title: 'Fit',
        lines: fitLines[step],
        prompt: fitPrompts[step],
        choices: fitChoices[step]
      }
    case 'refusal':
      return { ...shared, step, ...refusalView(state) }
    case 'clause':
      return clauseView(state)
    default:
      return { ...shared, step, title: endings[step], lines: [], prompt: '', choices: [] }
  }
}

const endings: Readonly<Record<Extract<WizardStep, 'done' | 'quit' | 'refused'>, string>> = {
  done: 'Every clause has a verdict',
  quit: 'Left; nothing is written',
  refused: 'Refusal accepted; nothing is written'
}

const leave: readonly WizardChoice[] = [
  { word: 'back', takes: null, label: 'to the question before' },
  { word: 'quit', takes: null, label: 'leave without writing anything' }
]

function contextsView({ contexts, setup, residue }: WizardState) {
  const { leftOut } = setup.facts.profile.detected
  const width = Math.max(0, ...contexts.map(({ id }) => id.length))
  return {
    title: 'Bounded contexts',
    lines: [
      'A context is a part of the project with a language of its own; every context gets its own four arrows.',
      ...contexts.map(({ id, description }) => `  ${id.padEnd(width)}  ${description ?? ''}`.trimEnd()),
      ...(leftOut.length === 0 ? [] : [`Left out as technical: ${leftOut.join(', ')}`]),
      ...residue.map(({ description, reason }) => `Dropped: ${description} (${reason})`)
    ],
    prompt: 'contexts [Enter takes these / id, id=description, … / drop <id> <reason> / quit]:',
    choices: [
      { word: 'confirm', takes: null, label: 'take these' },
      { word: '', takes: 'id, id=description, …', label: 'declare others' },
      { word: 'drop', takes: '<id> <reason>', label: 'leave one out, visibly' },
      ...leave
    ]
  }
}

const unknown: WizardChoice = { word: '?', takes: null, label: 'not known yet; never counts against the project' }
const yesNo: readonly WizardChoice[] = [
  { word: 'yes', takes: null, label: '' },
  { word: 'no', takes: null, label: '' },
  unknown,
  ...leave
]

const fitLines = {
  seams: [
    'How many seams are there between contexts?',
    'A seam is a place where one context calls, feeds or waits for another.'
  ],
  novel: ['Is the architecture novel?', 'Novel: nobody here has built a system of this shape before.'],
  critical: [
    'Is the project correctness-critical?',
    'Critical: being wrong costs money, safety or trust that does not come back.'
  ]
}
const fitPrompts = {
  seams: 'cross-context seams [number / ? / back / quit]:',
  novel: 'novel architecture [yes / no / ? / back / quit]:',
  critical: 'correctness-critical [yes / no / ? / back / quit]:'
}
const fitChoices: Readonly<Record<keyof typeof fitPrompts, readonly WizardChoice[]>> = {
  seams: [{ word: '', takes: 'number', label: 'how many there are' }, unknown, ...leave],
  novel: yesNo,
  critical: yesNo
}

function refusalView({ refusal }: WizardState) {
  return {
    title: 'Refusal',
    lines: refusal?.kind === 'proposed' ? [refusal.text] : [],
    prompt: 'refusal [accept / override <reason> / back / quit]:',
    choices: [
      { word: 'accept', takes: null, label: 'leave it; nothing is written' },
      { word: 'override', takes: '<reason>', label: 'go on; the reason stays in the grid' },
      ...leave
    ]
  }
}

function clauseView(state: WizardState): WizardView {
  const { setup, verdicts, at, refused } = state
  const current = clauseAt(state)
  const clause = current === null ? null : describe(current.arrow, current.clause, setup.rules.catalogue)
  const added = (current === null ? undefined : verdicts.extensions.get(current.arrow.id)) ?? []
  return {
    step: 'clause',
    title: clause === null ? '' : `${clause.arrow}  ${clause.id}`,
    lines: clause === null ? [] : [...clauseLines(clause), ...added.map(addedLine)],
    clause,
    added: added.map(addedLine),
    position: { at: at + 1, of: clauseCount(verdicts.arrows) },
    prompt:
      clause === null
        ? ''
        : `${clause.arrow} ${clause.id} [confirm / modify k=v … / skip <reason> / extend / back / quit]:`,
    choices: [
      { word: 'confirm', takes: null, label: 'record it as proposed' },
      { word: 'modify', takes: 'k=v …', label: 'tighten it, or supply what is missing' },
      { word: 'skip', takes: '<reason>', label: 'leave it out, visibly' },
      { word: 'extend', takes: 'id=… eval=… depth=… k=v …', label: 'add a clause of your own to this arrow' },
      { word: 'back', takes: null, label: 'reopen the clause before' },
      { word: 'quit', takes: null, label: 'leave without writing anything' }
    ],
    refusal: refused
  }
}

/** An extension has no question of its own; it is told where it was added. */
function addedLine({ id, description }: Clause): string {
  return `Added to this arrow: ${id}  ${description}`
}

function describe(arrow: ProposedArrow, proposed: ProposedClause, catalogue: Catalogue): WizardClause {
  const { clause, isBase } = proposed
  const schema = clause.concept === null ? undefined : catalogue.get(clause.concept)
  const types = new Map(schema?.arguments.map(({ name, type }) => [name, type]))
  return {
    arrow: arrow.id,
    id: clause.id,
    description: clause.description,
    layers: clause.layers,
    evaluation: clause.eval,
    depth: clause.depth,
    minTier: clause.minTier,
    cost: clause.cost,
    concept: clause.concept,
    asserts: schema?.description ?? null,
    arguments: proposed.args.map(({ name, value, origin }): WizardArgument => {
      return { name, value: value === null ? null : flow(value), type: types.get(name) ?? '', origin }
    }),
    isBase
  }
}

function clauseLines(clause: WizardClause): readonly string[] {
  const { evaluation, depth, minTier, cost, layers, concept, asserts, isBase } = clause
  const shown = clause.arguments.filter(({ value, origin }) => value !== null || origin === 'missing')
  const width = Math.max(0, ...shown.map(({ name }) => name.length))
  return [
    `${clause.id}  ${clause.description}${isBase ? '  (base)' : ''}`,
    `${evaluation}, ${depth}, min tier ${minTier}, cost ${cost}, layers ${layers.join(', ')}`,
    ...(concept === null ? [] : [`${concept}: ${asserts ?? ''}`]),
    ...shown.map(({ name, value, type, origin }) =>
      origin === 'missing'
        ? `  ${name.padEnd(width)}  missing: a ${type} is needed`
        : `  ${name.padEnd(width)}  ${value}  (${origin})`
    )
  ]
}
