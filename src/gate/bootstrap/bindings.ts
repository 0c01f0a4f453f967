import { findProgram } from '../../platform/find-program.ts'
import type { Binding } from '../../protocol/grid.ts'
import { type Catalogue, readBinding } from '../catalogue/index.ts'
import { InitFailure } from './errors.ts'

/** Reads `--bind <concept>.<lang>=<command>` declarations (CONC-13). Throws `InitFailure`. */
export function declaredBindings(
  declarations: readonly string[],
  catalogue: Catalogue
): Readonly<Record<string, Binding>> {
  const bindings = new Map<string, Binding>()
  for (const text of declarations) {
    const equals = text.indexOf('=')
    if (equals === -1) throw new InitFailure(`--bind takes <concept>.<language>=<command>, not "${text}"`, 'usage')
    const read = readBinding(catalogue, text.slice(0, equals), text.slice(equals + 1))
    if ('problem' in read) throw new InitFailure(read.problem.message)
    if (bindings.has(read.key)) throw new InitFailure(`concept-already-registered: ${read.key}`)
    bindings.set(read.key, read.binding)
  }
  return Object.fromEntries(bindings)
}

/** What a shell does by itself; nobody looks for it on a path. */
const shellWords: ReadonlySet<string> = new Set(
  '. : [ [[ ! { ( break case cd command continue do eval exec exit export for function if let local read return set shift source test time times trap true false type ulimit umask unset until wait while'.split(
    ' '
  )
)

/** The program a command begins with, assignments before it left out; null where that is the shell itself or not to be told. */
function firstProgram(command: string): string | null {
  const [, word = ''] = /^\s*(?:[A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|[^\s"'])*\s+)*([^\s;&|<>()]+)/.exec(command) ?? []
  return /^[\w.+-]+$/.test(word) && !shellWords.has(word) ? word : null
}

/** One line for each command whose first word is on no path (INIT-132); it is declared all the same. */
export async function notFoundLines(
  bindings: Readonly<Record<string, Binding>>,
  env: NodeJS.ProcessEnv
): Promise<readonly string[]> {
  const lines: string[] = []
  for (const [key, { command, extractor }] of Object.entries(bindings)) {
    const word = firstProgram(command ?? extractor ?? '')
    if (word === null || (await findProgram(word, env)) !== null) continue
    lines.push(`binding ${key}: "${word}" is not on the PATH`)
  }
  return lines
}
