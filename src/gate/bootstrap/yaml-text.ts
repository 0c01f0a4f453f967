import type { ArgValue } from '../../protocol/grid.ts'

// How a grid file is laid out (worked example of the init document): lists in block form, and what belongs together, a clause or a line
// of residue, as one flow map that wraps. The yaml package has no such layout, so it reads these files and this writes them.

export type YamlEntry = readonly [key: string, value: ArgValue | undefined]

const width = 118

/** A string, number, boolean or null in any place; text that a reader could take for something else is quoted. */
export function scalar(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return Object.is(value, -0) ? '0' : String(value)
  if (plain.test(value) && !/[ .→/_-]$|: | #/.test(value) && !otherwise.test(value)) return value
  return quoted(value)
}

// Letters that mean nothing to YAML wherever they stand, also inside braces.
const plain = /^[A-Za-z_][A-Za-z0-9 _./→—–@()+;'’-]*$/
/** Words that are, or in some readers were, other than text. */
const otherwise = /^(?:null|true|false|yes|no|on|off|y|n|~|[+-]?\.?(?:inf|nan))$/i

/** JSON's quoting, with everything escaped that YAML holds for unprintable or for a line end. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(/[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

/** A value in flow form on one line; entries without a value are left out. */
export function flow(value: ArgValue): string {
  if (value === null || typeof value !== 'object') return scalar(value)
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`
  return flowMap(Object.entries(value))
}

function flowMap(entries: readonly YamlEntry[]): string {
  const parts = pairs(entries)
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`
}

function pairs(entries: readonly YamlEntry[]): string[] {
  return entries.flatMap(([key, value]) => (value === undefined ? [] : [`${scalar(key)}: ${flow(value)}`]))
}

/** A list item as one flow map: `- { a: 1, … }`, wrapped between its entries with four more columns of indent. */
export function flowItem(indent: string, entries: readonly YamlEntry[]): string {
  const lines: string[] = []
  let line = `${indent}- {`
  for (const [n, part] of pairs(entries).entries()) {
    const piece = n === 0 ? ` ${part}` : `, ${part}`
    if (n > 0 && line.length + piece.length + 2 > width) {
      lines.push(`${line},`)
      line = `${indent}    ${part}`
    } else line += piece
  }
  return `${[...lines, `${line} }`].join('\n')}\n`
}

/** `key: value` lines; entries without a value are left out. */
export function keyLines(indent: string, entries: readonly YamlEntry[]): string {
  return pairs(entries)
    .map((pair) => `${indent}${pair}\n`)
    .join('')
}

/** `key:` with items below it, or `key: []`. */
export function list(indent: string, key: string, items: readonly string[]): string {
  return items.length === 0 ? `${indent}${key}: []\n` : `${indent}${key}:\n${items.join('')}`
}
