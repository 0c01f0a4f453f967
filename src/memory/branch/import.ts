import { join } from 'node:path'
import { hashMatches } from '../canonical.ts'
import { chainNotice, examineChain } from '../chain.ts'
import { keyFileCapBytes, readPublicPem } from '../key-files.ts'
import type { Checkpoint } from '../record.ts'
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
  await importKeys(context, folder)
  const { device: own, repoHash } = context
  const taken: Checkpoint[] = []
  const inChains = new Set<string>()
  for (const name of await namesIn(join(folder, chainsFolder(repoHash)), '.jsonl')) {
    const entries = await chainEntries(context, join(folder, chainsFolder(repoHash), `${name}.jsonl`))
    for (const { hash } of entries) inChains.add(hash)
    if (name !== own) taken.push(...(await importChain(context, name, await readChain(context, folder, name, entries))))
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

async function importChain(
  context: BranchContext,
  device: string,
  found: readonly Checkpoint[]
): Promise<readonly Checkpoint[]> {
  if (found.length === 0) return found
  const { trust, repo, tell } = context
  const known = await trust.links({ device, repo })
  const arriving = found.map((record) => ({ hash: record.hash, parent: record.parent, intact: hashMatches(record) }))
  const { broken, forks } = examineChain([...known, ...arriving])
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
