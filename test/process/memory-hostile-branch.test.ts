import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { sha256Hex } from '../../src/lib/hash.ts'
import { branch, makeTeam, repo } from '../memory/branch/support.ts'

const online = { network: true }
const here = `repos/${sha256Hex(repo)}`
const submodule = (path: string) => `M 160000 ${'a'.repeat(40)} ${path}\n`
const file = (path: string, text: string, mode = '100644') =>
  `M ${mode} inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`
const inPlaceOf = (path: string, what: string) => `D ${path}\n${what}`

/** Two devices that have exchanged a checkpoint each, and somebody else who may push. */
async function team() {
  const place = await makeTeam()
  const [alice, bob] = [await place.clone('alice'), await place.clone('bob')]
  const [first, second] = [await alice.open(), await bob.open()]
  alice.remember('a one')
  await first.tick(online)
  bob.remember('b one')
  await second.tick(online)
  const attack = (changes: string, { rewrite = false } = {}) =>
    execa('git', ['fast-import', '--quiet', '--force'], {
      cwd: place.remote,
      env: place.env,
      extendEnv: false,
      input: `commit refs/heads/${branch}\ncommitter m <m@m> 1700000000 +0000\ndata 3\nbad\n${rewrite ? '' : `from refs/heads/${branch}^0\n`}${changes}\n`
    })
  return { ...place, alice, bob, first, second, attack }
}

describe('whoever may push can leave anything on the branch', { timeout: 120_000 }, () => {
  const attacks: readonly (readonly [string, string])[] = [
    ['a file for the folder of keys', inPlaceOf('devices', file('devices', 'x'))],
    ['a file for everything of the repositories', inPlaceOf('repos', file('repos', 'x'))],
    ['a link for it', inPlaceOf('repos', file('repos', '/tmp', '120000'))],
    ['a file for the chains', inPlaceOf(`${here}/chains`, file(`${here}/chains`, 'x'))],
    ['a file for the checkpoints', inPlaceOf(`${here}/checkpoints`, file(`${here}/checkpoints`, 'x'))],
    ['a folder for a chain', inPlaceOf(`${here}/chains/alice.jsonl`, file(`${here}/chains/alice.jsonl/x`, 'x'))],
    ['a submodule for a chain', inPlaceOf(`${here}/chains/alice.jsonl`, submodule(`${here}/chains/alice.jsonl`))],
    ['a folder for a key', inPlaceOf('devices/alice.pub', file('devices/alice.pub/x', 'x'))],
    ['what is no key', file('devices/alice.pub', 'x')],
    ['nothing at all', 'deleteall\n'],
    ['lines of anything', file(`${here}/chains/alice.jsonl`, '\0\0\n{"hash":1}\r\n[]\nnull\n"x"')],
    ['names of any bytes', file(`"${here}/chains/\\377\\376.jsonl"`, 'x') + file('"devices/a\\nb.pub"', 'x')],
    ['more places that are no files', submodule('devices/eve.pub') + file(`${here}/chains/eve.jsonl/x`, 'x')],
    ['rules of what to ignore', file('.gitignore', '*\n')]
  ]

  test('what each device remembers gets through all the same (MEM-065, MEM-077, MEM-084)', async () => {
    const { alice, bob, first, second, attack } = await team()
    for (const [what, changes] of attacks) {
      await attack(changes)
      alice.remember(`with ${what}`)
      expect([what, (await first.tick(online)).pushed]).toEqual([what, 'done'])
    }
    await second.tick(online)
    await first.tick(online)
    const all = ['a one', 'b one', ...attacks.map(([what]) => `with ${what}`)].sort()
    expect([alice.summaries(), bob.summaries()]).toEqual([all, all])
  })

  test('attributes, which would have git convert files or run filters of the user, are refused (MEM-070)', async () => {
    const { git, alice, first, second, bob, attack, remote } = await team()
    await git(alice.folder, 'config', 'filter.evil.smudge', 'exit 1')
    await attack(file('repos/.gitattributes', '* filter=evil working-tree-encoding=UTF-16\n'))
    alice.remember('a two')
    expect(await first.tick(online)).toMatchObject({
      fetched: 'done',
      pushed: 'failed',
      problem: `${branch} carries repos/.gitattributes, which does not belong there`
    })
    await git(remote, 'update-ref', `refs/heads/${branch}`, `${branch}~1`)
    expect((await first.tick(online)).pushed).toBe('done')
    await second.tick(online)
    expect(bob.summaries()).toEqual(['a one', 'a two', 'b one'])
  })

  test('what does not belong there is not brought back once the team has taken it off (MEM-080)', async () => {
    const { alice, first, attack, files, git, remote } = await team()
    const sound = await git(remote, 'rev-parse', branch)
    await attack(file('payload', 'x') + file(`"${here}/x\\377"`, 'x'))
    alice.remember('a two')
    await first.tick(online)
    expect(await files()).toContain('payload')
    await git(remote, 'update-ref', `refs/heads/${branch}`, sound)
    await attack(file('devices/eve.pub', 'x'))
    alice.remember('a three')
    expect((await first.tick(online)).pushed).toBe('done')
    const there = await files()
    expect(there).not.toContain('payload')
    expect(there.filter((path) => path.endsWith('.json'))).toHaveLength(4)
  })

  test('a history that was rewritten from the ground up is taken, with what is ours on top (MEM-080)', async () => {
    const { first, attack, files } = await team()
    await attack(file('devices/eve.pub', 'x'), { rewrite: true })
    expect((await first.tick(online)).pushed).toBe('done')
    expect(await files()).toEqual(expect.arrayContaining(['devices/alice.pub', 'devices/eve.pub']))
  })
})
