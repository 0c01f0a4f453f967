import { sha256Hex } from '../../../lib/hash.ts'
import type { AttestationPlace } from '../../runner/index.ts'
import { AttestationFailure } from '../errors.ts'

export type PathComponent = 'context' | 'stratum' | 'role-pair' | 'pass-id'

export type EncodedPath = {
  /** Below the tree root, five names: version, context, stratum, role pair, file. */
  readonly segments: readonly string[]
  /** Components that a hash stands for, to be told in `reason` (ATT-424). */
  readonly replaced: readonly PathComponent[]
}

/**
 * Where a record belongs in the tree, from the record alone (ATT-400…424). Throws `attestation-pass-id-empty`. Readers never parse
 * a path, they read what is in the files (ATT-500).
 */
export function encodePath(record: AttestationPlace): EncodedPath {
  if (record.passId === '') throw new AttestationFailure('attestation-pass-id-empty', '')
  const isInit = record.attestedByRole.toLowerCase() === 'init'
  const raw: Record<PathComponent, string> = {
    context: isInit ? 'init' : record.context,
    stratum: `stratum-${isInit ? 'init' : record.stratum}`,
    'role-pair': rolePair(record, isInit),
    'pass-id': record.passId
  }
  const replaced: PathComponent[] = []
  const names = Object.entries(raw).map(([key, value]) => {
    const component = key as PathComponent
    const suffix = component === 'pass-id' ? '.jsonl' : ''
    const name = sanitise(value) + suffix
    if (name !== '' && name !== '.' && name !== '..' && name.length <= maxComponentBytes) return name
    replaced.push(component)
    return `h-${sha256Hex(value).slice(0, 16)}${suffix}`
  })
  return { segments: [`v${record.gridVersion}`, ...names], replaced }
}

/** The note a shortened path leaves in the record (ATT-424). */
export function withPathNote(reason: string, replaced: readonly PathComponent[]): string {
  if (replaced.length === 0) return reason
  const note = `path-truncated:${replaced.join(',')}`
  return reason === '' ? note : `${reason} ${note}`
}

/** Longest name most file systems take, in bytes; after `sanitise` a character is a byte. */
const maxComponentBytes = 255

function rolePair({ sourceRole, targetRole, adversaryRole }: AttestationPlace, isInit: boolean): string {
  if (isInit) return targetRole === '' ? 'init' : `init__${targetRole}`
  const chain = adversaryRole === '' ? [sourceRole, targetRole] : [sourceRole, adversaryRole, targetRole]
  return chain.join('__')
}

/** Byte by byte over UTF-8, so that no glyph gets through that looks like another (ATT-422). */
function sanitise(text: string): string {
  return Buffer.from(text, 'utf8')
    .toString('latin1')
    .replace(/[^A-Za-z0-9_.-]/g, '_')
}
