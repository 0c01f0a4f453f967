import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { GridFailure } from '../../../src/gate/bootstrap/errors.ts'
import { type GridDisk, systemDisk } from '../../../src/gate/bootstrap/grid-disk.ts'
import { gridVersions, readActiveGrid } from '../../../src/gate/bootstrap/grid-file.ts'
import { repoint, writeGrid } from '../../../src/gate/bootstrap/grid-write.ts'
import { applyRetention } from '../../../src/gate/bootstrap/retention.ts'
import { loadCatalogue } from '../../../src/gate/catalogue/index.ts'
import { gridOf } from '../../support/grid.ts'
import { unprivileged } from '../../support/unprivileged.ts'

const catalogue = loadCatalogue()
let project: string
let folder: string

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'ghyll-write-'))
  folder = join(project, '.ghyll')
  onTestFinished(() => rmSync(project, { recursive: true, force: true }))
})

const versionInForce = () => readActiveGrid(project, catalogue).grid.version
const failureOf = (act: () => void) => {
  try {
    act()
    return null
  } catch (error) {
    if (error instanceof GridFailure) return error
    throw error
  }
}

/** The real disk with the `at`-th step failing, and every step it was asked for. */
function failingDisk(at: number): { disk: GridDisk; steps: string[] } {
  const steps: string[] = []
  let broken = false
  const entries = Object.entries(systemDisk).map(([name, act]) => [
    name,
    (...args: unknown[]) => {
      if (!broken) steps.push(name)
      if (steps.length - 1 === at && !broken) {
        broken = true
        throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' })
      }
      return Reflect.apply(act, systemDisk, args)
    }
  ])
  return { disk: Object.fromEntries(entries), steps }
}

test('INIT-82: the steps, in this order; files of mode 0644 in a folder of 0755 whatever the umask', () => {
  const umask = process.umask(0o077)
  const { disk, steps } = failingDisk(-1)
  try {
    writeGrid(project, gridOf(), catalogue, disk)
  } finally {
    process.umask(umask)
  }
  expect(steps).toEqual([
    'makeFolder',
    'create',
    'syncFile',
    'syncFolder',
    'publish',
    'syncFolder',
    'create',
    'syncFile',
    'replace',
    'syncFolder'
  ])
  expect(versionInForce()).toBe(1)
  expect(readFileSync(join(folder, 'grid.current'), 'utf8')).toBe('v1\n')
  for (const name of ['grid.v1.yaml', 'grid.current']) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o644)
  expect(readdirSync(folder).toSorted()).toEqual(['grid.current', 'grid.v1.yaml'])
})

test.each([0, 1, 2, 3, 4, 5, 6, 7, 8].map((step) => [step]))(
  'INIT-83: when step %d fails the project stays where it was, without a trace',
  (step) => {
    writeGrid(project, gridOf(), catalogue)
    const before = readdirSync(folder)
    // An existing folder needs no `makeFolder`, so the steps are one fewer.
    const { disk } = failingDisk(step)
    const failure = failureOf(() => writeGrid(project, gridOf({ version: 2 }), catalogue, disk))
    expect(failure).toMatchObject({ code: 'grid-write-failed', message: 'grid-write-failed: EIO: i/o error' })
    const isCommitted = step === 8
    expect(versionInForce()).toBe(isCommitted ? 2 : 1)
    if (!isCommitted) expect(readdirSync(folder)).toEqual(before)
  }
)

test('INIT-82 step 1: left-over regular files go, links stay and fail the write', () => {
  mkdirSync(folder)
  writeFileSync(join(folder, 'grid.v1.yaml.tmp'), 'torn')
  writeFileSync(join(folder, 'grid.v9.yaml.tmp'), 'torn')
  writeFileSync(join(folder, 'grid.current.tmp'), 'v')
  writeFileSync(join(folder, 'mine.tmp'), 'x')
  writeGrid(project, gridOf(), catalogue)
  expect(readdirSync(folder).toSorted()).toEqual(['grid.current', 'grid.v1.yaml', 'mine.tmp'])
  const target = join(project, 'elsewhere')
  symlinkSync(target, join(folder, 'grid.v2.yaml.tmp'))
  expect(failureOf(() => writeGrid(project, gridOf({ version: 2 }), catalogue))?.code).toBe('grid-write-failed')
  expect(versionInForce()).toBe(1)
  expect(() => statSync(target)).toThrow()
})

describe('INIT-83: a destination that is taken', () => {
  test('before, by a dangling link too', () => {
    mkdirSync(folder)
    symlinkSync('nowhere', join(folder, 'grid.v1.yaml'))
    expect(failureOf(() => writeGrid(project, gridOf(), catalogue))).toMatchObject({
      code: 'grid-version-already-exists',
      message: 'grid-version-already-exists: grid.v1.yaml'
    })
  })

  test('meanwhile: theirs stays, ours goes', () => {
    const disk: GridDisk = {
      ...systemDisk,
      publish(from, to) {
        writeFileSync(to, 'theirs')
        systemDisk.publish(from, to)
      }
    }
    expect(failureOf(() => writeGrid(project, gridOf(), catalogue, disk))?.code).toBe('grid-version-already-exists')
    expect(readdirSync(folder)).toEqual(['grid.v1.yaml'])
    expect(readFileSync(join(folder, 'grid.v1.yaml'), 'utf8')).toBe('theirs')
  })
})

test('a `.ghyll` that is a link or a file, or that is closed to us, fails the write', async () => {
  symlinkSync(tmpdir(), folder)
  expect(failureOf(() => writeGrid(project, gridOf(), catalogue))?.code).toBe('grid-write-failed')
  rmSync(folder)
  writeFileSync(folder, '')
  expect(failureOf(() => writeGrid(project, gridOf(), catalogue))?.code).toBe('grid-write-failed')
  rmSync(folder)
  mkdirSync(folder)
  chmodSync(project, 0o755)
  chmodSync(folder, 0o555)
  const failure = await unprivileged(() => failureOf(() => writeGrid(project, gridOf(), catalogue)))
  expect(failure?.message).toMatch(/^grid-write-failed: EACCES/)
  expect(readdirSync(folder)).toEqual([])
  chmodSync(folder, 0o755)
})

test('a grid that would not read back is a bug and nothing is written', () => {
  expect(() => writeGrid(project, gridOf({ remediationRoundsMax: 0 }), catalogue)).toThrow(/does not read back/)
  expect(() => statSync(folder)).toThrow()
})

describe('INIT-86: repoint', () => {
  test('names another version after checking its file in full', () => {
    writeGrid(project, gridOf(), catalogue)
    writeFileSync(
      join(folder, 'grid.v2.yaml'),
      readFileSync(join(folder, 'grid.v1.yaml'), 'utf8').replace('grid-version: 1', 'grid-version: 2')
    )
    expect(failureOf(() => readActiveGrid(project, catalogue))?.code).toBe('grid-inconsistent')
    repoint(project, 2, catalogue)
    expect(versionInForce()).toBe(2)
  })

  test('a missing, torn or misnamed file is refused and the pointer stays', () => {
    writeGrid(project, gridOf(), catalogue)
    expect(failureOf(() => repoint(project, 7, catalogue))?.code).toBe('grid-current-points-to-missing-version')
    writeFileSync(join(folder, 'grid.v3.yaml'), 'a: [')
    expect(failureOf(() => repoint(project, 3, catalogue))?.code).toBe('grid-malformed')
    writeFileSync(join(folder, 'grid.v3.yaml'), readFileSync(join(folder, 'grid.v1.yaml')))
    expect(failureOf(() => repoint(project, 3, catalogue))?.code).toBe('grid-version-mismatch')
    expect(readFileSync(join(folder, 'grid.current'), 'utf8')).toBe('v1\n')
  })
})

describe('INIT-73: retention', () => {
  const now = Date.parse('2026-08-21T00:00:00Z')
  beforeEach(() => {
    for (const version of [1, 2, 3, 4]) {
      writeGrid(project, gridOf({ version }), catalogue)
      const at = new Date(now - (5 - version) * 3_600_000)
      utimesSync(join(folder, `grid.v${version}.yaml`), at, at)
    }
  })

  test.each([
    [{ kind: 'keep-all' }, [], []],
    [{ kind: 'max-count', count: 2 }, [], [1, 2]],
    [{ kind: 'max-count', count: 9 }, [], []],
    [{ kind: 'max-count', count: 1 }, [2], [1, 3]],
    [{ kind: 'max-age', ageMs: 2.5 * 3_600_000 }, [], [1, 2]],
    [{ kind: 'max-age', ageMs: 1 }, [1], [2, 3]]
  ] as const)('%j with open passes on %j deletes %j', (retention, open, deleted) => {
    expect(applyRetention(project, retention, new Set([4, ...open]), now)).toEqual({ deleted, warnings: [] })
    expect(gridVersions(project)).toEqual(
      [1, 2, 3, 4].filter((version) => !(deleted as readonly number[]).includes(version))
    )
  })

  test('a version that cannot be looked at is left alone', () => {
    rmSync(join(folder, 'grid.v1.yaml'))
    symlinkSync(join(folder, 'gone'), join(folder, 'grid.v1.yaml'))
    const result = applyRetention(project, { kind: 'max-age', ageMs: 1 }, new Set([4]), now)
    expect(result).toEqual({ deleted: [2, 3], warnings: [] })
  })

  test('a failed deletion is a warning', () => {
    rmSync(join(folder, 'grid.v1.yaml'))
    mkdirSync(join(folder, 'grid.v1.yaml'))
    const { deleted, warnings } = applyRetention(project, { kind: 'max-count', count: 2 }, new Set([4]), now)
    expect(deleted).toEqual([2])
    expect(warnings).toEqual([expect.stringMatching(/^grid\.v1\.yaml could not be deleted: /)])
  })
})
