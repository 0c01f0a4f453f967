import type { Database, Statement } from 'better-sqlite3'
import { cutText } from './text.ts'

// One change of one row, ready to be written. The check comes first and is ours, so that what is refused is told in our words and the
// constraints of the file are the second line (PERS-230).

export type RowWrite = {
  readonly table: string
  /** With the table it names the row, and with `what` the change, in the dirty map (PERS-304). */
  readonly key: string
  /** The first column that breaks a rule, or null. */
  readonly problem: string | null
  apply(sql: Sql): void
}

/** Statements of one connection, prepared once. */
export interface Sql {
  run(statement: string, parameters: Row): number
}

export type Row = Readonly<Record<string, string | number | bigint | null>>

/** Statements of one open store, each prepared once. */
export function createSql(db: Database): Sql {
  const prepared = new Map<string, Statement<[Row]>>()
  return {
    run(statement, parameters) {
      let found = prepared.get(statement)
      if (found === undefined) {
        found = db.prepare<[Row]>(statement)
        prepared.set(statement, found)
      }
      return found.run(parameters).changes
    }
  }
}

/** `INSERT INTO table (…) VALUES (…)` with one named parameter per column. */
export function insertInto(table: string, row: Row, verb = 'INSERT'): string {
  const columns = Object.keys(row)
  return `${verb} INTO ${table} (${columns.join(', ')}) VALUES (${columns.map((name) => `@${name}`).join(', ')})`
}

/** A row read from disk that cannot be what we wrote; its text names the problem (PERS-413). */
export class BadRow extends Error {}

/** The first problem in the form `engine: <table>: <column>: <problem>`, or null (PERS-230). */
export function firstProblem(table: string, checks: readonly (readonly [string, string | null])[]): string | null {
  for (const [column, problem] of checks) if (problem !== null) return `engine: ${table}: ${column}: ${problem}`
  return null
}

/** What is wrong with a text that must not be empty, or null (PERS-230). */
export function emptyProblem(value: string): string | null {
  return value.trim() === '' ? 'empty' : null
}

/** What is wrong with a word of a closed set, or null (PERS-230). */
export function wordProblem(value: string, words: readonly string[]): string | null {
  return words.includes(value) ? null : `"${cutText(value)}" not in {${words.join(', ')}}`
}

/** What is wrong with a whole number of a range, or null (PERS-230). */
export function rangeProblem(value: unknown, least: number, most: number): string | null {
  const fits = typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
  return fits ? null : `${cutText(String(value))} not in ${least}..${most}`
}

/** Whether a text holds JSON of the wanted shape (PERS-230). */
export function jsonProblem(text: string, shape: 'array' | 'object'): string | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return `"${cutText(text)}" is no JSON`
  }
  const fits = shape === 'array' ? Array.isArray(value) : isObject(value)
  return fits ? null : `"${cutText(text)}" is no JSON ${shape}`
}

/** Whether a JSON value is an object, and no array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads a row's JSON column. Throws `BadRow` (PERS-413). */
export function parseArray(column: string, text: string): readonly unknown[] {
  const problem = jsonProblem(text, 'array')
  if (problem !== null) throw new BadRow(`${column}: ${problem}`)
  return JSON.parse(text) as unknown[]
}

/** Passes a value that was read on, or throws `BadRow` with the problem (PERS-413). */
export function sound<T>(column: string, value: T, problem: string | null): T {
  if (problem !== null) throw new BadRow(`${column}: ${problem}`)
  return value
}
