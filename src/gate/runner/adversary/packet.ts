import type { Clause } from '../../../protocol/grid.ts'
import { defaultLadder } from '../ladder.ts'
import type { AttackPacket, PacketFile } from './hooks.ts'
import type { CycleWork } from './work.ts'

/** The adversary's whole input: definitions and artifact as they are now, and nothing anybody said about them (RUN-620). */
export async function attackPacket(work: CycleWork, round: number): Promise<AttackPacket> {
  const { gates, pass } = work
  const { id, sourceRole, targetRole, clauses } = pass.arrow
  return {
    arrowId: id,
    sourceRole,
    targetRole,
    round,
    clauses: clauses.map(withoutHistory),
    requirements: gates.depths.requirements(id).map(({ id, minDepth, description }) => ({ id, minDepth, description })),
    ladder: gates.grid.current()?.depthLadder ?? defaultLadder,
    files: await packetFiles(work)
  }
}

/**
 * All files by name; their texts in the order of their paths as long as there is room. A file without room is read with a tool (RUN-620).
 */
export async function packetFiles({ ports, pass, input }: Pick<CycleWork, 'ports' | 'pass' | 'input'>) {
  const files: PacketFile[] = []
  let room = ports.packetBytes
  for (const file of await ports.artifact.list(pass.arrow, input.signal)) {
    const content = file.bytes <= room ? await ports.artifact.text(file.path, input.signal) : null
    if (content !== null) room -= file.bytes
    files.push({ ...file, content })
  }
  return files
}

function withoutHistory({ id, description, concept, args, eval: evaluation, depth, minTier }: Clause) {
  return { id, description, concept, args, eval: evaluation, depth, minTier }
}
