import { Text } from 'ink'
import { safeLine } from '../../src/lib/safe-text.ts'
import { cellWidth, cutMiddle } from '../../src/lib/width.ts'
import type { HeaderFacts } from '../../src/protocol/event.ts'
import { cutLine, line, span } from '../parts/lines.ts'
import { type Line, type Span, useTheme } from '../theme/index.ts'

export type HeaderProps = { readonly facts: HeaderFacts; readonly width: number }

/** `ghyll  m25 fast · ~/repos/shop (main) · grid v1  R 12  C 5 · alice@example.com` */
export function Header({ facts, width }: HeaderProps) {
  const theme = useTheme()
  return <Text wrap="truncate">{theme.paintLine(headerLine(facts, width))}</Text>
}

const PATH_MIN = 8

/**
 * The header in `width` cells: the path is cut in the middle first; then the branch goes and the program's name, so that who answers,
 * the grid and the op-id stay as long as they can (OPUI-700); then the end goes (TERM-3).
 */
export function headerLine(facts: HeaderFacts, width: number): Line {
  const shapes = [
    { hasName: true, hasBranch: true },
    { hasName: true, hasBranch: false },
    { hasName: false, hasBranch: false }
  ].map((shape) => partsOf(facts, shape))
  const fitting = shapes.find(({ fixed }) => fixed + PATH_MIN <= width) ?? shapes.at(-1)
  if (fitting === undefined) return line()
  const { lead, tail, fixed } = fitting
  const path = cutMiddle(safeLine(facts.workdir), Math.max(PATH_MIN, width - fixed))
  return cutLine(line(...lead, span(path), ...tail), width)
}

type Shape = { readonly hasName: boolean; readonly hasBranch: boolean }

/** What stands before and behind the path, and the cells that takes. */
function partsOf(facts: HeaderFacts, { hasName, hasBranch }: Shape) {
  const lead: Span[] = [
    span(' '),
    ...(hasName ? [span('ghyll', { bold: true }), span('  ')] : []),
    span(safeLine(facts.model), { tone: 'accent' }),
    span(facts.tier === 'other' ? ' · ' : ` ${facts.tier} · `)
  ]
  const tail: Span[] = []
  if (hasBranch && facts.branch !== null) tail.push(span(` (${safeLine(facts.branch)})`))
  if (facts.gridVersion !== null) {
    const counts = `grid v${facts.gridVersion}${count('R', facts.residue)}${count('C', facts.unevaluated)}`
    tail.push(span(` · ${counts} · `))
    tail.push(facts.opId === null ? span('no op-id', { tone: 'warn' }) : span(safeLine(facts.opId)))
  }
  return { lead, tail, fixed: cellWidth([...lead, ...tail].map(({ text }) => text).join('')) }
}

function count(name: string, value: number | null): string {
  return value === null ? '' : `  ${name} ${value}`
}
