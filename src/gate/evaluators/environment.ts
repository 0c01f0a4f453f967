const inherited: readonly string[] = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'USER', 'LOGNAME', 'SHELL', 'TERM']

/**
 * The environment of a command that evaluates (CONC-19): what every program needs, the locale, and the names a binding asks for. API
 * keys, ghyll's own variables and agent sockets stay outside unless they are asked for by name.
 */
export function commandEnvironment(
  parent: NodeJS.ProcessEnv,
  projectDir: string,
  extra: readonly string[] = []
): NodeJS.ProcessEnv {
  const wanted = (name: string) => inherited.includes(name) || name.startsWith('LC_') || extra.includes(name)
  const kept = Object.entries(parent).filter(([name]) => wanted(name))
  return { ...Object.fromEntries(kept), PWD: projectDir }
}
