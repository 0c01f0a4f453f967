import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { type WatchedFiles, watchGateFiles } from '../../../src/app/gate/watched-files.ts'
import type { Engine } from '../../../src/gate/engine/index.ts'
import { sha256Hex } from '../../../src/lib/hash.ts'
import { stampAt } from '../../../src/platform/file-stamp.ts'
import { temporaryFolder } from '../../support/temporary.ts'

let folder: string
let store: ReturnType<Engine['storeChanged']>
let watched: WatchedFiles

const earlier = '.ghyll/attestations/v1/p-1.jsonl'
function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

/** What the files of this version hold, as whoever read or wrote them says. */
const digests = (version: number) =>
  new Map([
    ['grid.current', sha256Hex(`v${version}\n`)],
    [`grid.v${version}.yaml`, sha256Hex(`grid-version: ${version}\n`)]
  ])

/** Something is appended, between the moment in which the writer looks at the file and the one in which it leaves it. */
function append(path: string, text = 'ours\n'): void {
  const found = stampAt(join(folder, path))
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  appendFileSync(join(folder, path), text)
  watched.appended(path, { found, left: stampAt(join(folder, path)) })
}

/** Until a write gets another time than `path` has: the system's times move on in steps of some milliseconds. */
function laterThan(path: string): void {
  const { changedNs } = stampAt(join(folder, path))
  do write('clock', '')
  while (stampAt(join(folder, 'clock')).changedNs === changedNs)
}

beforeEach(() => {
  folder = temporaryFolder()
  store = null
  write('.ghyll/grid.current', 'v1\n')
  write('.ghyll/grid.v1.yaml', 'grid-version: 1\n')
  write(earlier, 'line\n')
  watched = watchGateFiles({
    projectDir: folder,
    gridDigests: digests(1),
    storeChanged: () => store,
    treeLengths: new Map([[earlier, 5]])
  })
  laterThan(earlier)
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
    watched.gridWritten(digests(2))
    expect(watched.changed()).toBeNull()
  })

  it('knows a grid by what ghyll read or wrote, not by what a later look finds', () => {
    write('.ghyll/grid.v2.yaml', 'grid-version: 2 # and what somebody added meanwhile\n')
    write('.ghyll/grid.current', 'v2\n')
    watched.gridWritten(digests(2))
    expect(watched.changed()).toEqual({ path: '.ghyll/grid.v2.yaml', reason: 'content differs' })
  })

  it('notices another writer of the store', () => {
    store = { path: '.ghyll/engine.db', reason: 'another program wrote to it' }
    expect(watched.changed()).toEqual(store)
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
      append(path)
      append(path, '')
      expect(watched.changed()).toBeNull()
    }
  })

  it('does not take over a line that somebody put there before ghyll’s own, or an edit that kept the length', () => {
    const late = '.ghyll/attestations/v1/p-2.jsonl'
    write(late, '{"theirs":1}\n')
    append(late)
    expect(watched.changed()).toEqual({ path: late, reason: 'length differs' })
    rmSync(join(folder, late))
    expect(watched.changed()).toBeNull()
    write(earlier, 'LINE\n')
    append(earlier)
    expect(watched.changed()).toEqual({ path: earlier, reason: 'length differs' })
  })

  it('does not take over what came behind ghyll’s own line', () => {
    const left = stampAt(join(folder, earlier))
    appendFileSync(join(folder, earlier), '{"theirs":1}\n')
    watched.appended(earlier, { found: left, left })
    expect(watched.changed()).toEqual({ path: earlier, reason: 'length differs' })
  })

  it('follows an attempt that failed: the length is the old one, the time is not (ATT-440)', () => {
    const found = stampAt(join(folder, earlier))
    appendFileSync(join(folder, earlier), 'hal')
    truncateSync(join(folder, earlier), found.length)
    expect(watched.changed()).toEqual({ path: earlier, reason: 'written to' })
    watched.appended(earlier, { found, left: stampAt(join(folder, earlier)) })
    expect(watched.changed()).toBeNull()
  })

  it('notices a link in its place, and a file cut short after ghyll appended', () => {
    symlinkSync('/nowhere', join(folder, '.ghyll/attestations/v1/p-3.jsonl'))
    expect(watched.changed()).toMatchObject({ reason: 'length differs' })
    rmSync(join(folder, '.ghyll/attestations/v1/p-3.jsonl'))
    append(earlier)
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
