import type { AttackPacket, FixFinding, PacketFile } from '../../../gate/runner/adversary/index.ts'
import { safeLine } from '../../../lib/safe-text.ts'

// Packets as text. What comes out of files is fenced by lines with the digest of the very content, which no content can hold itself.

/** Fills `{{name}}` once; what is filled in is never looked at again. */
export function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{([a-z_]+)\}\}/g, (whole, name: string) => values[name] ?? whole)
}

/** The work and its promises, as an adversary gets them (RUN-620). */
export function packetText(packet: AttackPacket): string {
  const { arrowId, sourceRole, targetRole, round, clauses, requirements, ladder, files } = packet
  const promises = clauses.map(
    ({ id, description, concept, args, depth, minTier }) =>
      `- ${id} (${depth}${minTier > 0 ? `, rank ${minTier}` : ''}${concept === null ? '' : `, ${concept} ${JSON.stringify(args)}`}): ${safeLine(description)}`
  )
  const wanted = requirements.map(
    ({ id, minDepth, description }) => `- ${id}, at least ${ladder[minDepth] ?? minDepth}: ${safeLine(description)}`
  )
  return [
    `The work is handed from the ${sourceRole} to the ${targetRole}, as arrow ${arrowId}. This is attack number ${round}.`,
    ['Its clauses:', ...promises].join('\n'),
    ...(wanted.length === 0 ? [] : [['Its requirements:', ...wanted].join('\n')]),
    filesText(files)
  ].join('\n\n')
}

/** The files of the work: all by name, and the text of those that found room (RUN-620). */
export function filesText(files: readonly PacketFile[]): string {
  if (files.length === 0) return 'The work consists of no file.'
  const list = files.map(({ path, bytes, sha256 }) => `- ${safeLine(path)} (${bytes} bytes, sha256 ${sha256})`)
  const contents = files.flatMap(({ path, sha256, content }) =>
    content === null ? [] : [`--- ${safeLine(path)} ${sha256} ---\n${content}\n--- end ${sha256} ---`]
  )
  const left = files.filter(({ content }) => content === null)
  const note =
    left.length === 0
      ? []
      : [`Not shown here, to be read with a tool: ${left.map(({ path }) => safeLine(path)).join(', ')}`]
  return [['Its files:', ...list].join('\n'), ...contents, ...note].join('\n\n')
}

/** The defects a producer has to deal with (RUN-630 step 10). */
export function findingsText(findings: readonly FixFinding[]): string {
  const blocks = findings.map((finding) =>
    [
      `finding ${finding.findingId} (${finding.severity}, ${finding.type})`,
      `claim: ${finding.claim}`,
      ...(finding.targetClause === null ? [] : [`clause: ${finding.targetClause}`]),
      ...(finding.targetRequirement === null ? [] : [`requirement: ${finding.targetRequirement}`]),
      `rule: ${finding.basis}`,
      `locations: ${finding.locations.join(', ') || 'none named'}`,
      `shown: ${finding.evidence || 'nothing'}`
    ].join('\n')
  )
  return [`${findings.length} defects were found:`, ...blocks].join('\n\n')
}
