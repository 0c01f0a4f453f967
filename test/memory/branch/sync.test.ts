import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createTrust } from '../../../src/memory/trust.ts'
import { branch, type Device, makeTeam, repo } from './support.ts'

const online = { network: true }

async function allTrusted({ store }: Device): Promise<boolean> {
  const trust = createTrust(store)
  const records = store.chains(repo).flatMap((chain) => [...store.records(chain)])
  const verdicts = await Promise.all(records.map((record) => trust.verdictOn(record)))
  return verdicts.every(({ trusted }) => trusted)
}

describe('two devices and a bare remote', { timeout: 30_000 }, () => {
  test('both write, both push, both end with the union, and nothing of the users is touched (MEM-072, MEM-080)', async () => {
    const team = await makeTeam()
    const [alice, bob] = [await team.clone('alice'), await team.clone('bob')]
    await writeFile(join(alice.folder, 'half-done.txt'), 'mine')
    await team.git(alice.folder, 'add', 'half-done.txt')
    const before = [await alice.untouched(), await bob.untouched()]

    const first = await alice.open()
    expect(alice.told).toEqual([`created memory branch ${branch}; it is pushed to origin`])
    alice.remember('a one')
    alice.remember('a two')
    expect((await first.tick(online)).pushed).toBe('done')
    const second = await bob.open()
    bob.remember('b one')
    expect(await second.tick(online)).toMatchObject({ pushed: 'done', fetched: 'done' })
    alice.remember('a three')
    await first.tick(online)
    await second.tick(online)

    // Nothing of bob's was missing there: his branch was moved on, without a commit of its own (MEM-079).
    const tips = [alice.folder, bob.folder, team.remote].map((folder) => team.git(folder, 'rev-parse', branch))
    expect(new Set(await Promise.all(tips)).size).toBe(1)
    const all = ['a one', 'a three', 'a two', 'b one']
    expect([alice.summaries(), bob.summaries()]).toEqual([all, all])
    expect([await allTrusted(alice), await allTrusted(bob)]).toEqual([true, true])
    expect([await alice.untouched(), await bob.untouched()]).toEqual(before)
    await first.close()
    await second.close()
    expect([await alice.untouched(), await bob.untouched()]).toEqual(before)
    expect(alice.store.outbox.pendingCount('git', repo)).toBe(0)
  })

  test('offline, then online: what waited goes out in one commit (MEM-085)', async () => {
    const team = await makeTeam()
    const alice = await team.clone('alice')
    const sync = await alice.open()
    await sync.tick(online)
    await rename(team.remote, `${team.remote}.away`)
    for (const summary of ['one', 'two', 'three']) {
      alice.remember(summary)
      expect(await sync.tick(online)).toMatchObject({ fetched: 'failed', pushed: 'failed' })
    }
    expect(alice.logged.some((line) => line.includes('fetch failed, attempt 1'))).toBe(true)
    await rename(`${team.remote}.away`, team.remote)
    expect((await sync.tick(online)).pushed).toBe('done')
    expect(await team.commits()).toEqual(['checkpoints 3 by alice', 'init: device alice'])
  })

  test('offline from the start: the same on top of the first commit (MEM-073, MEM-085)', async () => {
    const team = await makeTeam()
    const alice = await team.clone('alice')
    await rename(team.remote, `${team.remote}.away`)
    const sync = await alice.open()
    for (const summary of ['one', 'two', 'three']) {
      alice.remember(summary)
      await sync.tick(online)
    }
    expect(await team.git(alice.folder, 'rev-list', '--count', branch)).toBe('4')
    await rename(`${team.remote}.away`, team.remote)
    expect((await sync.tick(online)).pushed).toBe('done')
    expect(await team.commits()).toEqual(['checkpoints 3 by alice', 'init: device alice'])
    expect(await team.git(alice.folder, 'rev-parse', branch)).toBe(await team.git(team.remote, 'rev-parse', branch))
  })
})
