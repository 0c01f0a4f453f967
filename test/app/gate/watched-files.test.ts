import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { type WatchedFiles, watchGateFiles } from '../../../src/app/gate/watched-files.ts'
import { temporaryFolder } from '../../support/temporary.ts'

let folder: string
let version: number
let watched: WatchedFiles

const earlier = '.ghyll/attestations/v1/p-1.jsonl'
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
    treeLengths: new Map([[earlier, 5]])
  })
})

describe('the gate watches the files it relies on (RUN-214)', () => {
  it('is content while nothing changed', () => {
    expect(watched.changed()).toBeNull()
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

  it.each([
    ['a known file', earlier],
    ['a new one', '.ghyll/attestations/v1/p-2.jsonl'],
    ['a new one somewhere else, which the next start would read as well (ATT-500)', '.ghyll/attestations/x/y/z.jsonl'],
    ['the flat file', '.ghyll/attestations.jsonl']
  ])('notices a line somebody else put into %s of the records', (_, path) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    appendFileSync(join(folder, path), '{}\n')
    expect(watched.changed()).toEqual({ path, reason: 'length differs' })
  })

  it('leaves alone what no start reads', () => {
    write('.ghyll/attestations/README.md', 'records of this project\n')
    expect(watched.changed()).toBeNull()
  })

  it('notices that the whole tree is gone, or cannot be looked at', () => {
    rmSync(join(folder, '.ghyll/attestations'), { recursive: true })
    expect(watched.changed()).toEqual({ path: earlier, reason: 'length differs' })
    write('.ghyll/attestations', 'a file\n')
    expect(watched.changed()).toEqual({ path: '.ghyll/attestations', reason: 'unreadable' })
  })

  it('follows what ghyll appends, to a file of the tree and to the flat one', () => {
    for (const path of [earlier, '.ghyll/attestations/v1/p-2.jsonl', '.ghyll/attestations.jsonl']) {
      appendFileSync(join(folder, path), 'ours\n')
      watched.appended(path)
      expect(watched.changed()).toBeNull()
    }
  })

  it('notices a link in its place, and a file cut short after ghyll appended', () => {
    symlinkSync('/nowhere', join(folder, '.ghyll/attestations/v1/p-3.jsonl'))
    expect(watched.changed()).toMatchObject({ reason: 'length differs' })
    rmSync(join(folder, '.ghyll/attestations/v1/p-3.jsonl'))
    appendFileSync(join(folder, earlier), 'ours\n')
    watched.appended(earlier)
    expect(watched.changed()).toBeNull()
    rmSync(join(folder, earlier))
    expect(watched.changed()).toEqual({ path: earlier, reason: 'length differs' })
  })

  it('notices an edit that keeps the length: a fail that is made a pass', () => {
    write(earlier, 'LINE\n')
    expect(watched.changed()).toEqual({ path: earlier, reason: 'written to' })
  })

  it('is not held up by a named pipe in place of a file', () => {
    const path = '.ghyll/grid.current'
    rmSync(join(folder, path))
    execFileSync('mkfifo', [join(folder, path)])
    expect(watched.changed()).toEqual({ path, reason: 'content differs' })
  })

  it('takes an empty file for none: a write that failed may leave one behind', () => {
    write('.ghyll/attestations/v1/p-2.jsonl', '')
    expect(watched.changed()).toBeNull()
  })
})
