import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import { execa } from 'execa'
import { Failure } from '../lib/error.ts'

/** A repository brought a session store of its own: what it says happened did not happen here. */
class ForeignStoreFailure extends Failure {
  readonly code = 'store-tracked'
  readonly path: string
  constructor(path: string) {
    super(`${path} is tracked by git; refusing to take it for a session store of this machine`, {
      hint: `run git rm --cached ${path} and start again`
    })
    this.path = path
  }
}

/** Throws `ForeignStoreFailure` when git tracks the store: a crash it tells of would otherwise be settled and signed as ours. */
export async function refuseTrackedStore(root: string, path: string): Promise<void> {
  if (!existsSync(path)) return
  const name = relative(root, path)
  const { exitCode } = await execa('git', ['ls-files', '--error-unmatch', '--', name], { cwd: root, reject: false })
  if (exitCode === 0) throw new ForeignStoreFailure(name)
}
