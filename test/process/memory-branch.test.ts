import { chmod, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sha256Hex } from '../../src/lib/hash.ts'
import { createTrust } from '../../src/memory/trust.ts'
import { branch, type Device, makeTeam, openDevice, repo } from '../memory/branch/support.ts'

const online = { network: true }

async function allTrusted({ store }: Device): Promise<boolean> {
  const trust = createTrust(store)
  const records = store.chains(repo).flatMap((chain) => [...store.records(chain)])
  const verdicts = await Promise.all(records.map((record) => trust.verdictOn(record)))
  return verdicts.every(({ trusted }) => trusted)
}

describe('two devices and a bare remote', () => {
  test('the branch holds what is specified, in linear history with the specified messages (MEM-060, MEM-066)', async () => {
    const team = await makeTeam()
    const alice = await team.clone('alice')
    const sync = await alice.open()
    const one = alice.remember('one')
    await sync.tick(online)
    alice.remember('two')
    const three = alice.remember('three')
    await sync.tick(online)
    expect(await team.commits()).toEqual([
      'checkpoints 2 by alice',
      `checkpoint ${one.hash} by alice`,
      'init: device alice'
    ])
    const folder = `repos/${sha256Hex(repo)}`
    expect(await team.files()).toEqual(
      ['devices/alice.pub', `${folder}/chains/alice.jsonl`]
        .concat(alice.store.links({ device: 'alice', repo }).map(({ hash }) => `${folder}/checkpoints/${hash}.json`))
        .sort()
    )
    const chain = await team.git(team.remote, 'show', `${branch}:${folder}/chains/alice.jsonl`)
    expect(chain.split('\n')).toHaveLength(3)
    expect(chain.split('\n')[2]).toBe(`{"hash":"${three.hash}","parent":"${three.parent}","ts":${three.ts}}`)
    expect(await team.git(team.remote, 'log', '-1', '--format=%an <%ae>', branch)).toBe('ghyll <ghyll@local>')
  })

  test('several push at the same moment: all land, nobody forces (MEM-080)', async () => {
    const team = await makeTeam()
    const devices = await Promise.all(['alice', 'bob', 'carol'].map((name) => team.clone(name)))
    const syncs = await Promise.all(devices.map((device) => device.open()))
    for (let round = 0; round < 2; round++) {
      for (const device of devices) device.remember(`${device.device} ${round}`)
      await Promise.all(syncs.map((sync) => sync.tick(online)))
    }
    for (const sync of [...syncs, ...syncs]) await sync.tick(online)
    const all = devices.flatMap(({ device }) => [`${device} 0`, `${device} 1`]).sort()
    expect(devices.map((device) => device.summaries())).toEqual([all, all, all])
    expect(await Promise.all(devices.map(allTrusted))).toEqual([true, true, true])
    expect(await team.git(team.remote, 'rev-list', '--merges', branch)).toBe('')
  })

  test('a second device that made its own root while offline joins the first, and both keys stay (MEM-036, MEM-080)', async () => {
    const team = await makeTeam()
    const [alice, bob] = [await team.clone('alice'), await team.clone('bob')]
    const [first, second] = [await alice.open(), await bob.open(false)]
    alice.remember('a')
    bob.remember('b')
    await first.tick(online)
    expect((await second.tick({ network: false })).pushed).toBe('off')
    expect((await second.tick(online)).pushed).toBe('done')
    await first.tick(online)
    expect([alice.summaries(), bob.summaries()]).toEqual([
      ['a', 'b'],
      ['a', 'b']
    ])
    expect(await team.git(team.remote, 'rev-list', '--max-parents=0', '--count', branch)).toBe('1')
    expect(await team.files()).toEqual(expect.arrayContaining(['devices/alice.pub', 'devices/bob.pub']))
  })

  test('what the team took off the branch does not come back from a clone that had commits of its own (MEM-080)', async () => {
    const team = await makeTeam()
    const [alice, bob] = [await team.clone('alice'), await team.clone('bob')]
    const gone = alice.remember('gone')
    await (await alice.open()).tick(online)
    const sync = await bob.open()
    await sync.tick(online)
    bob.remember('bob')
    await sync.tick({ network: false })

    const admin = join(team.root, 'admin')
    await team.git(team.root, 'clone', '--quiet', '--branch', branch, team.remote, admin)
    await team.git(admin, 'rm', '--quiet', `repos/${sha256Hex(repo)}/checkpoints/${gone.hash}.json`)
    await team.git(admin, 'commit', '--quiet', '-m', 'Take it off')
    await team.git(admin, 'push', '--quiet')

    expect((await sync.tick(online)).pushed).toBe('done')
    const files = (await team.files()).join()
    expect(files).not.toContain(gone.hash)
    expect(files).toContain(bob.store.links({ device: 'bob', repo })[0]?.hash)
  })

  test('a fresh clone has everything, online or not (MEM-073)', async () => {
    const team = await makeTeam()
    const alice = await team.clone('alice')
    alice.remember('a')
    await (await alice.open()).tick(online)
    const bob = await team.clone('bob')
    const sync = await bob.open(false)
    expect((await sync.tick({ network: false })).imported).toEqual({ count: 1, authors: new Set(['alice']) })
    expect(await allTrusted(bob)).toBe(true)
    expect(bob.told).toEqual([])
  })

  test('without its history on request, and with it on request (MEM-073, MEM-086)', async () => {
    const team = await makeTeam()
    const [alice, bob] = [await team.clone('alice'), await team.clone('bob')]
    const first = await alice.open()
    for (const summary of ['one', 'two']) {
      alice.remember(summary)
      await first.tick(online)
    }
    const facts = async () => [
      await team.git(bob.folder, 'rev-parse', '--is-shallow-repository'),
      await team.git(bob.folder, 'rev-list', '--count', `origin/${branch}`)
    ]
    const shallow = await bob.open(true, 'shallow')
    expect((await shallow.tick(online)).imported.count).toBe(2)
    // The newest state, and on it the commit that brought the own key.
    expect(await facts()).toEqual(['true', '2'])
    bob.remember('three')
    expect((await shallow.tick(online)).pushed).toBe('done')
    await shallow.close()
    await (await bob.open(true, 'full')).tick(online)
    expect(await facts()).toEqual(['false', '5'])
    expect(await team.commits()).toHaveLength(5)
  })

  test('two clones of one device share the chain; each brings what the other wrote (MEM-077, MEM-081)', async () => {
    const team = await makeTeam()
    const one = await team.clone('alice', { folder: 'one' })
    const two = await openDevice({
      device: 'alice',
      folder: join(team.root, 'two'),
      home: join(team.root, 'home-alice'),
      env: await team.git(team.root, 'clone', '--quiet', team.remote, join(team.root, 'two')).then(() => team.env)
    })
    const [first, second] = [await one.open(), await two.open()]
    one.remember('1')
    two.remember('2')
    await Promise.all([first.write(), second.write()])
    one.remember('3')
    await Promise.all([first.tick(online), second.tick(online)])
    await first.tick(online)
    const bob = await team.clone('bob')
    await (await bob.open()).tick(online)
    expect(bob.summaries()).toEqual(['1', '2', '3'])
    expect(await allTrusted(bob)).toBe(true)
    expect(bob.told).toEqual([])
  })
})

describe('a store that was moved away', () => {
  test('the device goes on with a new segment; the team keeps and trusts both (MEM-050, MEM-052, MEM-081)', async () => {
    const team = await makeTeam()
    const [alice, bob] = [await team.clone('alice'), await team.clone('bob')]
    bob.remember('b')
    await (await bob.open()).tick(online)
    const sync = await alice.open()
    alice.remember('lost 1')
    alice.remember('lost 2')
    await sync.tick(online)
    await sync.close()
    alice.store.close()
    const home = join(team.root, 'home-alice')
    for (const name of await readdir(home)) if (name.startsWith('memory.db')) await rm(join(home, name))

    const again = await openDevice({ device: 'alice', folder: alice.folder, home, env: team.env })
    const resumed = await again.open()
    expect((await resumed.tick(online)).imported).toEqual({ count: 1, authors: new Set(['bob']) })
    expect(again.summaries()).toEqual(['b'])
    const first = again.remember('new 1')
    again.remember('new 2')
    expect((await resumed.tick(online)).pushed).toBe('done')
    expect(again.told).toEqual([
      expect.stringContaining(`checkpoint chain starts again at ${first.hash.slice(0, 12)} from @alice`)
    ])

    const carol = await team.clone('carol')
    await (await carol.open()).tick(online)
    expect(carol.summaries()).toEqual(['b', 'lost 1', 'lost 2', 'new 1', 'new 2'])
    expect([await allTrusted(carol), await allTrusted(again)]).toEqual([true, true])
    expect(carol.told).toEqual([])
    const { restarts, forks } = await createTrust(carol.store).findings({ device: 'alice', repo })
    expect({ restarts, forks }).toEqual({ restarts: [first.hash], forks: [] })
  })
})

describe('remotes that do not play along', () => {
  test('no right to write: said once, kept here, left alone for a while (MEM-087)', async () => {
    const team = await makeTeam()
    const hook = join(team.remote, 'hooks', 'pre-receive')
    await writeFile(hook, '#!/bin/sh\nexit 1\n')
    await chmod(hook, 0o755)
    const alice = await team.clone('alice')
    const sync = await alice.open()
    alice.remember('a')
    expect(await sync.tick(online)).toMatchObject({
      pushed: 'refused',
      problem: expect.stringContaining('hook declined')
    })
    expect((await sync.tick(online)).pushed).toBe('refused')
    expect(alice.told.filter((text) => text.includes('does not accept'))).toHaveLength(1)
    expect(alice.store.outbox.pendingCount('git', repo)).toBe(1)
  })

  test('another key under our device name: nothing of ours is pushed (MEM-088)', async () => {
    const team = await makeTeam()
    const first = await team.clone('laptop', { folder: 'one', home: join(team.root, 'home-one') })
    first.remember('theirs')
    await (await first.open()).tick(online)
    const second = await team.clone('laptop', { folder: 'two', home: join(team.root, 'home-two') })
    second.remember('ours')
    const sync = await second.open()
    expect((await sync.tick(online)).pushed).toBe('conflict')
    expect(second.told).toEqual(['device id laptop has another key on the memory branch; set GHYLL_DEVICE_ID'])
    expect((await team.files()).filter((path) => path.endsWith('.json'))).toHaveLength(1)
    expect(second.summaries()).toEqual(['ours'])
  })

  test('hooks, signing and ignore rules of the user do not matter (MEM-070)', async () => {
    const team = await makeTeam()
    const alice = await team.clone('alice')
    for (const name of ['pre-commit', 'pre-push', 'post-checkout', 'reference-transaction']) {
      const hook = join(alice.folder, '.git', 'hooks', name)
      await writeFile(hook, '#!/bin/sh\nexit 1\n')
      await chmod(hook, 0o755)
    }
    await team.git(alice.folder, 'config', 'commit.gpgsign', 'true')
    await team.git(alice.folder, 'config', 'core.autocrlf', 'true')
    await team.git(alice.folder, 'config', 'author.name', 'Alice of the Telephone Book')
    await team.git(alice.folder, 'config', 'diff.orderFile', '/nowhere/order')
    await team.git(alice.folder, 'config', 'commit.cleanup', 'nonsense')
    await team.git(alice.folder, 'config', 'remote.origin.mirror', 'true')
    await writeFile(join(alice.folder, '.git', 'info', 'exclude'), '*.json\n*.jsonl\n')
    alice.remember('a')
    expect((await (await alice.open()).tick(online)).pushed).toBe('done')
    expect((await team.files()).filter((path) => path.includes('.json'))).toHaveLength(2)
    expect(await team.git(team.remote, 'log', '--format=%an %ae, %cn', branch)).toMatch(
      /^(ghyll ghyll@local, ghyll\n?)+$/
    )
  })

  test('the branch checked out by hand: sync stays off rather than move HEAD (MEM-072)', async () => {
    const team = await makeTeam()
    const alice = await team.clone('alice')
    await (await alice.open()).close()
    await team.git(alice.folder, 'checkout', '--quiet', branch)
    await expect(alice.open()).rejects.toMatchObject({ code: 'sync' })
  })

  test('checked out in another work tree, or while a session runs: left alone until it is not (MEM-072)', async () => {
    const team = await makeTeam()
    const alice = await team.clone('alice')
    const sync = await alice.open()
    const side = join(team.root, 'side')
    await team.git(alice.folder, 'worktree', 'add', '--quiet', side, branch)
    const tip = await team.git(side, 'rev-parse', 'HEAD')
    alice.remember('a')
    expect(await sync.tick(online)).toMatchObject({ pushed: 'failed', problem: `${branch} is checked out` })
    expect([await team.git(side, 'rev-parse', 'HEAD'), await team.git(side, 'status', '--porcelain')]).toEqual([
      tip,
      ''
    ])
    await team.git(alice.folder, 'worktree', 'remove', side)
    expect((await sync.tick(online)).pushed).toBe('done')
  })
})

describe('the worktree (MEM-074)', () => {
  test('lies outside the project and goes at the end; what a killed session left goes at the next start', async () => {
    const team = await makeTeam()
    const alice = await team.clone('alice')
    const worktrees = async () =>
      (await team.git(alice.folder, 'worktree', 'list', '--porcelain')).match(/^worktree .*ghyll-memory-.*$/gm) ?? []
    await alice.open()
    const [left] = await worktrees()
    const sync = await alice.open()
    const [now] = await worktrees()
    expect(await worktrees()).toHaveLength(1)
    expect(now).not.toBe(left)
    await sync.close()
    expect(await worktrees()).toEqual([])
    const name = now?.split('/').at(-1) ?? ''
    expect(await readdir(tmpdir())).not.toContain(name)
  })

  test('worktrees of the user stay, whatever they are called', async () => {
    const team = await makeTeam()
    const alice = await team.clone('alice')
    const theirs = join(await realpath(tmpdir()), `ghyll-memory-${alice.device}1`)
    await team.git(alice.folder, 'worktree', 'add', '--quiet', '-b', 'side', theirs)
    onTestFinished(() => rm(theirs, { recursive: true, force: true }))
    await (await alice.open()).close()
    expect(await team.git(alice.folder, 'worktree', 'list')).toContain(theirs)
    expect(await team.git(theirs, 'status', '--porcelain')).toBe('')
  })

  test('files killed halfway are written again from the store (MEM-077)', async () => {
    const team = await makeTeam()
    const alice = await team.clone('alice')
    alice.remember('one')
    await (await alice.open()).close()
    alice.remember('two')
    const sync = await alice.open()
    await sync.tick(online)
    expect((await team.files()).filter((path) => path.endsWith('.json'))).toHaveLength(2)
    const key = await readFile(join(team.root, 'home-alice', 'keys', 'alice.pub'), 'utf8')
    expect(`${await team.git(team.remote, 'show', `${branch}:devices/alice.pub`)}\n`).toBe(key)
  })
})
