/** What counts as source, by language (INIT-31); the first extension is the primary one. */
export const extensionsOf: Readonly<Record<string, readonly [string, ...string[]]>> = {
  go: ['.go'],
  python: ['.py'],
  rust: ['.rs'],
  typescript: ['.ts', '.tsx', '.mts', '.cts'],
  javascript: ['.js', '.jsx', '.mjs', '.cjs'],
  java: ['.java'],
  kotlin: ['.kt'],
  ruby: ['.rb'],
  csharp: ['.cs'],
  cpp: ['.cpp', '.cc', '.cxx', '.c', '.hpp', '.hh', '.hxx', '.h']
}

const languageByExtension = new Map(
  Object.entries(extensionsOf).flatMap(([language, extensions]) => extensions.map((extension) => [extension, language]))
)

/** The language of a file by its extension, case ignored; null for anything that is not source. */
export function languageOf(path: string): string | null {
  const dot = path.lastIndexOf('.')
  if (dot <= path.lastIndexOf('/') + 1) return null
  return languageByExtension.get(path.slice(dot).toLowerCase()) ?? null
}

/** Where a language usually keeps its tests (ROLE-14). */
export const testPatternOf: Readonly<Record<string, string>> = {
  go: '**/*_test.go',
  python: '**/test_*.py',
  rust: 'tests/**',
  typescript: '**/*.test.ts',
  javascript: '**/*.test.js',
  java: '**/*Test.java',
  kotlin: '**/*Test.kt',
  ruby: '**/*_spec.rb',
  csharp: '**/*Tests.cs',
  cpp: '**/*_test.cpp'
}
