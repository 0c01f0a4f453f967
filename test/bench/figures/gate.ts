import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { diskSteps } from '../../../src/gate/engine/attestations/append.ts'
import { storePath } from '../../../src/gate/engine/database.ts'
import { snapshotOf } from '../../../src/gate/runner/snapshot.ts'
import { statusBlock } from '../../../src/gate/runner/texts/project.ts'
import type { Grid } from '../../../src/protocol/grid.ts'
import { answer, openWaitingPass, type RunningGate, startGate } from '../../support/engine.ts'
import { arrowOf, attestedClause, gridOf, machineClause } from '../../support/grid.ts'
import { type Figure, median, percentile, type Row } from '../figure.ts'

/** Clauses that ask on each of the arrows that are answered. */
const asked = Array.from({ length: 100 }, (_, n) => `C${n + 11}`)

/** Tree, flat file, event log and the store's log: what one verdict has to reach before it is called recorded. */
const filesOfVerdict = 4
const lineBytes = 700

/**
 * PERS-301, ATT-300: a verdict beside the bare fsyncs it needs on the same disk; a start behind a long history; `/status` of a large
 * grid. In this process, on files of the temporary folder.
 */
export const gate: Figure = {
  name: 'gate',
  id: 'ATT-300',
  async measure(_bench, { runs, evaluations, arrows }) {
    const folder = mkdtempSync(join(tmpdir(), 'ghyll-bench-'))
    try {
      return [
        ...verdicts(join(folder, 'verdicts'), Math.min(asked.length, runs * 20)),
        bareSyncs(folder, runs * 20),
        ...starts(join(folder, 'starts'), evaluations, runs),
        ...status(join(folder, 'status'), arrows, runs)
      ]
    } finally {
      rmSync(folder, { recursive: true })
    }
  }
}

function verdicts(projectDir: string, count: number): Row[] {
  const { gates, engine } = startGate(projectDir, { grid: gridOfArrows(1) })
  const pass = openWaitingPass(gates, 'analyst→architect/c0', asked.slice(0, count))
  const took = asked.slice(0, count).map((clauseId) => timed(() => answer(gates, pass, clauseId, 'pass')))
  engine.close()
  return [
    { what: 'record a verdict: tree, flat file, event log, store', value: median(took), unit: 'ms', note: worst(took) }
  ]
}

function bareSyncs(folder: string, count: number): Row {
  const line = Buffer.alloc(lineBytes, 'x')
  const files = Array.from({ length: filesOfVerdict }, (_, n) => openSync(join(folder, `bare-${n}`), 'a'))
  const took = Array.from({ length: count }, () =>
    timed(() => {
      for (const file of files) {
        writeSync(file, line)
        fsyncSync(file)
      }
    })
  )
  for (const file of files) closeSync(file)
  const what = `${filesOfVerdict} appended lines of ${lineBytes} bytes, each with its fsync`
  return { what, value: median(took), unit: 'ms', note: `for comparison; ${worst(took)}` }
}

function starts(projectDir: string, evaluations: number, runs: number): Row[] {
  const attestations = evaluations / 10
  fill(projectDir, attestations, evaluations)
  const took: number[] = []
  for (let run = 0; run <= runs; run += 1) {
    let gate: RunningGate | null = null
    took.push(timed(() => (gate = startGate(projectDir, { grid: gridOfArrows(attestations / asked.length) }))))
    ;(gate as RunningGate | null)?.engine.close()
  }
  const [first = Number.NaN, ...rest] = took
  const behind = `${evaluations.toLocaleString('en')} evaluations and ${attestations.toLocaleString('en')} attestations`
  return [
    { what: `start of the gate behind ${behind}`, value: median(rest), unit: 'ms', note: worst(rest) },
    { what: 'the first one', value: first, unit: 'ms' }
  ]
}

/** Verdicts on as many arrows as are needed, without waiting for the disk, and evaluations as copies of those there are. */
function fill(projectDir: string, attestations: number, evaluations: number): void {
  const arrows = attestations / asked.length
  const steps = { ...diskSteps, sync: () => undefined, syncFolder: () => undefined }
  const { gates, engine } = startGate(projectDir, { grid: gridOfArrows(arrows), steps })
  for (let n = 0; n < arrows; n += 1) {
    const pass = openWaitingPass(gates, `analyst→architect/c${n}`, asked)
    for (const clauseId of asked) answer(gates, pass, clauseId, 'pass')
    gates.passes.close(pass, 'complete', {})
  }
  engine.close()
  const db = new Database(storePath(projectDir))
  const columns = db.prepare<[], { name: string }>('PRAGMA table_info(evaluation_runs)').all()
  const names = columns.map(({ name }) => name).filter((name) => name !== 'id')
  const count = () => Number(db.prepare('SELECT count(*) FROM evaluation_runs').pluck().get())
  for (let copy = 1; count() < evaluations; copy += 1) {
    db.prepare(
      `INSERT INTO evaluation_runs (id, ${names.join(', ')}) SELECT id || '-copy${copy}', ${names.join(', ')} FROM evaluation_runs WHERE id NOT LIKE '%-copy%'`
    ).run()
  }
  db.close()
}

function status(projectDir: string, arrows: number, runs: number): Row[] {
  const { gates, engine } = startGate(projectDir, { grid: gridOfArrows(arrows, ['C11']) })
  const facts = {
    verdictsWaiting: 0,
    adversary: '',
    unsavedRows: 0,
    eventLogFailures: 0,
    missingBindings: [],
    onTheSpotThisSession: 0
  }
  const took = Array.from({ length: 10 * runs }, () =>
    timed(() => {
      const snapshot = snapshotOf(gates)
      if (snapshot !== null) statusBlock(snapshot, facts)
    })
  )
  engine.close()
  return [
    { what: `/status with ${arrows.toLocaleString('en')} arrows`, value: median(took), unit: 'ms', note: worst(took) }
  ]
}

function gridOfArrows(count: number, clauses: readonly string[] = asked): Grid {
  const contexts = Array.from({ length: count }, (_, n) => `c${n}`)
  return gridOf({
    boundedContexts: contexts.map((id) => ({ id, description: null })),
    arrows: contexts.map((context) =>
      arrowOf({
        id: `analyst→architect/${context}`,
        context,
        stratum: 'L0',
        clauses: [machineClause(), ...clauses.map((id) => attestedClause({ id, depth: 'depth-robust', minTier: 0 }))]
      })
    )
  })
}

function timed(work: () => unknown): number {
  const began = performance.now()
  work()
  return performance.now() - began
}

const worst = (values: readonly number[]) => `worst ${percentile(values, 1).toFixed(1)} ms`
