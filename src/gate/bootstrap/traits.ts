import { lstatSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '../../lib/error.ts'
import { writeFileAtomic } from '../../platform/atomic-file.ts'
import { InitFailure } from './errors.ts'

// A block in the project's instructions that tells the model how this house writes code.

/** The operator's library of guidelines, with the built-in texts behind it (INIT-95). */
export interface Guidelines {
  /** Every name that has a text. */
  names(): readonly string[]
  /** null when there is none. */
  text(name: string): string | null
}

const shipped = ['go', 'python', 'cpp', 'rust']
const notLanguages: ReadonlySet<string> = new Set(['engineering', 'ci'])

/** Languages whose guideline goes into the block; null: no block (INIT-90, INIT-91). Throws `InitFailure`. */
export function traitLanguages(
  flag: string,
  detected: readonly string[],
  guidelines: Guidelines
): readonly string[] | null {
  const known = [...new Set([...shipped, ...guidelines.names()])].filter((name) => !notLanguages.has(name))
  const words = flag.split(',').map((word) => word.trim().toLowerCase())
  if (words.length === 1 && words[0] === 'none') return null
  if (words.length === 1 && words[0] === 'auto') {
    const found = detected.filter((language) => known.includes(language)).toSorted()
    return found.length === 0 ? null : found
  }
  const unknown = words.find((word) => !known.includes(word))
  if (unknown !== undefined) {
    const supported = [...shipped, ...known.filter((name) => !shipped.includes(name)).toSorted()].join(', ')
    const text = `unsupported trait language: "${unknown}" (supported: ${supported}, or auto/none)`
    const hint = 'languages are detected without it; your own ~/.ghyll/guidelines/<language>.md makes one more to name'
    throw new InitFailure(text, 'failure', undefined, hint)
  }
  return [...new Set(words)]
}

/** Languages that an explicit list adds to those of the clauses; `auto` and `none` choose guidelines only (INIT-92). */
export function explicitLanguages(flag: string): readonly string[] {
  const words = flag.split(',').map((word) => word.trim().toLowerCase())
  return words.includes('auto') || words.includes('none') ? [] : words
}

const begin = '<!-- ghyll-traits-begin -->'
const end = '<!-- ghyll-traits-end -->'

/** The project-relative path of the file the block lives in (INIT-93). */
export const traitsPath = '.ghyll/instructions.md'

/**
 * Writes the block, or leaves an existing one alone unless `force` (INIT-93, INIT-94). Resolves to whether the file was changed. Rejects
 * with `InitFailure`; the file then is as it was.
 */
export async function writeTraits(
  projectDir: string,
  languages: readonly string[],
  guidelines: Guidelines,
  force: boolean
): Promise<boolean> {
  const path = join(projectDir, traitsPath)
  // Bytes as letters, so that whatever stands around the block stays as it is.
  const block = Buffer.from(blockOf(languages, guidelines)).toString('latin1')
  const text = withBlock(readInstructions(path), block, force)
  if (text === null) return false
  try {
    await mkdir(join(projectDir, '.ghyll'), { recursive: true, mode: 0o755 })
    await writeFileAtomic(path, Buffer.from(text, 'latin1'), { mode: 0o600 })
  } catch (error) {
    throw new InitFailure(`cannot write ${path}: ${messageOf(error)}`, 'failure', error)
  }
  return true
}

/** The whole text of the file with the block in it; null when there is nothing to change. */
function withBlock(before: string | null, block: string, force: boolean): string | null {
  if (before === null)
    return `<!-- Made by ghyll init. Say here what every session in this project should know. -->\n# Project instructions\n\n${block}\n`
  const begins = before.split(begin).length - 1
  const ends = before.split(end).length - 1
  if (begins === 0 && ends === 0) return `${before}${before === '' || before.endsWith('\n') ? '' : '\n'}\n${block}\n`
  const from = before.indexOf(begin)
  const to = before.indexOf(end)
  if (begins !== 1 || ends !== 1 || to < from)
    throw new InitFailure(`trait-block-malformed: ${begins} begin and ${ends} end markers in ${traitsPath}`)
  return force ? before.slice(0, from) + block + before.slice(to + end.length) : null
}

function blockOf(languages: readonly string[], guidelines: Guidelines): string {
  const texts = ['engineering', ...languages].map((name) => {
    const text = guidelines.text(name)
    if (text === null) throw new InitFailure(`no guideline "${name}"`)
    if (text.includes(begin) || text.includes(end))
      throw new InitFailure(`trait-block-malformed: the guideline "${name}" holds a marker`)
    return text.trim()
  })
  return `${begin}\n${texts.join('\n\n')}\n${end}`
}

function readInstructions(path: string): string | null {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return null
  if (stats.isSymbolicLink()) throw new InitFailure(`"${path}" is a symlink (refused)`)
  if (!stats.isFile()) throw new InitFailure(`"${path}" is not a regular file`)
  try {
    return readFileSync(path, 'latin1')
  } catch (error) {
    throw new InitFailure(`cannot read ${path}: ${messageOf(error)}`, 'failure', error)
  }
}
