import { appendFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { type WatchedFiles, watchGateFiles } from '../../../src/app/gate/watched-files.ts'
import type { AttestationPlace } from '../../../src/gate/runner/index.ts'
import { temporaryFolder } from '../../support/temporary.ts'

let folder: string
let version: number
let watched: WatchedFiles

const earlier = '.ghyll/attestations/v1/p-1.jsonl'
const placeOf = (passId: string): AttestationPlace => ({
  gridVersion: 1,
  context: 'shop',
  stratum: 'L0',
  sourceRole: 'analyst',
  targetRole: 'architect',
  adversaryRole: '',
  attestedByRole: 'operator',
  passId
})

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

beforeEach(() => {
  folder = temporaryFolder()
  version = 1
  write('.ghyll/grid.current', 'v1\n')
  write('.ghyll/grid.v1.yaml', 'grid-version: 1\n')
  write(earlier, 'line\n')
  watched = watchGateFiles({
    projectDir: folder,
    gridVersion: 1,
    dataVersion: () => version,
    treeLengths: new Map([[earlier, 5]]),
    treeFileOf: ({ passId }) => `.ghyll/attestations/v1/${passId}.jsonl`
  })
})

describe('the gate watches the files it relies on (RUN-214)', () => {
  it('is content while nothing changed', () => {
    expect(watched.changed()).toBeNull()
    expect(watched.changed(placeOf('p-1'))).toBeNull()
    expect(watched.changed(placeOf('p-2'))).toBeNull()
  })

  it.each(['.ghyll/grid.current', '.ghyll/grid.v1.yaml'])('notices an edit of %s, and that it is gone', (path) => {
    write(path, 'v1 \n')
    expect(watched.changed()).toEqual({ path, reason: 'content differs' })
    rmSync(join(folder, path))
    expect(watched.changed()).toEqual({ path, reason: 'content differs' })
  })

  it('follows a grid that ghyll wrote', () => {
    write('.ghyll/grid.v2.yaml', 'grid-version: 2\n')
    write('.ghyll/grid.current', 'v2\n')
    watched.gridWritten(2)
    expect(watched.changed()).toBeNull()
  })

  it('notices another writer of the store', () => {
    version = 2
    expect(watched.changed()).toEqual({ path: '.ghyll/engine.db', reason: 'another program wrote to it' })
  })

  it('notices a line somebody else put into the file the next verdict goes to, new or known', () => {
    write('.ghyll/attestations/v1/p-2.jsonl', '{}\n')
    expect(watched.changed(placeOf('p-1'))).toBeNull()
    expect(watched.changed(placeOf('p-2'))).toEqual({
      path: '.ghyll/attestations/v1/p-2.jsonl',
      reason: 'length differs'
    })
    appendFileSync(join(folder, earlier), '{}\n')
    expect(watched.changed(placeOf('p-1'))).toEqual({ path: earlier, reason: 'length differs' })
  })

  it('notices a link in its place, and a file cut short after ghyll appended', () => {
    symlinkSync('/nowhere', join(folder, '.ghyll/attestations/v1/p-3.jsonl'))
    expect(watched.changed(placeOf('p-3'))).toMatchObject({ reason: 'length differs' })
    rmSync(join(folder, '.ghyll/attestations/v1/p-3.jsonl'))
    appendFileSync(join(folder, earlier), 'ours\n')
    watched.appended(earlier)
    expect(watched.changed(placeOf('p-1'))).toBeNull()
    rmSync(join(folder, earlier))
    expect(watched.changed()).toEqual({ path: earlier, reason: 'length differs' })
  })

  it('takes an empty file for none: a write that failed may leave one behind', () => {
    write('.ghyll/attestations/v1/p-2.jsonl', '')
    expect(watched.changed(placeOf('p-2'))).toBeNull()
  })
})
