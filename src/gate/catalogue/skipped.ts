/** What holds no source and no artifact of anybody's: passed over directly in the project's root (CONC-27). */
export const skippedAtRoot: ReadonlySet<string> = new Set([
  '.git',
  '.ghyll',
  '.github',
  'node_modules',
  'vendor',
  'target',
  'bin',
  'build',
  'dist',
  'out',
  '.idea',
  '.vscode',
  '__pycache__',
  '.pytest_cache'
])
