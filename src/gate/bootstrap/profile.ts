import { lstatSync } from 'node:fs'
import { messageOf } from '../../lib/error.ts'
import { skippedAtRoot } from '../catalogue/index.ts'
import { isContextId } from '../runner/arrow-id.ts'
import { InitFailure } from './errors.ts'
import { languageOf } from './languages.ts'
import { type Tree, walkTree } from './tree.ts'

/** What can be read off a repository without asking anybody. */
export type Profile = {
  readonly mode: 'greenfield' | 'brownfield'
  /** Sorted. */
  readonly languages: readonly string[]
  /** The language most source files are in; null without source. */
  readonly mainLanguage: string | null
  readonly sourceCount: number
  readonly detected: DetectedContexts
  /** Every file but those of build output and dependencies, artifacts and tests included; what placeholders and scopes look at. */
  readonly tree: Tree
}

export type DetectedContexts = {
  /** Folder whose sub-directories were taken, such as `src`; null when none gave any. */
  readonly root: string | null
  /** Sorted. */
  readonly ids: readonly string[]
  /** Names with source in them that are technical or no context ids. */
  readonly leftOut: readonly string[]
}

/** Most directory entries that are looked at (INIT-34). */
const entryBudget = 100_000

/** Profiles a project. Throws `InitFailure` for a folder that is none (INIT-30) or too large (INIT-34). */
export async function profileProject(dir: string, shown = dir, budget = entryBudget): Promise<Profile> {
  checkProjectDir(dir, shown)
  const walk = await walkTree(dir, { budget, skip: (path, name) => neverEntered.has(name) || rootArtifacts.has(path) })
  if (walk.exhausted) throw new InitFailure(`profile-walk-budget-exceeded: visited ${walk.visited} (cap ${budget})`)
  const counts = countLanguages(walk.files)
  const languages = [...counts.keys()].toSorted()
  const mainLanguage = languages.toSorted((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0))[0] ?? null
  const sourceCount = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const mode = sourceCount > 0 ? 'brownfield' : 'greenfield'
  const tree = await walkTree(dir, { budget, skip: (path, name) => skippedAtRoot.has(path) || name === 'node_modules' })
  const detected = mode === 'brownfield' ? detectContexts(walk) : { root: null, ids: [], leftOut: [] }
  return { mode, languages, mainLanguage, sourceCount, detected, tree }
}

/** Throws `InitFailure` unless `dir` is a directory and no link to one (INIT-30); `shown` is what the operator typed. */
export function checkProjectDir(dir: string, shown: string): void {
  const stats = statOf(dir.replace(/(?<=.)\/+$/, ''), shown)
  if (stats.isSymbolicLink()) throw new InitFailure(`"${shown}" is a symlink (refused)`)
  if (!stats.isDirectory()) throw new InitFailure(`project dir "${shown}" is not a directory`)
}

function statOf(path: string, shown: string) {
  try {
    return lstatSync(path)
  } catch (error) {
    throw new InitFailure(`stat project dir "${shown}": ${messageOf(error)}`, 'failure', error)
  }
}

function countLanguages(files: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const file of files) {
    const language = languageOf(file)
    if (language !== null) counts.set(language, (counts.get(language) ?? 0) + 1)
  }
  return counts
}

/** Sub-directories with source of the first root that has any to propose (INIT-35). */
function detectContexts(walk: Tree): DetectedContexts {
  const leftOut: string[] = []
  for (const root of contextRoots) {
    const names = new Set(
      walk.files.flatMap((file) => {
        const [first, name, ...rest] = file.split('/')
        return first === root && name !== undefined && rest.length > 0 && languageOf(file) !== null ? [name] : []
      })
    )
    const visible = [...names].filter((name) => !name.startsWith('.')).toSorted()
    const ids = visible.filter((name) => isContextId(name) && !technical.has(name))
    leftOut.push(...visible.filter((name) => !ids.includes(name)).map((name) => `${root}/${name}`))
    if (ids.length > 0) return { root, ids, leftOut }
  }
  return { root: null, ids: [], leftOut }
}

const contextRoots = ['src', 'services', 'packages', 'apps', 'contexts']

/** Never entered at any depth: what evaluators pass over, and what is about the source without being it (INIT-32). */
const neverEntered: ReadonlySet<string> = new Set([...skippedAtRoot, 'specs', 'docs', 'tests', 'test'])
/** INIT-32: at the root only, where roles keep their artifacts. */
const rootArtifacts: ReadonlySet<string> = new Set(['architecture', 'implementation', 'integration'])

/** Names that say how code is arranged and not what it is about (INIT-35). */
const technical: ReadonlySet<string> = new Set([
  'lib',
  'libs',
  'util',
  'utils',
  'common',
  'shared',
  'helpers',
  'types',
  'assets',
  'styles',
  'public',
  'static',
  'test',
  'tests',
  '__tests__',
  'fixtures',
  'mocks',
  'main',
  'bin',
  'cmd',
  'scripts',
  'migrations',
  'generated'
])
