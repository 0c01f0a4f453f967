/** Whether a relative path or glob, taken as text, stays inside the project (CONC-34): not absolute, no step up, no NUL byte. */
export function staysInside(path: string): boolean {
  if (path.startsWith('/') || path.includes('\0') || /^[A-Za-z]:[\\/]/.test(path)) return false
  return !path.split(/[/\\]/).includes('..')
}
