import { createHash, randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { byCodeUnit } from '../../lib/compare.ts'
import { sha256Hex } from '../../lib/hash.ts'
import { compilePathGlob } from '../../lib/path-glob.ts'
import type { EvaluationContext } from '../../protocol/evaluation.ts'
import type { Dependency } from '../../protocol/grid.ts'
import { eachEntry, parseArtifactRef } from './artifact-ref.ts'
import { findSection } from './markdown.ts'
import { linesOf } from './read-text.ts'
import { stopIfCancelled } from './result.ts'
import { scanTexts } from './scan.ts'
import { listFiles } from './walk.ts'

type Walk = Pick<EvaluationContext, 'projectDir' | 'signal'>

/**
 * The digest of a declared dependency (GATE-87): it differs whenever the dependency changed. What is missing counts as changed
 * (GATE-88), so its digest equals no other, not even its own next one.
 */
export async function dependencyDigest(context: Walk, { artifact, granularity }: Dependency): Promise<string> {
  switch (granularity) {
    case 'file': {
      const { files } = await listFiles(context, artifact)
      if (files.length === 0 && compilePathGlob(artifact).literal) return missing()
      return filesDigest(context, files)
    }
    case 'section': {
      const ref = parseArtifactRef(artifact)
      const found: string[] = []
      if (ref.kind === 'section')
        await scanTexts(context, ref.path, (file, text) => {
          const lines = linesOf(text)
          const section = findSection(lines, ref.heading)
          if (section !== null) found.push(file, ...lines.slice(section.heading.line, section.end))
        })
      return linesDigest(found)
    }
    case 'clause-id': {
      const found: string[] = []
      await eachEntry(context, { kind: 'id', id: artifact }, ({ file, lines }) => void found.push(file, ...lines))
      return linesDigest(found)
    }
  }
}

/** SHA-256 over the sorted list of path and SHA-256 of the content (RUN-232). A file that cannot be read is part of it as such. */
export async function filesDigest(context: Walk, files: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const file of files.toSorted(byCodeUnit)) {
    stopIfCancelled(context)
    hash.update(JSON.stringify([file, await contentDigest(join(context.projectDir, file))]))
  }
  return hash.digest('hex')
}

/**
 * SHA-256 of a file's bytes; a word where it is no file or cannot be read. A name that is not UTF-8 was listed with U+FFFD for what is no
 * text and does not open under that: it stands for every file of its folder that is listed so (GATE-87).
 */
export async function contentDigest(path: string): Promise<string> {
  const digest = await bytesDigest(path)
  if (digest !== unreadable || !basename(path).includes('\ufffd')) return digest
  const folder = dirname(path)
  const names = await readdir(folder, { encoding: 'buffer' }).catch(() => [])
  const meant = names.filter((name) => name.toString() === basename(path)).sort(Buffer.compare)
  const digests: string[] = []
  for (const name of meant)
    digests.push(name.toString('hex'), await bytesDigest(Buffer.concat([Buffer.from(`${folder}${sep}`), name])))
  return digests.length === 0 ? unreadable : sha256Hex(digests.join(' '))
}

const unreadable = 'unreadable'

async function bytesDigest(path: string | Buffer): Promise<string> {
  let handle: FileHandle | null = null
  try {
    handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    if (!(await handle.stat()).isFile()) return 'not-a-file'
    const hash = createHash('sha256')
    for await (const chunk of handle.createReadStream({ autoClose: false })) hash.update(chunk)
    return hash.digest('hex')
  } catch {
    return unreadable // gone or a link by now, or not ours to read: a difference to whenever it was readable
  } finally {
    await handle?.close()
  }
}

/** White space at the end of lines and of the whole does not count. */
function linesDigest(lines: readonly string[]): string {
  if (lines.length === 0) return missing()
  const text = lines.map((line) => line.trimEnd()).join('\n')
  return sha256Hex(text.trimEnd())
}

function missing(): string {
  return `missing-${randomUUID()}`
}
