import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { GridFailure } from '../../../src/gate/bootstrap/errors.ts'
import { gridVersions, readActiveGrid } from '../../../src/gate/bootstrap/grid-file.ts'
import { gridText } from '../../../src/gate/bootstrap/grid-text.ts'
import { writeGrid } from '../../../src/gate/bootstrap/grid-write.ts'
import { loadCatalogue } from '../../../src/gate/catalogue/index.ts'
import { sha256Hex } from '../../../src/lib/hash.ts'
import { gridOf } from '../../support/grid.ts'

const catalogue = loadCatalogue()
let project: string

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'ghyll-grid-'))
  onTestFinished(() => rmSync(project, { recursive: true, force: true }))
  mkdirSync(join(project, '.ghyll'))
})

const put = (name: string, text: string) => writeFileSync(join(project, '.ghyll', name), text)
const version = (n: number) => put(`grid.v${n}.yaml`, gridText(gridOf({ version: n })))
const failure = () => {
  try {
    readActiveGrid(project, catalogue)
    return null
  } catch (error) {
    if (error instanceof GridFailure) return error
    throw error
  }
}

test.each(['v2\n', 'v2', '  v2\r\n\n'])('INIT-84: pointer %j names its file', (pointer) => {
  version(1)
  version(2)
  put('grid.current', pointer)
  expect(readActiveGrid(project, catalogue).grid).toEqual(gridOf({ version: 2 }))
})

test('what was read is known by its bytes, so that whoever watches the files need not look again (RUN-214)', () => {
  version(1)
  put('grid.current', ' v1\n')
  const text = gridText(gridOf({ version: 1 }))
  expect([...readActiveGrid(project, catalogue).digests]).toEqual([
    ['grid.current', sha256Hex(' v1\n')],
    ['grid.v1.yaml', sha256Hex(text)]
  ])
  const written = writeGrid(project, gridOf({ version: 2 }), catalogue)
  expect(readActiveGrid(project, catalogue).digests).toEqual(written)
})

describe('INIT-85: what keeps a grid from being read', () => {
  test('no pointer: the versions on disk are listed, none is picked', () => {
    expect(failure()).toMatchObject({
      code: 'grid-current-absent',
      message: 'grid-current-absent: no grid version on disk'
    })
    version(1)
    version(10)
    version(2)
    expect(failure()).toMatchObject({
      code: 'grid-current-absent',
      message: 'grid-current-absent: on disk: v1, v2, v10'
    })
    rmSync(join(project, '.ghyll'), { recursive: true })
    expect(failure()?.code).toBe('grid-current-absent')
  })

  test.each([
    ['', '""'],
    ['\n', '"␊"'],
    ['v1\nv2\n', '"v1␊v2␊"'],
    ['1\n', '"1␊"'],
    ['vx', '"vx"'],
    ['v0', '"v0"'],
    ['v-1', '"v-1"'],
    ['v1.5', '"v1.5"'],
    ['v', '"v"'],
    ['\u001b[31mv1', '"␛[31mv1"'],
    ['v'.repeat(100), `"${'v'.repeat(64)}"`]
  ])('pointer %j', (pointer, shown) => {
    version(1)
    put('grid.current', pointer)
    expect(failure()).toMatchObject({ code: 'grid-current-malformed', message: `grid-current-malformed: ${shown}` })
  })

  test('a pointer to nothing', () => {
    version(1)
    put('grid.current', 'v2\n')
    expect(failure()).toMatchObject({
      code: 'grid-current-points-to-missing-version',
      message: 'grid-current-points-to-missing-version: grid.v2.yaml not found'
    })
  })

  test('a version above the pointer, with both remedies', () => {
    for (const n of [1, 2, 3]) version(n)
    put('grid.current', 'v1\n')
    expect(failure()).toMatchObject({
      code: 'grid-inconsistent',
      message:
        'grid-inconsistent: grid.v3.yaml exists but grid.current names v1; remove it, or run `ghyll init repoint v3`'
    })
  })

  test('a file that is another version than its name says', () => {
    put('grid.v2.yaml', gridText(gridOf({ version: 1 })))
    put('grid.current', 'v2\n')
    const path = join(project, '.ghyll', 'grid.v2.yaml')
    expect(failure()).toMatchObject({ message: `grid file ${path} declares grid-version=1 but is named v2` })
  })

  test.each([
    ['syntax', 'a: [1', /^grid-malformed: .*grid\.v1\.yaml: line 1: /],
    ['a torn file', gridText(gridOf()).slice(0, 600), /^grid-malformed: .*grid\.v1\.yaml: /],
    [
      'a setting',
      gridText(gridOf()).replace('remediation-rounds-max: 5', 'remediation-rounds-max: 0'),
      /remediation-rounds-max-must-be-positive$/
    ],
    ['size', `#${'x'.repeat(9 * 1024 * 1024)}`, /larger than/]
  ])('a file that breaks a rule: %s', (_name, text, message) => {
    put('grid.v1.yaml', text)
    put('grid.current', 'v1\n')
    expect(failure()).toMatchObject({ code: 'grid-malformed', message: expect.stringMatching(message) })
  })

  test('a folder or link in the place of a file, and a torn pointer file, fail instead of hanging', () => {
    mkdirSync(join(project, '.ghyll', 'grid.v1.yaml'))
    put('grid.current', 'v1\n')
    expect(failure()?.message).toMatch(/grid-malformed: .*: not a regular file/)
    rmSync(join(project, '.ghyll', 'grid.current'))
    symlinkSync('/dev/zero', join(project, '.ghyll', 'grid.current'))
    expect(failure()?.message).toMatch(/not a regular file/)
  })
})

test('versions are found by their names alone, in order', () => {
  for (const name of [
    'grid.v2.yaml',
    'grid.v10.yaml',
    'grid.v0.yaml',
    'grid.v1.yaml.tmp',
    'grid.vx.yaml',
    'grid.v03.yaml'
  ])
    put(name, '')
  expect(gridVersions(project)).toEqual([2, 10])
})
