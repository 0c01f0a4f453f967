import { notFoundLines } from '../../gate/bootstrap/index.ts'
import { type Catalogue, readBinding } from '../../gate/catalogue/index.ts'
import { type Committer, commitBindings } from '../../gate/runner/amendment/index.ts'
import type { BindingPrompt } from '../../gate/runner/index.ts'
import { safeLine } from '../../lib/safe-text.ts'
import type { Binding } from '../../protocol/grid.ts'
import type { Asker, OpenAnswer } from './ask.ts'

export type BindingPromptOptions = {
  readonly asker: Asker
  readonly catalogue: Catalogue
  readonly env: NodeJS.ProcessEnv
  readonly committer: Committer
  readonly opId: () => string
  readonly print: (lines: readonly string[]) => void
}

/** Asks for every missing binding, writes them as one grid version, and lets the checks of the pass start again (INIT-130…132). */
export function createBindingPrompt(options: BindingPromptOptions): BindingPrompt {
  const { committer, opId, print } = options
  return {
    async declare(keys, asked) {
      const bindings: Record<string, Binding> = {}
      for (const [n, key] of keys.entries()) {
        const binding = await askFor(options, key, { ...asked, place: { at: n + 1, of: keys.length } })
        if (binding === null) return false
        bindings[key] = binding
      }
      const outcome = await commitBindings(committer, bindings, opId())
      if (outcome.kind === 'written') {
        print([`✓ bound ${keys.join(', ')} in grid v${outcome.grid.version}`])
        return true
      }
      const why = outcome.kind === 'refused' ? outcome.refusal.text : `${outcome.outcome}: ${outcome.reason}`
      print([`✗ bindings were not written: ${safeLine(why)}`])
      return false
    }
  }
}

type Asked = Parameters<BindingPrompt['declare']>[1] & { readonly place: { readonly at: number; readonly of: number } }

/** A command nobody finds on the PATH is asked for once more; the same again is meant so (INIT-132). */
async function askFor(
  { asker, catalogue, env }: BindingPromptOptions,
  key: string,
  { arrowId: arrow, signal, place }: Asked
): Promise<Binding | null> {
  const problem = (answer: OpenAnswer) => {
    if (answer.kind !== 'bind') return 'this question takes a command'
    const read = readBinding(catalogue, key, answer.command)
    return 'problem' in read ? read.problem.message : null
  }
  let note = ''
  for (let previous: string | null = null; ; ) {
    const item = `binding:${key}:${note === '' ? 'first' : 'again'}`
    const answer = await asker.ask({ kind: 'binding', item, key, arrow, note }, signal, { place, problem })
    if (answer?.kind !== 'bind') return null
    const read = readBinding(catalogue, key, answer.command)
    if ('problem' in read) return null
    const [missing] = await notFoundLines({ [key]: read.binding }, env)
    if (missing === undefined || answer.command === previous) return read.binding
    previous = answer.command
    note = `${missing}; declare it again to keep it`
  }
}
