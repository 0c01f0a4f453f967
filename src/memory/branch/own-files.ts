import { appendFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { systemCodeOf } from '../../lib/error.ts'
import { hashMatches } from '../canonical.ts'
import { readPublicPem } from '../key-files.ts'
import { isHash } from '../record.ts'
import { chainLine, readChainFile, recordFile } from '../record-file.ts'
import type { BranchContext } from './context.ts'
import { chainPath, checkpointPath, checkpointsFolder, keyPath } from './layout.ts'

/**
 * Writes into the worktree what of this device is missing there: its key, and every own checkpoint of this repository with its chain
 * line, in chain order. SQLite is the source of truth (MEM-064, MEM-076, MEM-077). Returns false, and writes nothing, when the branch
 * has another key under this device's name (MEM-088).
 */
export async function writeOwnFiles(context: BranchContext, folder: string): Promise<boolean> {
  const { device, repo, repoHash, store, log } = context
  if (!(await writeKey(context, folder))) return false
  const links = store.links({ device, repo })
  if (links.length === 0) return true

  const chainFile = join(folder, chainPath(repoHash, device))
  const text = await readOrEmpty(chainFile)
  const inChain = new Set(readChainFile(text).lines.map(({ hash }) => hash))
  const inFolder = await checkpointsIn(join(folder, checkpointsFolder(repoHash)))
  let lines = ''
  for (const link of links) {
    if (inChain.has(link.hash) && inFolder.has(link.hash)) continue
    const record = store.get(link.hash)
    if (record === null || !hashMatches(record)) {
      log(`memory: own checkpoint ${link.hash.slice(0, 12)} was altered; not published`, 'warning')
      continue
    }
    if (!inFolder.has(link.hash)) await create(join(folder, checkpointPath(repoHash, link.hash)), recordFile(record))
    if (!inChain.has(link.hash)) lines += chainLine(link)
  }
  if (lines === '') return true
  await mkdir(dirname(chainFile), { recursive: true })
  await appendFile(chainFile, text === '' || text.endsWith('\n') ? lines : `\n${lines}`)
  return true
}

/** Own checkpoints with a line in the worktree's chain file. */
export async function ownInWorktree({ device, repoHash }: BranchContext, folder: string): Promise<ReadonlySet<string>> {
  const text = await readOrEmpty(join(folder, chainPath(repoHash, device)))
  return new Set(readChainFile(text).lines.map(({ hash }) => hash))
}

async function writeKey({ device, publicPem }: BranchContext, folder: string): Promise<boolean> {
  const path = join(folder, keyPath(device))
  const there = await readOrEmpty(path)
  if (there === '') {
    await create(path, publicPem)
    return true
  }
  const found = readPublicPem(there)
  return 'pem' in found && found.pem === publicPem
}

async function create(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}

/** A missing file is empty. */
export async function readOrEmpty(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return ''
    throw error
  }
}

/** Hashes of the checkpoint files in a folder, which may be missing. */
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
    if (systemCodeOf(error) === 'ENOENT') return new Set()
    throw error
  }
}
