import type { ArgValue } from '../../protocol/grid.ts'

// How a grid file is laid out: lists in block form, and what belongs together, a clause or a line
// of residue, as one flow map that wraps. The yaml package has no such layout, so it reads these files and this writes them.

export type YamlEntry = readonly [key: string, value: ArgValue | undefined]

const width = 118

/** A string, number, boolean or null in any place; text that a reader could take for something else is quoted. */
function scalar(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return Object.is(value, -0) ? '0' : String(value)
  if (unlikeNumber.test(value)) return value
  if (plain.test(value) && !/ $|: | #/.test(value) && !otherwise.test(value)) return value
  return quoted(value)
}

// Letters that mean nothing to YAML wherever they stand, also inside braces.
const plain = /^[A-Za-z_][A-Za-z0-9 _./→—–@()+;'’-]*$/
/** Durations and times, which begin with a digit and are no numbers. */
const unlikeNumber = /^(?:\d+(?:ms|s|m|h))+$|^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/
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

/** A list item as one flow map: `- { a: 1, … }`, wrapped between its entries, and within one that is wider than a line. */
export function flowItem(indent: string, entries: readonly YamlEntry[]): string {
  const wrap = wrapper(`${indent}- {`, `${indent}    `)
  for (const [key, value] of entries) {
    if (value === undefined) continue
    const whole = `${scalar(key)}: ${flow(value)}`
    if (wrap.fitsOnLine(whole) || !isMap(value)) wrap.add(whole)
    else {
      const inner = pairs(Object.entries(value))
      const last = inner.length - 1
      for (const [n, part] of inner.entries())
        wrap.add(
          `${n === 0 ? `${scalar(key)}: { ` : '  '}${part}${n === last ? ' }' : ''}`,
          n === 0 ? 'break' : 'inner'
        )
    }
  }
  return `${wrap.text()} }\n`
}

/** Lines of parts with commas between them. */
function wrapper(start: string, indent: string) {
  const lines: string[] = []
  let line = start
  let isFirst = true
  return {
    fitsOnLine: (part: string) => indent.length + part.length + 2 <= width,
    add(part: string, mode: 'break' | 'inner' | 'flow' = 'flow') {
      const text = mode === 'inner' && line.length + part.trimStart().length + 4 <= width ? part.trimStart() : part
      if (isFirst) line += ` ${text}`
      else if (mode !== 'break' && line.length + text.length + 4 <= width) line += `, ${text}`
      else {
        lines.push(`${line},`)
        line = indent + text
      }
      isFirst = false
    },
    text: () => [...lines, line].join('\n')
  }
}

function isMap(value: ArgValue): value is { readonly [key: string]: ArgValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
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
