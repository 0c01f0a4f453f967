import type { ToolRow } from './model.ts'

// The argument that says most about a call, by tool; of an unknown tool the first one.
const mainNames: Readonly<Record<string, string>> = {
  bash: 'command',
  read_file: 'path',
  write_file: 'path',
  edit_file: 'path',
  grep: 'pattern',
  glob: 'pattern',
  git: 'args',
  web_fetch: 'url',
  web_search: 'query',
  agent: 'task',
  enter_plan_mode: 'reason'
}

/** The main argument of a call as text from outside; empty when there is none. */
export function mainArgument(row: Pick<ToolRow, 'name' | 'arguments' | 'origin'>): string {
  if (row.origin === 'operator') return row.arguments
  const entries = argumentEntries(row.arguments)
  const name = Object.hasOwn(mainNames, row.name) ? mainNames[row.name] : undefined
  const [, value = ''] = entries.find(([key]) => key === name) ?? entries[0] ?? []
  return value
}

/** The arguments by name, values as text. What is no JSON object, such as a call cut short, is one value without a name. */
export function argumentEntries(json: string): readonly (readonly [name: string, value: string])[] {
  if (json.trim() === '') return []
  let parsed: unknown
  try {
    parsed = JSON.parse(json)
  } catch {
    return [['arguments', json]] // Shown as it came.
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return [['arguments', json]]
  return Object.entries(parsed).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value)
  ])
}
