import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { expect } from 'vitest'
import { readLine } from '../../src/gate/engine/attestations/line.ts'
import { storePath } from '../../src/gate/engine/database.ts'
import type { Attestation } from '../../src/gate/runner/records.ts'
import { type RunningGate, startGate, tickingClock } from './engine.ts'
import { numbersOf } from './numbers.ts'

const programOf = (name: string) => fileURLToPath(new URL(`../fixtures/programs/${name}.ts`, import.meta.url))

export type Ended = { readonly lines: readonly string[]; readonly signal: NodeJS.Signals | null; readonly err: string }

/** Runs a program of the fixtures to its end; `onLine` hears each line of its output. */
export function runProgram(
  name: string,
  args: readonly string[],
  onLine: (line: string, kill: () => void) => void = () => undefined
): Promise<Ended> {
  const child = spawn(process.execPath, [programOf(name), ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const lines: string[] = []
  let rest = ''
  let err = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text
  })
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n')
    rest = parts.pop() ?? ''
    for (const line of parts) {
      lines.push(line)
      onLine(line, () => child.kill('SIGKILL'))
    }
  })
  return new Promise((resolve) => child.on('close', (_code, signal) => resolve({ lines, signal, err })))
}

/** Everything that is kept, as text: a recovery that runs again must not change a character of it. */
export function keptContent(projectDir: string): string {
  const db = new Database(storePath(projectDir), { readonly: true })
  const names = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").pluck().all()
  const rows = names.map((name) => [name, db.prepare(`SELECT * FROM ${name}`).safeIntegers().raw().all()])
  db.close()
  const files = treeFiles(projectDir).map((path) => [path, readFileSync(join(projectDir, path), 'utf8')])
  return JSON.stringify([rows, files], (_, value) => (typeof value === 'bigint' ? `${value}` : value))
}

/** Records of the tree, the flat file and the table, by id. */
export function keptRecords(projectDir: string) {
  const db = new Database(storePath(projectDir), { readonly: true })
  const table = new Set(db.prepare<[], string>('SELECT attestation_id FROM attestations').pluck().all())
  db.close()
  const flat = recordsIn(join(projectDir, '.ghyll/attestations.jsonl'))
  const tree = treeFiles(projectDir).flatMap((path) => recordsIn(join(projectDir, path)))
  return { tree: new Map(tree.map((record) => [record.id, record])), flat: new Set(flat.map(({ id }) => id)), table }
}

export type KilledProject = {
  readonly projectDir: string
  /** Ids of the records an operator was told of. */
  readonly acknowledged: Set<string>
  rounds: number
}

export function projectToKill(projectDir: string): KilledProject {
  return { projectDir, acknowledged: new Set(), rounds: 0 }
}

/**
 * Starts the loop on a project that may have seen others, kills it at a moment that `seed` and the machine decide, and checks what a
 * restart finds.
 */
export async function killRound(project: KilledProject, seed: number): Promise<void> {
  const { projectDir, acknowledged } = project
  project.rounds += 1
  const number = numbersOf(seed)
  const after = 1 + number(7)
  const delay = number(3000) / 1000
  let seen = 0
  const start = Date.UTC(2026, 0, 1) + seed * 10_000_000
  const { lines, signal, err } = await runProgram('gate-loop', [projectDir, `${seed}`, `${start}`], (_, kill) => {
    if (++seen !== after) return
    const end = performance.now() + delay
    while (performance.now() < end); // finer than a timer
    kill()
  })
  expect([signal, err]).toEqual(['SIGKILL', ''])
  const told = lines.slice(1).map((line) => line.split(' ')[0] ?? '')
  for (const id of told) acknowledged.add(id)

  restart(projectDir, start + 1_000_000)
  const { tree, flat, table } = keptRecords(projectDir)
  for (const id of acknowledged) expect([id, tree.has(id), flat.has(id), table.has(id)]).toEqual([id, true, true, true])
  // At most one per kill was on its way, and nothing is in the table that is not in the tree.
  expect([...table].filter((id) => !tree.has(id))).toEqual([])
  expect(tree.size - acknowledged.size).toBeLessThanOrEqual(project.rounds)
  const content = keptContent(projectDir)
  const again = restart(projectDir, start + 2_000_000)
  expect(again.engine.report.recovery.events).toEqual([])
  expect(keptContent(projectDir)).toBe(content)
}

/** Starts a gate in this process and ends it in order. */
function restart(projectDir: string, now = Date.UTC(2027, 0, 1)): RunningGate {
  const gate = startGate(projectDir, { clock: tickingClock(now) })
  gate.engine.close()
  return gate
}

function treeFiles(projectDir: string): readonly string[] {
  const root = join(projectDir, '.ghyll/attestations')
  if (!existsSync(root)) return []
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => `.ghyll/attestations/${name}`)
    .toSorted()
}

function recordsIn(path: string): readonly Attestation[] {
  if (!existsSync(path)) return []
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => readLine(line).record ?? [])
}
