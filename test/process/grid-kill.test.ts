import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { GridFailure } from '../../src/gate/bootstrap/errors.ts'
import { readActiveGrid } from '../../src/gate/bootstrap/grid-file.ts'
import { repoint, writeGrid } from '../../src/gate/bootstrap/grid-write.ts'
import { loadCatalogue } from '../../src/gate/catalogue/index.ts'
import { gridOf } from '../support/grid.ts'

const catalogue = loadCatalogue()
const program = fileURLToPath(new URL('../fixtures/programs/write-grid.ts', import.meta.url))

function write(project: string, version: number, dieBefore: number) {
  const { signal, stdout, stderr } = spawnSync(
    process.execPath,
    [program, project, String(version), String(dieBefore)],
    {
      encoding: 'utf8'
    }
  )
  return { signal, steps: Number(stdout), stderr }
}

/** Version in force, or the error that stands in its way. */
function inForce(project: string): number | string {
  try {
    const { grid } = readActiveGrid(project, catalogue)
    expect(grid).toEqual(gridOf({ version: grid.version }))
    return grid.version
  } catch (error) {
    if (error instanceof GridFailure) return error.message
    throw error
  }
}

function makeProject(): string {
  const project = mkdtempSync(join(tmpdir(), 'ghyll-grid-kill-'))
  onTestFinished(() => rmSync(project, { recursive: true, force: true }))
  return project
}

describe('INIT-82: a process killed between any two steps of a grid write', () => {
  test('leaves an uninitialised project or version 1, and whatever bears a final name is whole', () => {
    const { steps } = write(makeProject(), 1, -1)
    expect(steps).toBe(10)
    for (let step = 0; step < steps; step += 1) {
      const project = makeProject()
      expect(write(project, 1, step)).toMatchObject({ signal: 'SIGKILL', stderr: '' })
      const found = inForce(project)
      // Version 1 is in force once the pointer has its name; before that nothing is, and a published file can be pointed to.
      if (step === steps - 1) expect(found).toBe(1)
      else expect(found).toMatch(/^grid-current-absent: /)
      if (String(found).includes('on disk: v1')) repoint(project, 1, catalogue)
      else if (found !== 1) writeGrid(project, gridOf(), catalogue)
      expect(inForce(project)).toBe(1)
      expect(readdirSync(join(project, '.ghyll')).toSorted()).toEqual(['grid.current', 'grid.v1.yaml'])
    }
  })

  test('leaves version 1 in force, or 2, or the error that names both remedies', () => {
    const start = makeProject()
    writeGrid(start, gridOf(), catalogue)
    const { steps } = write(start, 2, -1)
    expect(inForce(start)).toBe(2)
    const seen = new Set<number | string>()
    for (let step = 0; step < steps; step += 1) {
      const project = makeProject()
      writeGrid(project, gridOf(), catalogue)
      expect(write(project, 2, step)).toMatchObject({ signal: 'SIGKILL', stderr: '' })
      const found = inForce(project)
      seen.add(found)
      if (typeof found === 'string') {
        expect(found).toMatch(/^grid-inconsistent: grid\.v2\.yaml exists but grid\.current names v1; /)
        repoint(project, 2, catalogue)
        expect(inForce(project)).toBe(2)
      } else if (found === 1) {
        writeGrid(project, gridOf({ version: 2 }), catalogue)
        expect(inForce(project)).toBe(2)
      }
    }
    expect(seen.size).toBe(3)
  })
})
