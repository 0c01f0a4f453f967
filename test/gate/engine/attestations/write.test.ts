import { createHash } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { execaSync } from 'execa'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Append, type DiskSteps, diskSteps } from '../../../../src/gate/engine/attestations/append.ts'
import { createFlatWriter } from '../../../../src/gate/engine/attestations/flat-writer.ts'
import { loadTree } from '../../../../src/gate/engine/attestations/load.ts'
import { openTreeWriter } from '../../../../src/gate/engine/attestations/tree-writer.ts'
import type { GateEvent } from '../../../../src/gate/runner/event-kinds.ts'
import { AssertionFailed, assert } from '../../../../src/lib/assert.ts'
import { stampAt } from '../../../../src/platform/file-stamp.ts'
import { attestationOf } from '../../../support/attestation.ts'

const file = '.ghyll/attestations/v1/checkout/stratum-L1/analyst__architect/p-7.jsonl'
const sha = (text: string) => createHash('sha256').update(text).digest('hex')

function place() {
  const projectDir = mkdtempSync(join(tmpdir(), 'ghyll-tree-'))
  onTestFinished(() => rmSync(projectDir, { recursive: true, force: true }))
  const events: GateEvent[] = []
  return {
    projectDir,
    events,
    at: (path: string) => join(projectDir, path),
    text: (path: string) => readFileSync(join(projectDir, path), 'utf8'),
    tree: (steps: DiskSteps = diskSteps) =>
      openTreeWriter({ projectDir, publish: (event) => events.push(event), steps }),
    flat: () => createFlatWriter({ projectDir, publish: (event) => events.push(event) }),
    write(path: string, text: string) {
      mkdirSync(dirname(join(projectDir, path)), { recursive: true })
      writeFileSync(join(projectDir, path), text)
    }
  }
}

const second = attestationOf({ clauseId: 'C2' })

function fail(): never {
  throw new Error('no space left')
}

describe('a bug on the way to the disk', () => {
  const steps = { ...diskSteps, sync: () => assert(false, 'a bug') }

  it.each([openTreeWriter, createFlatWriter])('comes out of %o as itself and is told of no disk', (open) => {
    const { projectDir, events, at } = place()
    mkdirSync(at('.ghyll'))
    const writer = open({ projectDir, publish: (event) => events.push(event), steps })
    expect(() => writer.append(attestationOf())).toThrow(AssertionFailed)
    expect(events).toEqual([])
  })
})

describe('the tree writer (ATT-440)', () => {
  it('writes one line per record, chained to the one before, and makes the folders', () => {
    const { tree, text, at } = place()
    const writer = tree()
    expect(writer.append(attestationOf())).toEqual(attestationOf())
    writer.append(second)
    const [one = '', two = '', rest] = text(file).split('\n')
    expect(rest).toBe('')
    expect(JSON.parse(one)).not.toHaveProperty('prev_sha256')
    expect(JSON.parse(two)).toMatchObject({ clause_id: 'C2', prev_sha256: sha(one) })
    expect(lstatSync(at(file)).mode & 0o777).toBe(0o644)
    expect(lstatSync(dirname(at(file))).mode & 0o777).toBe(0o755)
  })

  it('writes whole, syncs the file, then the folders with a new name, and no folder the second time', () => {
    const { tree, at, projectDir } = place()
    const steps: string[] = []
    const writer = tree({
      write(descriptor, bytes) {
        steps.push('write')
        return writeSync(descriptor, bytes)
      },
      sync: () => steps.push('sync'),
      syncFolder: (folder) => steps.push(folder.slice(projectDir.length))
    })
    writer.append(attestationOf())
    expect(steps).toEqual([
      'write',
      'sync',
      '/.ghyll',
      '/.ghyll/attestations',
      '/.ghyll/attestations/v1',
      '/.ghyll/attestations/v1/checkout',
      '/.ghyll/attestations/v1/checkout/stratum-L1',
      '/.ghyll/attestations/v1/checkout/stratum-L1/analyst__architect'
    ])
    steps.length = 0
    writer.append(second)
    expect(steps).toEqual(['write', 'sync'])
    expect(existsSync(at(file))).toBe(true)
  })

  it('completes a short write', () => {
    const { tree, projectDir } = place()
    const writer = tree({ ...diskSteps, write: (descriptor, bytes) => writeSync(descriptor, bytes.subarray(0, 7)) })
    writer.append(attestationOf())
    expect(loadTree(projectDir, false).records).toEqual([attestationOf()])
  })

  it.each(['write', 'sync'] as const)('leaves the file as it was when the %s fails, and says so (ATT-441)', (step) => {
    const { tree, text, events } = place()
    tree().append(attestationOf())
    const before = text(file)
    const broken = tree({
      ...diskSteps,
      write: (descriptor, bytes) => (step === 'write' ? half(descriptor, bytes) : writeSync(descriptor, bytes)),
      sync() {
        throw new Error('no space left')
      }
    })
    const half = (descriptor: number, bytes: Uint8Array) => {
      writeSync(descriptor, bytes.subarray(0, 30))
      throw new Error('no space left')
    }
    expect(() => broken.append(second)).toThrow(
      expect.objectContaining({
        code: 'attestation-audit-write-failed',
        message: expect.stringContaining('no space left')
      })
    )
    expect(text(file)).toBe(before)
    expect(broken.failures()).toEqual({ count: 1, last: 'no space left' })
    expect(events).toEqual([
      {
        kind: 'attestation-audit-durability-failed',
        arrow_id: second.arrowId,
        clause_id: 'C2',
        pass_id: 'p-7',
        detail: 'tree-writer: no space left',
        payload: { reason: 'no space left' }
      }
    ])
  })

  it('leaves no line behind when the new name cannot be synced: a refused verdict counts at no later start (ATT-440, ATT-441)', () => {
    const { tree, text, projectDir } = place()
    const broken = tree({
      ...diskSteps,
      syncFolder() {
        throw new Error('input/output error')
      }
    })
    expect(() => broken.append(attestationOf())).toThrow('input/output error')
    expect(text(file)).toBe('')
    expect(loadTree(projectDir, false).records).toEqual([])
    tree().append(attestationOf())
    expect(loadTree(projectDir, false).records).toEqual([attestationOf()])
  })

  it('tells how it found the file and left it, also when it fails, and what stood before its line is not its own (RUN-214)', () => {
    const { at, projectDir, write } = place()
    const told: { readonly file: string; readonly append: Append }[] = []
    const publish = () => undefined
    const tell = (file: string, append: Append) => void told.push({ file, append })
    const writer = openTreeWriter({ projectDir, publish, tell })
    const one = writer.append(attestationOf())
    expect(told).toEqual([{ file, append: { found: expect.objectContaining({ length: 0 }), left: stampAt(at(file)) } }])
    write(file, `${readFileSync(at(file), 'utf8')}# theirs\n`)
    const theirs = stampAt(at(file))
    writer.append(second)
    expect(told[1]?.append).toEqual({ found: theirs, left: stampAt(at(file)) })
    const full = openTreeWriter({ projectDir, publish, tell, steps: { ...diskSteps, sync: fail } })
    const before = stampAt(at(file))
    expect(() => full.append(attestationOf({ clauseId: 'C3' }))).toThrow('no space left')
    expect(told[2]?.append).toEqual({ found: before, left: stampAt(at(file)) })
    expect(stampAt(at(file)).length).toBe(before.length)
    createFlatWriter({ projectDir, publish, tell }).append(one)
    expect(told[3]?.file).toBe('.ghyll/attestations.jsonl')
  })

  it('does not account for what others put behind its line while it is being synced (RUN-214)', () => {
    const { at, projectDir } = place()
    const lengths: number[] = []
    const sync = () => appendFileSync(at(file), '{"theirs":1}\n')
    const tell = (_: string, { left }: Append) => void lengths.push(left.length)
    const writer = openTreeWriter({ projectDir, publish: () => undefined, tell, steps: { ...diskSteps, sync } })
    writer.append(attestationOf())
    const [ours = ''] = readFileSync(at(file), 'utf8').split('\n')
    expect(lengths).toEqual([Buffer.byteLength(ours) + 1])
  })

  it('cuts a torn tail before it writes behind it, and chains over comments', () => {
    const { tree, text, write } = place()
    tree().append(attestationOf())
    const [one = ''] = text(file).split('\n')
    write(file, `${one}\n# a note\n\n{"attestation_id":"to`)
    tree().append(second)
    const lines = text(file).split('\n')
    expect(lines.slice(0, 3)).toEqual([one, '# a note', ''])
    expect(JSON.parse(lines[3] ?? '')).toMatchObject({ clause_id: 'C2', prev_sha256: sha(one) })
  })

  it('cuts a file without any newline to nothing', () => {
    const { tree, write, projectDir } = place()
    write(file, 'x'.repeat(200_000))
    tree().append(attestationOf())
    expect(loadTree(projectDir, false).records).toEqual([attestationOf()])
  })

  it.each(['.ghyll/attestations', '.ghyll/attestations/v1', '.ghyll/attestations/v1/checkout/stratum-L1', file])(
    'fails closed when %s is a symbolic link, and the target stays untouched',
    (path) => {
      const { tree, at, write } = place()
      write('elsewhere/kept', 'as it was')
      mkdirSync(dirname(at(path)), { recursive: true })
      symlinkSync(at(path === file ? 'elsewhere/kept' : 'elsewhere'), at(path))
      expect(() => tree().append(attestationOf())).toThrow(
        expect.objectContaining({
          code: 'attestation-audit-write-failed',
          message: expect.stringContaining('attestation-tree-symlink')
        })
      )
      expect(readFileSync(at('elsewhere/kept'), 'utf8')).toBe('as it was')
      expect(execaSync('ls', ['-A', at('elsewhere')]).stdout).toBe('kept')
    }
  )

  it.each(['folder', 'pipe'])('refuses a %s in the place of a file without waiting for it', (kind) => {
    const { tree, at } = place()
    mkdirSync(dirname(at(file)), { recursive: true })
    if (kind === 'folder') mkdirSync(at(file))
    else execaSync('mkfifo', [at(file)])
    expect(() => tree().append(attestationOf())).toThrow('attestation-tree-symlink')
  })

  it('loses no verdict to a long name and tells it (ATT-424)', () => {
    const { tree, events, projectDir } = place()
    const written = tree().append(attestationOf({ context: 'c'.repeat(300), reason: 'seen' }))
    expect(written.reason).toBe('seen path-truncated:context')
    expect(loadTree(projectDir, false).records).toEqual([written])
    expect(events).toMatchObject([{ kind: 'attestation-path-truncated', payload: { segments: 'context' } }])
  })

  it('refuses for the whole session when the tree cannot be opened (ATT-451)', () => {
    const { tree, write, at } = place()
    write('.ghyll/attestations', 'a file')
    const writer = tree()
    expect(writer.problem()).toContain('.ghyll/attestations is no folder of its own')
    rmSync(at('.ghyll/attestations'))
    expect(() => writer.append(attestationOf())).toThrow('attestation-audit-write-failed')
  })

  it('refuses after it was closed (ATT-442)', () => {
    const writer = place().tree()
    writer.close()
    expect(() => writer.append(attestationOf())).toThrow('attestation-audit-write-failed')
  })
})

describe('the flat file (ATT-450…452)', () => {
  it('holds the same lines but for a chain of its own', () => {
    const { flat, tree, text } = place()
    const records = [attestationOf(), attestationOf({ clauseId: 'C2', passId: 'p-8' })]
    const [treeWriter, flatWriter] = [tree(), flat()]
    for (const record of records) {
      treeWriter.append(record)
      expect(flatWriter.append(record)).toBe(true)
    }
    const [one = '', two = ''] = text('.ghyll/attestations.jsonl').split('\n')
    expect(one).toBe(text(file).trimEnd())
    expect(JSON.parse(two).prev_sha256).toBe(sha(one))
  })

  it('undoes nothing when it fails', () => {
    const { flat, events, write, at } = place()
    write('kept', '')
    mkdirSync(at('.ghyll'))
    symlinkSync(at('kept'), at('.ghyll/attestations.jsonl'))
    expect(flat().append(attestationOf())).toBe(false)
    expect(events).toMatchObject([
      { kind: 'attestation-audit-durability-failed', detail: expect.stringMatching(/^jsonl-writer: /) }
    ])
    expect(readFileSync(at('kept'), 'utf8')).toBe('')
  })
})
