import { unreachable } from '../../src/lib/assert.ts'
import { visibleLine, visibleText } from '../../src/lib/safe-text.ts'
import { cellWidth, cutEnd } from '../../src/lib/width.ts'
import type { VerdictPrompt } from '../../src/protocol/gate-prompt.ts'
import { diffLines } from '../parts/diff.ts'
import { emptyLine, line, span, wrapHanging } from '../parts/lines.ts'
import type { Line } from '../theme/index.ts'
import type { Ask } from './ask.ts'
import { chosenOf, type Decision, editorOf } from './decision.ts'
import { type Fact, factLines } from './facts.ts'
import { fieldText } from './field.ts'

/** The title of a decision: what is asked, and which of how many (OPUI-740, 743). */
export function decisionTitle({ ask, place }: Decision): string {
  const nth = place === null ? '' : ` ${place.at} of ${place.of}`
  switch (ask.kind) {
    case 'verdict':
      return `attestation request${nth}`
    case 'escalation':
      return `escalation: ${ask.rounds} insufficient-basis rounds${place === null || place.of === 1 ? '' : ` ·${nth}`}`
    case 'risk-acceptance':
      return 'accept risk?'
    case 'amendment':
      return 'amendment proposal'
    case 'binding':
      return `missing binding${nth}`
    case 'invalidate':
      return 'invalidate arrow'
    case 'abort-pass':
      return 'abort pass'
    case 'settle-finding':
      return ask.to === 'accepted-risk' ? 'accept risk?' : ask.to === 'resolved' ? 'resolve finding' : 'reopen finding'
    default:
      return unreachable(ask)
  }
}

/** All there is to read before deciding, and at the confirmation first what was typed (TERM-31). */
export function decisionBody(decision: Decision, width: number, isFramed: boolean): Line[] {
  const lines = askLines(decision.ask, width, isFramed)
  const choice = chosenOf(decision)
  if (decision.stage !== 'confirm' || choice?.field == null) return lines
  const typed = fieldText(editorOf(decision, choice.action))
  if (typed === '') return lines
  return [...factLines([[choice.field.question.replace(/:$/, ''), typed]], width, 2), emptyLine, ...lines]
}

function askLines(ask: Ask, width: number, isFramed: boolean): Line[] {
  switch (ask.kind) {
    case 'verdict':
      return verdictLines(ask, width, isFramed)
    case 'escalation':
      return [
        ...factLines(
          [
            ['arrow', ask.arrow],
            ['clause', ask.clause],
            ['pass', ask.pass],
            ['notes', ask.notes.map((note, index) => `${index + 1}: ${note}`).join('\n')]
          ],
          width,
          10
        ),
        line(span('options:', { tone: 'dim' })),
        ...option('1) accept risk     ', '(record residue note; finding → accepted-risk)', width),
        ...option('2) route upstream  ', '(record rationale; pass aborts; deeper-tier retry)', width)
      ]
    case 'risk-acceptance': {
      const finding = `${ask.finding} (${ask.severity}, ${ask.type})`
      const facts: Fact[] = [
        ['arrow', ask.arrow],
        ['finding', finding],
        ['claim', ask.claim],
        ['producer', ask.producer]
      ]
      return factLines(facts, width, 11)
    }
    case 'amendment':
      return [
        ...factLines(
          [
            ['amendment', ask.amendment],
            ['rationale', ask.rationale],
            ['invalidates', ask.invalidates.join(', ') || 'none'],
            ['aborts', ask.aborts.join(', ') || 'none']
          ],
          width,
          14
        ),
        emptyLine,
        ...diffLines(visibleText(ask.diff), width)
      ]
    case 'binding':
      return factLines(
        [
          ['missing', ask.key],
          ['arrow', ask.arrow],
          ['note', ask.note]
        ],
        width,
        10
      )
    case 'invalidate':
      return factLines([['arrow', ask.arrow]], width, 8)
    case 'abort-pass':
      return factLines(
        [
          ['pass', ask.pass],
          ['waiting', ask.waiting === 0 ? 'nothing' : `${ask.waiting} verdict request(s), cancelled with it`]
        ],
        width,
        10
      )
    case 'settle-finding': {
      const { finding } = ask
      return factLines(
        [
          ['arrow', finding.arrow],
          ['finding', `${finding.id} (${finding.severity}, ${finding.type})`],
          ['status', finding.status],
          ['claim', finding.description]
        ],
        width,
        11
      )
    }
    default:
      return unreachable(ask)
  }
}

/** OPUI-420, 421. Where there is little room, places and evidence take a line each and `e` shows them whole (OPUI-745). */
function verdictLines(ask: VerdictPrompt, width: number, isFramed: boolean): Line[] {
  const round = ask.round === null ? '' : `   round ${ask.round.at} of ${ask.round.of}`
  const places = ask.locations.join(', ')
  const facts: Fact[] = [
    ['arrow', ask.arrow],
    ['clause', ask.clause + round],
    ['concept', ask.concept],
    ['attestation-ref', ask.ref],
    ['description', ask.description],
    ['pass', ask.pass ?? ''],
    ['previous', ask.previous]
  ]
  const reasons: Fact[] = [
    ['basis', ask.basis],
    ['not covered', ask.notCovered],
    ['note', ask.note]
  ]
  if (isFramed) {
    return factLines([...facts, ['locations', places], ...reasons, ['evidence', ask.evidence]], width)
  }
  return [
    ...factLines(facts, width),
    ...folded('locations', places, width),
    ...factLines(reasons, width),
    ...folded('evidence', ask.evidence, width)
  ]
}

function folded(label: string, text: string, width: number): Line[] {
  if (text === '') return []
  const head = `${label}: `
  const [first = '', ...more] = text.split('\n')
  const isWhole = more.length === 0 && cellWidth(head + visibleLine(first)) <= width
  const tail = isWhole ? '' : more.length === 0 ? ' (e: all)' : ` (e: ${more.length} more lines)`
  const room = Math.max(0, width - cellWidth(head) - cellWidth(tail))
  return [line(span(head, { tone: 'dim' }), span(cutEnd(visibleLine(first), room)), span(tail, { tone: 'dim' }))]
}

function option(head: string, text: string, width: number): Line[] {
  return wrapHanging([span(text, { tone: 'dim' })], width, [span(`  ${head}`)], [span('    ')])
}
