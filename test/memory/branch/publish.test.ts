import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { BranchContext } from '../../../src/memory/branch/context.ts'
import { gitIn } from '../../../src/memory/branch/git.ts'
import { commitFiles } from '../../../src/memory/branch/publish.ts'
import { addWorktree } from '../../../src/memory/branch/worktree.ts'
import { branch, makeTeam } from './support.ts'

test('the branch moves only from where it was seen; who comes second changes nothing (MEM-075)', {
  timeout: 30_000
}, async () => {
  const team = await makeTeam()
  const alice = await team.clone('alice')
  await (await alice.open()).close()
  const tip = () => team.git(alice.folder, 'rev-parse', branch)
  const context = { git: gitIn(alice.folder, { env: team.env }), branch, device: 'alice' } as unknown as BranchContext
  const worktree = await addWorktree(context)
  onTestFinished(() => worktree.remove())
  const seen = await tip()
  await writeFile(join(worktree.folder, 'one'), '1')
  const mine = await commitFiles(context, worktree, seen)
  expect(await tip()).toBe(mine)
  expect(mine).not.toBe(seen)
  const lock = join(alice.folder, '.git', 'refs', 'heads', `${branch}.lock`)
  await writeFile(lock, '')
  await writeFile(join(worktree.folder, 'two'), '2')
  await expect(commitFiles(context, worktree, mine ?? '')).rejects.toThrow('memory.lock')
  await rm(lock)
  expect(await commitFiles(context, worktree, seen)).toBeNull()
  expect(await tip()).toBe(mine)
})
