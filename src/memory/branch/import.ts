import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { systemCodeOf } from '../../lib/error.ts'
import { hashMatches, sha256Hex } from '../canonical.ts'
import { chainNotice, examineChain } from '../chain.ts'
import { readPublicPem } from '../key-files.ts'
import { type Checkpoint, isSafeSegment, parseRecord } from '../record.ts'
import { chainFileCapBytes, readChainFile, recordFileCapBytes } from '../record-file.ts'
import { distrust } from '../verify.ts'
import type { BranchContext } from './context.ts'
import { chainsFolder, checkpointPath, checkpointsFolder, devicesFolder } from './layout.ts'
import { checkpointsIn } from './own-files.ts'

export type Imported = { readonly count: number; readonly authors: ReadonlySet<string> }

const keyFileCapBytes = 4096

/**
 * Takes over what others wrote to the branch, as it stands in the worktree: keys first, then chain by chain (MEM-081…084). Files that
 * are too large, malformed or not what their name says are skipped with a log line (MEM-065); a record whose content has another hash
 * is not taken in at all, since a row is never replaced by the right one later. Nothing of this device is taken: the store alone says
 * what that remembered.
 */
export async function importBranch(context: BranchContext, folder: string): Promise<Imported> {
  await importKeys(context, folder)
  const { device: own, repoHash } = context
  const taken: Checkpoint[] = []
  const inChains = new Set<string>()
  for (const name of await namesIn(join(folder, chainsFolder(repoHash)), '.jsonl')) {
    const entries = await chainEntries(context, join(folder, chainsFolder(repoHash), `${name}.jsonl`))
    for (const { hash } of entries) inChains.add(hash)
    if (name !== own) taken.push(...importChain(context, name, await readChain(context, folder, name, entries)))
  }
  taken.push(...(await importStrays(context, folder, inChains)))
  return { count: taken.length, authors: new Set(taken.map(({ author }) => author)) }
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

/** Entries by time: clones of one device may have appended out of turn. */
async function chainEntries({ log }: BranchContext, path: string) {
  const text = await readCapped(path, chainFileCapBytes)
  if (text === null) {
    log(`memory: ${path} skipped: not a chain file of this size`, 'warning')
    return []
  }
  const { lines, skipped } = readChainFile(text)
  if (skipped > 0) log(`memory: ${skipped} malformed lines skipped in ${path}`, 'warning')
  return lines.toSorted((a, b) => (a.ts < b.ts ? -1 : a.ts > b.ts ? 1 : 0))
}

/** The records of a chain that are not stored yet, up to the first without a file. */
async function readChain(
  context: BranchContext,
  folder: string,
  device: string,
  entries: readonly { readonly hash: string }[]
): Promise<readonly Checkpoint[]> {
  const { store, log } = context
  const found: Checkpoint[] = []
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
  }
  return found
}

function importChain(context: BranchContext, device: string, found: readonly Checkpoint[]): readonly Checkpoint[] {
  if (found.length === 0) return found
  const { store, repo, tell } = context
  const known = store.links({ device, repo })
  const links = [...known, ...found].map(({ hash, parent }) => ({ hash, parent, intact: true }))
  const { broken, forks } = examineChain(links)
  const arrived = new Set(found.map(({ hash }) => hash))
  for (const fault of new Set(broken.values()))
    if (arrived.has(fault)) tell('warning', chainNotice('broken', fault, device))
  for (const parent of forks)
    if (found.some((record) => record.parent === parent)) tell('warning', chainNotice('forks', parent, device))
  return keep(context, found, (record) => !broken.has(record.hash))
}

/** Records that no chain file names are taken in, but never as verified (MEM-082). */
async function importStrays(
  context: BranchContext,
  folder: string,
  inChains: ReadonlySet<string>
): Promise<readonly Checkpoint[]> {
  const { store, repoHash, device: own } = context
  const found: Checkpoint[] = []
  for (const hash of await checkpointsIn(join(folder, checkpointsFolder(repoHash)))) {
    if (inChains.has(hash) || store.has(hash)) continue
    const record = await readCheckpoint(context, folder, hash)
    if (record !== null && record !== 'missing' && record.device !== own) found.push(record)
  }
  return keep(context, found, () => false)
}

function keep(
  { store, clock, log }: BranchContext,
  found: readonly Checkpoint[],
  isLinked: (record: Checkpoint) => boolean
): readonly Checkpoint[] {
  const judged = found.map((record) => {
    const reason = distrust(record, store.keys.keyFor)
    if (reason !== null)
      log(`memory: ${record.hash.slice(0, 12)} of @${record.device} is unverified: ${reason}`, 'warning')
    return { record, verified: reason === null && isLinked(record) }
  })
  store.importAll(judged, clock.now())
  return found
}

/** A record fit to be taken in; null when it was skipped. */
async function readCheckpoint(
  { repoHash, log, tell }: BranchContext,
  folder: string,
  hash: string
): Promise<Checkpoint | null | 'missing'> {
  const path = join(folder, checkpointPath(repoHash, hash))
  const text = await readCapped(path, recordFileCapBytes, 'missing')
  if (text === 'missing') return text
  const parsed = text === null ? { malformed: 'not a file of this size' } : parseRecord(text)
  const skip = (why: string) => {
    log(`memory: checkpoint file ${hash.slice(0, 12)} skipped: ${why}`, 'warning')
    return null
  }
  if ('malformed' in parsed) return skip(parsed.malformed)
  const { record } = parsed
  if (record.hash !== hash) return skip('it holds another hash')
  if (sha256Hex(record.repo) !== repoHash) return skip('it belongs to another repository')
  if (hashMatches(record)) return record
  if (record.v <= 2) tell('warning', `checkpoint ${hash.slice(0, 12)} from @${record.device} was altered; ignoring`)
  return skip(record.v > 2 ? 'unverifiable version' : 'its content has another hash')
}

/** Names before `ending` that are safe segments; a missing folder is empty. */
async function namesIn(folder: string, ending: string): Promise<readonly string[]> {
  try {
    const names = (await readdir(folder)).filter((name) => name.endsWith(ending)).sort()
    return names.map((name) => name.slice(0, -ending.length)).filter(isSafeSegment)
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return []
    throw error
  }
}

/** The text of a plain file up to a size; null for anything else. A link could lead out of the worktree, so it is never followed. */
async function readCapped(path: string, capBytes: number): Promise<string | null>
async function readCapped<M>(path: string, capBytes: number, missing: M): Promise<string | null | M>
async function readCapped<M>(path: string, capBytes: number, missing: M | null = null): Promise<string | null | M> {
  try {
    const stats = await lstat(path)
    if (!stats.isFile() || stats.size > capBytes) return null
    return await readFile(path, 'utf8')
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return missing
    throw error
  }
}
