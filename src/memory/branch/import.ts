import { join } from 'node:path'
import { hashMatches } from '../canonical.ts'
import { chainNotice, examineChain } from '../chain.ts'
import { keyFileCapBytes, readPublicPem } from '../key-files.ts'
import { type Checkpoint, zeroHash } from '../record.ts'
import { distrustFailure } from '../trust.ts'
import { distrust } from '../verify.ts'
import type { BranchContext } from './context.ts'
import { chainsFolder, checkpointsFolder, devicesFolder } from './layout.ts'
import { checkpointsIn } from './own-files.ts'
import { chainEntries, namesIn, readCapped, readCheckpoint } from './read-files.ts'

export type Imported = { readonly count: number; readonly authors: ReadonlySet<string> }

/**
 * Takes over what others wrote to the branch, as it stands in the worktree: keys first, then chain by chain (MEM-081…084). Files that
 * are too large, malformed or not what their name says are skipped with a log line (MEM-065); a record that does not verify is taken
 * in as unverified. Nothing of this device is taken: the store alone says what that remembered.
 */
export async function importBranch(context: BranchContext, folder: string): Promise<Imported> {
  const calm = { ...context, tell: firstFew(context) }
  await importKeys(calm, folder)
  const { device: own, repoHash } = context
  let count = 0
  const authors = new Set<string>()
  const taken = (records: readonly Checkpoint[]) => {
    count += records.length
    for (const { author } of records) authors.add(author)
  }
  const inChains = new Set<string>()
  for (const name of await namesIn(join(folder, chainsFolder(repoHash)), '.jsonl')) {
    const entries = await chainEntries(context, join(folder, chainsFolder(repoHash), `${name}.jsonl`))
    for (const { hash } of entries) inChains.add(hash)
    if (name === own) continue
    let seen: Seen | null = null
    for await (const records of newInChain(calm, folder, name, entries)) {
      seen ??= await seenOf(calm, name)
      const broken = judgeLinks(calm, name, records, seen)
      taken(keep(calm, records, ({ hash }) => !broken.has(hash)))
    }
  }
  // Records that no chain file names are taken in, but never as verified (MEM-082).
  for await (const records of strays(calm, folder, inChains)) taken(keep(calm, records, () => false))
  return { count, authors }
}

/** Whether this is taken in before more is read: a branch may hold any number of records of a MiB, and others have to run meanwhile. */
function isEnough(found: readonly Checkpoint[]): boolean {
  return found.length >= 100 || found.reduce((sum, { summary }) => sum + summary.length, 0) > 1024 * 1024
}

/** Lines that one import may tell the operator; the log has all. */
const toldAtOnce = 5

function firstFew({ tell, log }: Pick<BranchContext, 'tell' | 'log'>): BranchContext['tell'] {
  const told = new Set<string>()
  return (level, text) => {
    if (told.size < toldAtOnce || told.has(text)) tell(level, text)
    else log(`memory: ${text}`, 'warning')
    if (told.size === toldAtOnce && !told.has(text)) tell('warning', 'more of this kind is in the log')
    told.add(text)
  }
}

async function importKeys({ device: own, store, clock, tell, log }: BranchContext, folder: string): Promise<void> {
  for (const device of await namesIn(join(folder, devicesFolder), '.pub')) {
    if (device === own) continue
    const text = await readCapped(join(folder, devicesFolder, `${device}.pub`), keyFileCapBytes)
    const found = text === null ? { problem: 'not a file of a few bytes' } : readPublicPem(text)
    if ('problem' in found) log(`memory: key of @${device} skipped: ${found.problem}`, 'warning')
    else if (store.keys.pin(device, found.pem, clock.now()) === 'changed')
      tell('warning', `public key of @${device} changed; ignoring`)
  }
}

/** The records of a chain that are not stored yet, up to the first without a file. */
async function* newInChain(
  context: BranchContext,
  folder: string,
  device: string,
  entries: readonly { readonly hash: string }[]
): AsyncGenerator<readonly Checkpoint[]> {
  const { store, log } = context
  let found: Checkpoint[] = []
  for (const { hash } of entries) {
    if (store.has(hash)) continue
    const record = await readCheckpoint(context, folder, hash)
    if (record === 'missing') {
      log(`memory: ${hash.slice(0, 12)} of @${device} has no file yet; the rest of its chain waits`)
      break
    }
    if (record !== null && record.device === device) found.push(record)
    else if (record !== null)
      log(`memory: ${hash.slice(0, 12)} is not from @${device}, whose chain names it; skipped`, 'warning')
    if (!isEnough(found)) continue
    yield found
    found = []
  }
  if (found.length > 0) yield found
}

async function* strays(
  context: BranchContext,
  folder: string,
  inChains: ReadonlySet<string>
): AsyncGenerator<readonly Checkpoint[]> {
  const { store, repoHash, device: own } = context
  let found: Checkpoint[] = []
  for (const hash of await checkpointsIn(join(folder, checkpointsFolder(repoHash)))) {
    if (inChains.has(hash) || store.has(hash)) continue
    const record = await readCheckpoint(context, folder, hash)
    if (record !== null && record !== 'missing' && record.device !== own) found.push(record)
    if (!isEnough(found)) continue
    yield found
    found = []
  }
  if (found.length > 0) yield found
}

/** What is known of a chain while it is taken in. */
type Seen = {
  /** By hash, whether a sound line of descent leads there. */
  readonly sound: Map<string, boolean>
  readonly parents: Set<string>
}

async function seenOf({ trust, repo }: BranchContext, device: string): Promise<Seen> {
  const known = await trust.links({ device, repo })
  const { broken } = examineChain(known)
  return {
    sound: new Map(known.map(({ hash }) => [hash, !broken.has(hash)])),
    parents: new Set(known.map(({ parent }) => parent))
  }
}

/** Tells of breaks and forks that `records` bring, and returns which of them hang on a break (MEM-053, MEM-054, MEM-081). */
function judgeLinks(
  { tell }: BranchContext,
  device: string,
  records: readonly Checkpoint[],
  { sound, parents }: Seen
): ReadonlyMap<string, string> {
  const arriving = records.map((record) => ({ hash: record.hash, parent: record.parent, intact: hashMatches(record) }))
  const behind = [...new Set(records.map(({ parent }) => parent))].filter((hash) => sound.has(hash))
  const known = behind.map((hash) => ({ hash, parent: zeroHash, intact: sound.get(hash) === true }))
  const { broken } = examineChain([...known, ...arriving])
  const arrived = new Set(records.map(({ hash }) => hash))
  for (const fault of new Set(broken.values()))
    if (arrived.has(fault)) tell('warning', chainNotice('broken', fault, device))
  for (const { hash, parent } of arriving) {
    if (parent !== zeroHash && parents.has(parent)) tell('warning', chainNotice('forks', parent, device))
    parents.add(parent)
    sound.set(hash, !broken.has(hash))
  }
  return broken
}

function keep(
  { store, clock, log, tell }: BranchContext,
  found: readonly Checkpoint[],
  isLinked: (record: Checkpoint) => boolean
): readonly Checkpoint[] {
  const judged = found.map((record) => {
    const reason = distrust(record, store.keys.keyFor)
    if (reason !== null) {
      const { code, message } = distrustFailure(record, { trusted: false, reason })
      log(`memory: ${record.hash.slice(0, 12)}: ${code}: ${message}`, 'warning')
      if (code === 'hash-mismatch') tell('warning', message)
    }
    return { record, verified: reason === null && isLinked(record) }
  })
  store.importAll(judged, clock.now())
  return found
}
