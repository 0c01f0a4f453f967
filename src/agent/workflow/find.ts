import { realpath } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { folderKind, markdownFiles, type ReadText, readWorkflowFile } from './read.ts'

/** A file command as found; `from` is its folder as people know it. */
export type FileCommand = {
  readonly name: string
  readonly text: string
  readonly source: 'project' | 'global'
  readonly from: string
}

export type Level = { readonly instructions: string; readonly commands: readonly FileCommand[] }

export type Found = {
  readonly global: Level
  readonly project: Level
  /** Folder the project level came from, such as `.ghyll`, or null without one. */
  readonly projectFolder: string | null
  /** Files that were there but not read (CTX-103). */
  readonly warnings: readonly string[]
  /** File names that make no command, for the log (CTX-120). */
  readonly ignored: readonly string[]
}

export type Places = {
  /** `~/.ghyll` */
  readonly globalFolder: string
  readonly repository: string
  /** Names relative to the repository (CTX-101). */
  readonly fallbackFolders: readonly string[]
}

const commandName = /^[a-z0-9][a-z0-9_-]{0,63}$/
/** Command files per folder; more is no collection of commands. */
const maxCommands = 256

/** Reads both levels: the user's own and the project's, which may come from a fallback folder (CTX-100…103). Never rejects. */
export async function findWorkflow(places: Places): Promise<Found> {
  const { globalFolder, repository, fallbackFolders } = places
  const reader = createReader()
  const global = await reader.level(globalFolder, '~/.ghyll', 'global', ['instructions.md'])

  const own = join(repository, '.ghyll')
  // A session in the home directory has one level only.
  const candidates = (await isSame(own, globalFolder))
    ? []
    : [
        { folder: '.ghyll', files: ['instructions.md'] },
        ...fallbackFolders.map((folder) => ({ folder, files: ['instructions.md', 'CLAUDE.md'] }))
      ]
  for (const { folder, files } of candidates) {
    const path = join(repository, folder)
    if ((await folderKind(path)) === 'link') {
      reader.warn(`${folder}/ not read: a symbolic link`)
      continue
    }
    const project = await reader.level(path, folder, 'project', files)
    if (project.isThere) return { global, project, projectFolder: folder, ...reader.said() }
  }
  return { global, project: nothing, projectFolder: null, ...reader.said() }
}

const nothing: Level = { instructions: '', commands: [] }

function createReader() {
  const warnings: string[] = []
  const ignored: string[] = []

  /** `isThere`: it holds instructions or a `commands/` folder, though perhaps refused ones (CTX-101). */
  async function level(
    path: string,
    shown: string,
    source: FileCommand['source'],
    files: readonly string[]
  ): Promise<Level & { readonly isThere: boolean }> {
    let instructions: ReadText = { kind: 'absent' }
    for (const file of files) {
      if (instructions.kind !== 'absent') break
      instructions = await readWorkflowFile(join(path, file))
      if (instructions.kind === 'refused') warnings.push(`${shown}/${file} not read: ${instructions.reason}`)
    }
    const kind = await folderKind(join(path, 'commands'))
    if (kind === 'link') warnings.push(`${shown}/commands not read: a symbolic link`)
    return {
      instructions: instructions.kind === 'text' ? instructions.text : '',
      commands: kind === 'folder' ? await commands(join(path, 'commands'), `${shown}/commands`, source) : [],
      isThere: instructions.kind !== 'absent' || kind !== 'absent'
    }
  }

  async function commands(
    folder: string,
    from: string,
    source: FileCommand['source']
  ): Promise<readonly FileCommand[]> {
    const found = new Map<string, FileCommand>()
    const paths = await markdownFiles(folder)
    if (paths.length > maxCommands)
      warnings.push(`${from}: only the first ${maxCommands} of ${paths.length} files read`)
    for (const path of paths.slice(0, maxCommands)) {
      const file = basename(path)
      const name = file.slice(0, -'.md'.length).toLowerCase()
      if (!commandName.test(name) || found.has(name)) {
        ignored.push(`${from}/${file}`)
        continue
      }
      const read = await readWorkflowFile(path)
      if (read.kind === 'refused') warnings.push(`${from}/${file} not read: ${read.reason}`)
      if (read.kind === 'text') found.set(name, { name, text: read.text, source, from })
    }
    return [...found.values()]
  }

  return { level, warn: (text: string) => warnings.push(text), said: () => ({ warnings, ignored }) }
}

async function isSame(a: string, b: string): Promise<boolean> {
  const real = (path: string) => realpath(path).catch(() => path)
  return (await real(a)) === (await real(b))
}
