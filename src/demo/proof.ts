import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { execa } from 'execa'
import { processesOf } from '../platform/process-list.ts'
import type { DemoPlace } from './sample.ts'

// How the tour looks at what happened without asking the program: the files, the processes and the store's own tables.

/** Thrown by a step whose effect is not there; the message says what was expected and what was seen. */
class NotProved extends Error {}

/** Stops the step unless `holds`. */
export function prove(holds: boolean, otherwise: string): void {
  if (!holds) throw new NotProved(otherwise)
}

/** The text of a file of the project; a missing one is the empty text. */
export async function fileText(place: DemoPlace, path: string): Promise<string> {
  return await readFile(join(place.project, path), 'utf8').catch(() => '')
}

/** Runs a program in the project by the tour's own hand. */
export async function run(place: DemoPlace, command: string, args: readonly string[]) {
  return await execa(command, args, { cwd: place.project, env: place.env, extendEnv: false, reject: false })
}

type Rows = Record<string, unknown>[]

/** Rows of the session store, read beside the session through a connection of its own. */
export function storeRows(place: DemoPlace, sql: string, ...values: readonly (string | number)[]): Rows {
  return rowsOf(place, 'session.db', sql, values)
}

/** Rows of the gate's store, read the same way. */
export function gateRows(place: DemoPlace, sql: string, ...values: readonly (string | number)[]): Rows {
  return rowsOf(place, 'engine.db', sql, values)
}

/** Rows of the visitor's memory, which is in the home. */
export function memoryRows(place: DemoPlace, sql: string, ...values: readonly (string | number)[]): Rows {
  return rowsOf({ project: place.home }, 'memory.db', sql, values)
}

function rowsOf(
  { project }: Pick<DemoPlace, 'project'>,
  name: string,
  sql: string,
  values: readonly (string | number)[]
): Rows {
  const database = new Database(join(project, '.ghyll', name), { readonly: true, fileMustExist: true })
  try {
    return database.prepare<unknown[], Record<string, unknown>>(sql).all(...values)
  } finally {
    database.close()
  }
}

/** Waits for a file the sample's command writes; the number in it. */
export async function numberFrom(place: DemoPlace, path: string, limitMs: number): Promise<number> {
  for (const start = performance.now(); performance.now() - start < limitMs; await sleep(20)) {
    const text = await fileText(place, path)
    if (/^\d+\n$/.test(text)) return Number(text)
  }
  throw new NotProved(`${path} did not appear within ${limitMs / 1000} s`)
}

/** Milliseconds until no process of the group is left; fails after `limitMs`. */
export async function groupGone(leader: number, limitMs: number): Promise<number> {
  const start = performance.now()
  while (processesOf(leader).length > 0) {
    if (performance.now() - start > limitMs)
      throw new NotProved(`process group ${leader} still runs after ${limitMs} ms`)
    await sleep(10)
  }
  return Math.round(performance.now() - start)
}
