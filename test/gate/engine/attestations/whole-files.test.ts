import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { exportFlat } from '../../../../src/gate/engine/attestations/export.ts'
import { createFlatWriter } from '../../../../src/gate/engine/attestations/flat-writer.ts'
import { loadTree } from '../../../../src/gate/engine/attestations/load.ts'
import { rebuildTree } from '../../../../src/gate/engine/attestations/rebuild.ts'
import { verifyAttestations } from '../../../../src/gate/engine/attestations/verify.ts'
import type { GateEvent } from '../../../../src/gate/runner/event-kinds.ts'
import { attestationOf } from '../../../support/attestation.ts'
import { temporaryFolder } from '../../../support/temporary.ts'

// The explicit ways back after a loss (ATT-503): the flat file and the tree written as a whole.

const one = attestationOf()
const two = attestationOf({ id: `${one.id}-r2`, ref: one.id, timestamp: one.timestamp + 1n, passId: 'p-8' })
const three = attestationOf({ id: `${one.id}-r3`, ref: one.id, timestamp: one.timestamp + 2n })
const legacy = attestationOf({ id: 'att-old', passId: '', unit: '', unitPayloadJson: '', timestamp: 5n })
const all = [three, legacy, one, two]

function place() {
  const projectDir = temporaryFolder()
  mkdirSync(join(projectDir, '.ghyll'))
  const flat = join(projectDir, '.ghyll/attestations.jsonl')
  return {
    projectDir,
    flat,
    ids: () =>
      readFileSync(flat, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { attestation_id: string }).attestation_id),
    verify: () => verifyAttestations(projectDir, { table: null, residueMaxBytes: 100 })
  }
}

describe('the flat file from records (ATT-503, OPUI-670)', () => {
  it('has them in the order of their times, in a chain of its own', async () => {
    const { projectDir, ids, verify } = place()
    rebuildTree(projectDir, all, '2026-01-01T00:00:00Z')
    await exportFlat(projectDir, all, false)
    expect(ids()).toEqual([legacy, one, two, three].map(({ id }) => id))
    expect(verify()).toMatchObject({ issues: [], divergence: { onlyInFlat: 0, onlyInTree: 0, divergent: 0 } })
  })

  it('replaces one that holds something only when told to, an empty one always', async () => {
    const { projectDir, flat, ids } = place()
    writeFileSync(flat, '')
    await exportFlat(projectDir, [one], false)
    await expect(exportFlat(projectDir, [two], false)).rejects.toMatchObject({ code: 'attestation-target-exists' })
    expect(ids()).toEqual([one.id])
    await exportFlat(projectDir, [two], true)
    expect(ids()).toEqual([two.id])
  })
})

describe('the tree from records (ATT-503, OPUI-671)', () => {
  it('is what a session would have written; a record without a pass has a file of its own', () => {
    const { projectDir } = place()
    expect(rebuildTree(projectDir, all, '2026-01-01T00:00:00Z')).toEqual({ files: 3, replaced: null })
    const root = join(projectDir, '.ghyll/attestations')
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'))
    const folder = 'v1/checkout/stratum-L1/analyst__architect'
    expect(files.toSorted()).toEqual([`${folder}/legacy.jsonl`, `${folder}/p-7.jsonl`, `${folder}/p-8.jsonl`])
    const loaded = loadTree(projectDir, true).records
    expect(loaded.map(({ id }) => id).toSorted()).toEqual(all.map(({ id }) => id).toSorted())
  })

  it('keeps what stood in its place under another name, and leaves nothing of a rebuild that was interrupted', () => {
    const { projectDir } = place()
    rebuildTree(projectDir, [one], '2026-01-01T00:00:00Z')
    mkdirSync(join(projectDir, '.ghyll/attestations.rebuilding/v9'), { recursive: true })
    const { replaced } = rebuildTree(projectDir, [two], '2026-01-02T03:04:05.000000006Z')
    expect(replaced).toBe('.ghyll/attestations.replaced-20260102T030405000000006Z')
    expect(existsSync(join(projectDir, replaced ?? '', 'v1'))).toBe(true)
    expect(existsSync(join(projectDir, '.ghyll/attestations.rebuilding'))).toBe(false)
    expect(readdirSync(join(projectDir, '.ghyll/attestations'))).toEqual(['v1'])
    expect(loadTree(projectDir, true).records.map(({ id }) => id)).toEqual([two.id])
  })
})

it('a flat writer that was closed writes nothing and says so; the record stands all the same (ATT-442, ATT-450)', () => {
  const { projectDir, flat, ids } = place()
  const events: GateEvent[] = []
  const writer = createFlatWriter({ projectDir, publish: (event) => events.push(event) })
  expect(writer.append(one)).toBe(true)
  writer.close()
  expect(writer.append(two)).toBe(false)
  expect(ids()).toEqual([one.id])
  expect(existsSync(flat)).toBe(true)
  expect(events).toMatchObject([
    { kind: 'attestation-audit-durability-failed', detail: expect.stringMatching(/^jsonl-writer: .*closed/) }
  ])
})

it('a hand-off without endpoint or adversary certifies nobody by saying nothing (ATT-340, ATT-700)', () => {
  const { projectDir, verify } = place()
  const init = attestationOf({
    ...{ id: 'att-init→analyst/default-v1', kind: 'on-the-spot', clauseId: '', attestedByRole: 'init' },
    ...{ sourceRole: '', targetRole: 'analyst', adversaryRole: '' }
  } as const)
  rebuildTree(projectDir, [init], '2026-01-01T00:00:00Z')
  expect(verify().issues).toEqual([])
})
