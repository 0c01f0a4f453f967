/** What counts as source, by language (INIT-31); the first extension is the primary one. */
const extensionsOf: Readonly<Record<string, readonly [string, ...string[]]>> = {
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

/** The language of a file by its extension, case ignored (INIT-31); null for anything that is not source. */
export function languageOf(path: string): string | null {
  const dot = path.lastIndexOf('.')
  if (dot <= path.lastIndexOf('/') + 1) return null
  return languageByExtension.get(path.slice(dot).toLowerCase()) ?? null
}

/** The extension most files of a language have, with its dot; null for a language nobody knows (ROLE-14). */
export function primaryExtension(language: string): string | null {
  return Object.hasOwn(extensionsOf, language) ? (extensionsOf[language]?.[0] ?? null) : null
}

/** Where a language usually keeps its tests, or null (ROLE-14). */
export function testPattern(language: string): string | null {
  return Object.hasOwn(testPatternOf, language) ? (testPatternOf[language] ?? null) : null
}

const testPatternOf: Readonly<Record<string, string>> = {
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
