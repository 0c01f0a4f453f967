import { sha256Hex } from '../lib/hash.ts'
import type { Checkpoint, HashedFields, ResumedFrom } from './record.ts'

/**
 * A string of the canonical form (MEM-010 rule 6): JSON with `<`, `>`, `&`, U+2028 and U+2029 escaped and lone surrogates replaced.
 * Files on the memory branch use the same escapes (MEM-062).
 */
export function canonicalString(text: string): string {
  return JSON.stringify(text.toWellFormed()).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
  )
}

/** `resumed_from` in its own, unsorted order (MEM-010 rule 5). */
export function canonicalResumedFrom({ session, hash }: ResumedFrom): string {
  return `{"session":${canonicalString(session)},"hash":${canonicalString(hash)}}`
}

/** A list of strings; null and empty differ (MEM-010 rule 4). */
export function canonicalList(list: readonly string[] | null): string {
  return list === null ? 'null' : `[${list.map(canonicalString).join(',')}]`
}

/** The one text whose UTF-8 bytes are hashed (MEM-010). */
export function canonicalText(record: HashedFields): string {
  const members: readonly (string | null)[] = [
    `"author":${canonicalString(record.author)}`,
    `"branch":${canonicalString(record.branch)}`,
    `"device":${canonicalString(record.device)}`,
    `"files":${canonicalList(record.files)}`,
    record.injections.length === 0 ? null : `"injections":${canonicalList(record.injections)}`,
    `"model":${canonicalString(record.model)}`,
    `"parent":${canonicalString(record.parent)}`,
    record.planMode ? '"plan_mode":true' : null,
    `"repo":${canonicalString(record.repo)}`,
    record.resumedFrom === null ? null : `"resumed_from":${canonicalResumedFrom(record.resumedFrom)}`,
    `"session":${canonicalString(record.session)}`,
    `"summary":${canonicalString(record.summary)}`,
    `"tools":${canonicalList(record.tools)}`,
    `"ts":${record.ts}`,
    `"turn":${record.turn}`,
    `"v":${record.v}`
  ]
  return `{${members.filter((member) => member !== null).join(',')}}`
}

/** Hash of a record as it stands, 64 lower-case hex digits (MEM-010). */
export function hashOf(record: HashedFields): string {
  return sha256Hex(canonicalText(record))
}

/**
 * Whether the stored hash is that of the content. Stores and older writers conflate null and `[]`, so every combination of an empty
 * `files` or `tools` is tried (MEM-018).
 */
export function hashMatches(record: Checkpoint): boolean {
  return readings(record.files).some((files) =>
    readings(record.tools).some((tools) => hashOf({ ...record, files, tools }) === record.hash)
  )
}

function readings(list: readonly string[] | null): readonly (readonly string[] | null)[] {
  return list === null || list.length === 0 ? [[], null] : [list]
}
