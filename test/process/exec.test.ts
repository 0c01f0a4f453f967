import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { LLMock } from '@copilotkit/aimock'
import Database from 'better-sqlite3'
import { execa } from 'execa'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ghyllPath, runGhyll, startGhyll } from '../support/ghyll.ts'
import { type ModelServer, rawReply, startModelServer } from '../support/model-server.ts'
import { fileWith, makePlace, type Place, twoModels } from '../support/place.ts'
import { groupGone } from '../support/process-stats.ts'

// `ghyll exec` as a real process against a real server on loopback.

async function open(more = ''): Promise<{ server: ModelServer; place: Place }> {
  const server = await startModelServer()
  onTestFinished(() => server.close())
  const place = await makePlace({ config: twoModels(server.url, more) })
  onTestFinished(place.remove)
  return { server, place }
}

describe('ghyll exec (TERM-60, CLI-034)', () => {
  test('prints the answer alone on standard output and exits 0', async () => {
    const { server, place } = await open()
    server.reply({ text: 'Hello yourself.', pace: 0 })
    expect(await runGhyll(place, ['exec', 'hello'])).toMatchObject({ stdout: 'Hello yourself.\n', code: 0 })
    expect(server.requests[0]?.body.messages.at(-1)).toMatchObject({ role: 'user', content: 'hello' })
  })

  test('takes the prompt from standard input', async () => {
    const { server, place } = await open()
    server.reply({ text: 'Read.', pace: 0 })
    expect(await runGhyll(place, ['exec'], { input: 'from a pipe\n' })).toMatchObject({ stdout: 'Read.\n', code: 0 })
    expect(server.requests[0]?.body.messages.at(-1)?.content?.trim()).toBe('from a pipe')
  })

  test('--json prints one event a line and nothing else; the answer is in them and the last one tells the outcome', async () => {
    const { server, place } = await open()
    server.reply(
      { calls: [{ tool: 'bash', args: { command: 'echo made > made.txt' } }] },
      { text: 'Made it.', pace: 0 }
    )
    const { stdout, code } = await runGhyll(place, ['exec', '--json', 'make it'])
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { kind: string; text?: string })
    expect(code).toBe(0)
    expect(events.filter((event) => event.kind === 'tool-ended')).toHaveLength(1)
    expect(events.find((event) => event.kind === 'reply-settled' && event.text === 'Made it.')).toBeDefined()
    expect(events.at(-1)).toMatchObject({ exitCode: 0 })
    expect(await place.read('made.txt')).toBe('made\n')
  })

  test('works with a chat server nobody here wrote, tool calls included', async () => {
    const mock = new LLMock({ port: 0 })
    mock.onToolResult('call_a', { content: 'The file is there.' })
    mock.onMessage('make a file', {
      toolCalls: [{ id: 'call_a', name: 'write_file', arguments: '{"path":"new.txt","content":"words"}' }]
    })
    await mock.start()
    onTestFinished(() => mock.stop())
    const place = await makePlace({ config: twoModels(`${mock.url}/v1`) })
    onTestFinished(place.remove)
    expect(await runGhyll(place, ['exec', 'make a file'])).toMatchObject({ stdout: 'The file is there.\n', code: 0 })
    expect(await place.read('new.txt')).toBe('words')
  })

  test.each([
    ['no prompt at all', ['exec'], ''],
    ['an unknown option', ['exec', '--nonsense', 'x'], undefined]
  ])('%s is a usage error: exit 2, nothing on standard output', async (_, args, input) => {
    const { server, place } = await open()
    const ran = await runGhyll(place, args, input === undefined ? {} : { input })
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    expect(server.requests).toHaveLength(0)
  })

  test('a refused key exits 1 and the key is nowhere (MODEL-050, MODEL-066)', async () => {
    const key = 'sentinel-key-5f1d'
    const { server, place } = await open()
    server.reply(rawReply([`{"error":{"message":"bad key ${key}"}}`], { status: 401, type: 'application/json' }))
    const ran = await runGhyll(place, ['exec', '--json', 'hello'], { env: { GHYLL_API_KEY: key } })
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${key}`)
    expect(ran.code).toBe(1)
    expect(ran.stdout + ran.stderr).toContain('authentication failed')
    expect(ran.stdout + ran.stderr).not.toContain(key)
    for (const file of ['.ghyll/ghyll.log', '.ghyll/session.db', '.ghyll/session.db-wal']) {
      if (existsSync(place.at(file))) expect(await place.read(file), file).not.toContain(key)
    }
  })

  test('a reply that breaks off exits 1 and keeps what came', async () => {
    const { server, place } = await open()
    server.reply({ text: 'one two three four', pace: 0, ending: { kind: 'cut', afterTokens: 2 } })
    const ran = await runGhyll(place, ['exec', 'hello'])
    expect(ran.code).toBe(1)
    expect(ran.stdout).toContain('one two')
    expect(ran.stderr).toMatch(/⚠ stream interrupted after \d+ tokens/)
  })

  test('the ceiling of a chain exits 4 after exactly 50 calls (SESS-072)', async () => {
    const { server, place } = await open()
    const ran = await runGhyll(place, ['exec', 'repeat 60 echo x >> count.txt'])
    expect(ran.code).toBe(4)
    expect(ran.stderr).toContain('✗ tool call depth exceeded (50), stopping')
    expect((await place.read('count.txt')).trimEnd().split('\n')).toHaveLength(50)
    expect(server.requests).toHaveLength(51)
  })

  test('--max-turns ends it with exit 4 after so many model calls', async () => {
    const { server, place } = await open()
    expect((await runGhyll(place, ['exec', '--max-turns', '2', 'repeat 9 true'])).code).toBe(4)
    expect(server.requests).toHaveLength(2)
  })

  test('an interrupt exits 130 and leaves no process behind (TERM-45)', async () => {
    const { server, place } = await open()
    const command = 'echo $$ > leader.pid; sleep 600; true'
    server.reply({ calls: [{ tool: 'bash', args: { command } }], pace: 0 })
    const running = startGhyll(place, ['exec', 'wait'])
    const leader = Number(await fileWith(place, 'leader.pid', /^\d+\n$/))
    running.kill('SIGINT')
    await groupGone(leader)
    expect((await running).exitCode).toBe(130)
  })

  test('what a killed one left is settled without a say in the outcome of the next (SESS-102)', async () => {
    const { server, place } = await open()
    server.reply({ calls: [{ tool: 'bash', args: { command: 'echo $$ > leader.pid; sleep 600' } }], pace: 0 })
    const killed = startGhyll(place, ['exec', 'wait'])
    const leader = Number(await fileWith(place, 'leader.pid', /^\d+\n$/))
    onTestFinished(() => void process.kill(-leader, 'SIGKILL')) // It survives, as nobody was left to end it.
    killed.kill('SIGKILL')
    await killed
    server.reply({ text: 'All is well.', pace: 0 })
    expect(await runGhyll(place, ['exec', 'hello'])).toMatchObject({ stdout: 'All is well.\n', code: 0 })
  })

  test('a prompt that was refused is a failure and reaches no model (SESS-038)', async () => {
    const { server, place } = await open()
    const ran = await runGhyll(place, ['exec'], { input: 'x'.repeat(4 * 1024 * 1024 + 1) })
    expect(ran).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('✗ input is larger than 4 MiB; not queued')
    })
    expect(server.requests).toEqual([])
  })

  test('a home nobody can write to ends the start with one line (SESS-020 step 6)', async () => {
    const { place } = await open()
    await rm(join(place.home, '.ghyll', 'keys'), { recursive: true, force: true })
    await writeFile(join(place.home, '.ghyll', 'keys'), 'a file in its place')
    const ran = await runGhyll(place, ['exec', 'hello'])
    expect(ran).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^ghyll: key setup: .*keys/m) })
    expect(ran.stderr).not.toContain('internal error')
  })

  test('a shell line that fails is a failure (TERM-60)', async () => {
    const { place } = await open()
    expect((await runGhyll(place, ['exec', '!exit 3'])).code).toBe(1)
    expect((await runGhyll(place, ['exec', '!true'])).code).toBe(0)
  })

  test('a turn whose reader goes away in the middle is no success, and the lock is given back', async () => {
    const { server, place } = await open()
    server.reply({ calls: [{ tool: 'bash', args: { command: 'sleep 1; true' } }] }, { text: 'done' })
    const running = startGhyll(place, ['exec', '--json', 'work'])
    running.stdout?.once('data', () => running.stdout?.destroy())
    expect((await running).exitCode).toBe(1)
    expect(existsSync(place.at('.ghyll.lock'))).toBe(false)
  })

  test.runIf(existsSync('/dev/full'))('a full disk behind standard output is told in one line', async () => {
    const { server, place } = await open()
    server.reply({ text: 'Hello yourself.', pace: 0 })
    const shell = execa('sh', ['-c', `"${ghyllPath}" exec hello > /dev/full`], {
      cwd: place.project,
      env: place.env,
      extendEnv: false,
      reject: false
    })
    const { stderr, exitCode } = await shell
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/^ghyll: cannot write to standard output: ENOSPC/m)
    expect(stderr).not.toContain('    at ')
  })

  test('a signal ends it in time and in order at every moment of its opening (SESS-005)', async () => {
    const { server, place } = await open()
    // The moments are what is tried: nothing tells from outside how far the opening has come.
    for (const delayMs of [100, 300, 400, 500, 600, 700, 800, 900]) {
      server.reply({ text: 'word '.repeat(2000), pace: 50 })
      const running = startGhyll(place, ['exec', 'talk'])
      await sleep(delayMs)
      running.kill('SIGTERM')
      const late = sleep(8000).then(() => ({ exitCode: 'too late', signal: '' }))
      const { exitCode, signal } = await Promise.race([running, late])
      running.kill('SIGKILL')
      // While the program is loaded it is the signal itself that ends it.
      expect(`${delayMs} ${exitCode ?? signal}`).toMatch(/^\d+ (?:143|SIGTERM)$/)
      expect(existsSync(place.at('.ghyll.lock'))).toBe(false)
    }
  }, 60_000)

  test('a turn outlives a disk that is full: it says so, and answers (SESS-160)', async () => {
    const { server, place } = await open()
    const content = 'x'.repeat(500_000)
    server.reply(
      { calls: [{ tool: 'write_file', args: { path: 'large.txt', content } }], pace: 0 },
      { text: 'Written.', pace: 0 }
    )
    // No file may grow beyond a megabyte, as on a disk without room for the log of the database.
    const ran = await execa('bash', ['-c', 'ulimit -f 1000; exec "$@"', '-', ghyllPath, 'exec', 'write it'], {
      cwd: place.project,
      env: place.env,
      extendEnv: false,
      reject: false,
      stdin: 'ignore'
    })
    expect(ran).toMatchObject({ exitCode: 0, stdout: 'Written.' })
    expect(ran.stderr).toMatch(/⚠ record in .*session\.db: .*; what happens from here on is lost if ghyll dies/)
    expect(await place.read('large.txt')).toBe(content)
    expect((await runGhyll(place, ['exec', '/status'])).code).toBe(0)
  })

  test('a model that cleans the work tree takes away neither the session nor its lock (SESS-024, SESS-136)', async () => {
    const { server, place } = await open()
    server.reply(
      { calls: [{ tool: 'bash', args: { command: 'git clean -fdxq && ls -A' } }], pace: 0 },
      { calls: [{ tool: 'bash', args: { command: 'cat .ghyll.lock' } }], pace: 0 },
      { text: 'Clean.', pace: 0 }
    )
    const ran = await runGhyll(place, ['exec', 'clean up'])
    expect(ran).toMatchObject({ code: 0, stdout: 'Clean.\n' })
    expect(ran.stderr).toContain('⚠ the session store was taken away while it was in use; it is there again')
    const results = server.requests.map(({ body }) => body.messages.at(-1)?.content ?? '')
    expect(results[1]).not.toContain('.ghyll')
    expect(results[2]).toMatch(/^\d+\n/)
    expect(existsSync(place.at('.ghyll.lock'))).toBe(false)
    const database = new Database(place.at('.ghyll/session.db'), { readonly: true })
    expect(database.prepare('SELECT state, turn FROM session').all()).toEqual([{ state: 'closed', turn: 1 }])
    expect(database.prepare('SELECT kind FROM history ORDER BY seq').pluck().all()).toEqual([
      ...['user', 'assistant', 'tool', 'assistant', 'tool', 'assistant']
    ])
    database.close()
  })

  test('an interrupt reaches what a sub-agent runs: its child is gone (CTX-085, CTX-090)', async () => {
    const { server, place } = await open()
    const command = 'echo $$ > leader.pid; sleep 600; true'
    server.reply(
      { calls: [{ tool: 'agent', args: { task: 'wait for me' } }], pace: 0 },
      { calls: [{ tool: 'bash', args: { command } }], pace: 0 }
    )
    const running = startGhyll(place, ['exec', 'let it wait'])
    const leader = Number(await fileWith(place, 'leader.pid', /^\d+\n$/))
    running.kill('SIGINT')
    await groupGone(leader)
    expect((await running).exitCode).toBe(130)
  })

  test('a second one in the same repository is refused while the first runs (SESS-132)', async () => {
    const { server, place } = await open()
    server.reply({ calls: [{ tool: 'bash', args: { command: 'echo $$ > leader.pid; sleep 600' } }], pace: 0 })
    const running = startGhyll(place, ['exec', 'wait'])
    await fileWith(place, 'leader.pid', /^\d+\n$/)
    const second = await runGhyll(place, ['exec', 'hello'])
    expect(second).toMatchObject({ code: 1, stdout: '' })
    expect(second.stderr).toContain(`another ghyll session is active (pid ${running.pid})`)
    running.kill('SIGTERM')
    await running
    expect(existsSync(place.at('.ghyll.lock'))).toBe(false)
  })
})
