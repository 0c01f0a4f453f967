import { appendFile, readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { hashMatches } from '../canonical.ts'
import { chainNotice } from '../chain.ts'
import { readPublicPem } from '../key-files.ts'
import { isHash, zeroHash } from '../record.ts'
import { type ChainLine, chainLine, recordFile } from '../record-file.ts'
import type { BranchContext } from './context.ts'
import { chainPath, checkpointPath, checkpointsFolder, keyPath } from './layout.ts'
import { create, isAbsent, readOrEmpty } from './own-place.ts'
import { readChain } from './read-files.ts'

/**
 * Writes into the worktree what of this device is missing there: its key, and every own checkpoint of this repository with its chain
 * line, in chain order. SQLite is the source of truth (MEM-064, MEM-076, MEM-077). Returns false, and writes nothing, when the branch
 * has another key under this device's name (MEM-088).
 */
export async function writeOwnFiles(context: BranchContext, folder: string): Promise<boolean> {
  const { device, repo, repoHash, store, tell } = context
  if (!(await writeKey(context, folder))) return false
  const links = store.links({ device, repo })
  if (links.length === 0) return true

  const chainFile = chainPath(repoHash, device)
  const text = await readOrEmpty(join(folder, chainFile))
  const { lines: published } = await readChain(text)
  const inChain = new Set(published.map(({ hash }) => hash))
  const inFolder = await checkpointsIn(join(folder, checkpointsFolder(repoHash)))
  const added: ChainLine[] = []
  for (const link of links) {
    if (inChain.has(link.hash) && inFolder.has(link.hash)) continue
    const record = store.get(link.hash)
    if (record === null || !hashMatches(record)) {
      tell('warning', `own checkpoint ${link.hash.slice(0, 12)} was altered in the store; not published`)
      continue
    }
    if (!inFolder.has(link.hash)) await create(folder, checkpointPath(repoHash, link.hash), recordFile(record))
    if (!inChain.has(link.hash)) added.push(link)
  }
  if (added.length === 0) return true
  tellWhereItParts(context, published, added)
  const lines = added.map(chainLine).join('')
  if (text === '') await create(folder, chainFile, lines)
  else await appendFile(join(folder, chainFile), text.endsWith('\n') ? lines : `\n${lines}`)
  return true
}

/**
 * What the published chain does not simply go on with is said when it is published: a store that was lost starts a new segment
 * (MEM-052), one that an older copy was put back for forks (MEM-054).
 */
function tellWhereItParts(
  { device, tell }: BranchContext,
  published: readonly ChainLine[],
  added: readonly ChainLine[]
): void {
  const continued = new Set(published.map(({ parent }) => parent))
  for (const { hash, parent } of added) {
    if (!continued.has(parent)) continue
    if (parent !== zeroHash) tell('warning', chainNotice('forks', parent, device))
    else
      tell(
        'warning',
        `${chainNotice('starts again', hash, device)}; what it had before is on the branch, not in this store`
      )
  }
}

/** Own checkpoints with a line in the worktree's chain file: what a push brings along (MEM-076). */
export async function ownInWorktree({ device, repoHash }: BranchContext, folder: string): Promise<ReadonlySet<string>> {
  const text = await readOrEmpty(join(folder, chainPath(repoHash, device)))
  return new Set((await readChain(text)).lines.map(({ hash }) => hash))
}

async function writeKey({ device, publicPem }: BranchContext, folder: string): Promise<boolean> {
  const found = readPublicPem(await readOrEmpty(join(folder, keyPath(device))))
  if ('pem' in found) return found.pem === publicPem
  // What is no key is nobody's, and not in the way of the one that belongs there (MEM-084).
  await create(folder, keyPath(device), publicPem)
  return true
}

/** Hashes of the checkpoint files in a folder, which may be missing or no folder (MEM-060, MEM-064). */
export async function checkpointsIn(folder: string): Promise<ReadonlySet<string>> {
  try {
    const names = await readdir(folder)
    return new Set(
      names
        .filter((name) => name.endsWith('.json'))
        .map((name) => basename(name, '.json'))
        .filter(isHash)
    )
  } catch (error) {
    if (isAbsent(error)) return new Set()
    throw error
  }
}
