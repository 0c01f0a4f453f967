import type { ArgValue } from '../../protocol/grid.ts'
import { primaryExtension, testPattern } from './languages.ts'
import type { Profile } from './profile.ts'

/** What a placeholder may be resolved against (ROLE-14). */
export type PlaceholderFacts = {
  readonly context: string
  /** Language of this clause instance; null when the project has none. */
  readonly language: string | null
  readonly profile: Pick<Profile, 'mainLanguage' | 'tree'>
}

export type Resolved =
  | { readonly kind: 'literal'; readonly value: ArgValue }
  | { readonly kind: 'placeholder'; readonly value: ArgValue }
  /** Counts as missing and is never guessed (ROLE-15). */
  | { readonly kind: 'unresolved' }

/** An argument of a contract in one project, context and language (ROLE-14, ROLE-15). */
export function resolvePlaceholders(value: ArgValue, facts: PlaceholderFacts): Resolved {
  if (typeof value !== 'string') return { kind: 'literal', value: structuredClone(value) as ArgValue }
  if (value.includes('{language}') && facts.language === null) return { kind: 'unresolved' }
  const resolved = value
    .replaceAll('{context}', facts.context)
    .replaceAll('{language}', facts.language ?? '')
    .replaceAll('{source-globs}', sourceGlob(facts))
    .replaceAll('{test-globs}', testGlob(facts))
    .replaceAll('{integration-globs}', integrationGlob(facts))
  return { kind: resolved === value ? 'literal' : 'placeholder', value: resolved }
}

function sourceGlob({ context, language, profile }: PlaceholderFacts): string {
  const found = firstThatExists([`src/${context}`, 'src'], profile)
  if (found !== null) return found
  const extension = primaryExtension(language ?? profile.mainLanguage ?? '')
  return extension === null ? 'src/**' : `**/*${extension}`
}

function testGlob({ context, language, profile }: PlaceholderFacts): string {
  const found = firstThatExists([`tests/${context}`, 'tests', 'test'], profile)
  return found ?? testPattern(language ?? profile.mainLanguage ?? '') ?? 'tests/**'
}

function integrationGlob(facts: PlaceholderFacts): string {
  return firstThatExists(['tests/integration'], facts.profile) ?? testGlob(facts)
}

function firstThatExists(folders: readonly string[], { tree }: PlaceholderFacts['profile']): string | null {
  const found = folders.find((folder) => tree.folders.has(folder))
  return found === undefined ? null : `${found}/**`
}
