import { type Document, isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, YAMLError } from 'yaml'
import { Failure, messageOf } from '../../lib/error.ts'

/** Largest grid file, in bytes (INIT-71). */
export const maxYamlBytes = 8 * 1024 * 1024
/** Most nodes that aliases may stand for in a document (INIT-71). */
const maxAliasNodes = 10_000

export type YamlResult =
  | { readonly value: unknown }
  /** `line` is 1-based; null when the problem has no place. */
  | { readonly problem: string; readonly line: number | null }

/**
 * Reads one YAML document from a file that anybody may have written: no duplicate keys, no tags beyond the core ones, no second
 * document, no aliases that explode, bounded size (INIT-71). Never throws for bad text.
 */
export function parseSafeYaml(text: string): YamlResult {
  const size = Buffer.byteLength(text)
  if (size > maxYamlBytes) return { problem: `larger than 8 MiB (${size} bytes)`, line: null }
  const lines = new LineCounter()
  try {
    const document = parseDocument(text, {
      // The library compares every key with every other one; `check` does it in one go.
      uniqueKeys: false,
      strict: true,
      resolveKnownTags: false,
      lineCounter: lines,
      prettyErrors: false
    })
    // A warning is an unknown tag and the like.
    const fault = document.errors[0] ?? document.warnings[0]
    if (fault !== undefined) return { problem: firstLine(fault), line: lines.linePos(fault.pos[0]).line }
    check(document)
    return { value: document.toJS({ maxAliasCount: -1 }) }
  } catch (thrown) {
    const offset = thrown instanceof Unwanted ? thrown.offset : null
    // Nesting beyond what recursion can follow ends up here as well.
    return { problem: firstLine(thrown), line: offset === null ? null : lines.linePos(offset).line }
  }
}

class Unwanted extends Failure {
  readonly code = 'yaml-unwanted'
  readonly offset: number | null
  constructor(problem: string, node: unknown) {
    super(problem)
    this.offset = isNode(node) ? (node.range?.[0] ?? null) : null
  }
}

function firstLine(thrown: unknown): string {
  const text = messageOf(thrown).split('\n', 1)[0] ?? ''
  return thrown instanceof YAMLError ? `${thrown.code}: ${text}` : text
}

/** Deepest nesting of a document. No key of a grid file needs a tenth of it, and what is read is walked by recursion. */
const maxNesting = 100

/** Throws `Unwanted` for keys that are no plain names or repeat, for aliases that add too much, and for nesting beyond reason. */
function check(document: Document.Parsed): void {
  /** Nodes below a node with every alias replaced by a copy; Infinity while it is being counted, for it would contain itself. */
  const sizes = new Map<unknown, number>()
  // The library looks through the whole document for every alias; an anchor stands before all that name it.
  const anchors = new Map<string, unknown>()
  const note = (node: unknown) => {
    if (isNode(node) && !isAlias(node) && node.anchor !== undefined) anchors.set(node.anchor, node)
  }
  let added = 0
  const sizeOf = (node: unknown, depth: number): number => {
    if (depth > maxNesting) throw new Unwanted(`nested deeper than ${maxNesting} levels`, node)
    const known = sizes.get(node)
    if (known !== undefined) return known
    if (isAlias(node)) {
      const size = sizeOf(anchors.get(node.source), depth)
      added += size
      if (added > maxAliasNodes) throw new Unwanted(`anchors expand beyond ${maxAliasNodes} nodes`, node)
      return size
    }
    note(node)
    sizes.set(node, Number.POSITIVE_INFINITY)
    let size = 1
    if (isSeq(node)) for (const item of node.items) size += sizeOf(item, depth + 1)
    if (isMap(node)) {
      const keys = new Set<string>()
      for (const { key, value } of node.items) {
        if (!isScalar(key) || key.value === '__proto__') throw new Unwanted('a key has to be a plain name', key ?? node)
        note(key)
        const name = String(key.value)
        if (keys.has(name)) throw new Unwanted(`duplicate key "${name}"`, key)
        keys.add(name)
        size += sizeOf(value, depth + 1)
      }
    }
    sizes.set(node, size)
    return size
  }
  sizeOf(document.contents, 0)
}
