import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { expect, onTestFinished, test } from 'vitest'
import { publicPemOf } from '../../src/memory/key-files.ts'
import { recordFile } from '../../src/memory/record-file.ts'
import { signedRecord, vector1, vectorKey } from '../memory/support.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { chainOf } from '../vault/support.ts'

const program = fileURLToPath(new URL('../../dist/ghyll-vault.js', import.meta.url))
const { repo } = vector1

/** The built server in a home of its own that knows the key of `dev-1`. */
async function startProgram(home = temporaryFolder()): Promise<{ child: ChildProcess; home: string; url: string }> {
  const devices = join(home, '.ghyll', 'vault', 'devices')
  mkdirSync(devices, { recursive: true })
  writeFileSync(join(devices, 'dev-1.pub'), publicPemOf(vectorKey))
  writeFileSync(join(home, '.ghyll', 'config.toml'), '[vault]\nlisten = "127.0.0.1:0"\ntoken = "s3cret"\n', {
    mode: 0o600
  })
  const child = spawn(program, [], {
    env: { PATH: process.env.PATH ?? '', HOME: home },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const address = /^ghyll-vault listening on (127\.0\.0\.1:\d+)\n$/.exec(line.toString())?.[1]
  return { child, home, url: `http://${address}` }
}

/** What curl prints of an answer: its body and, after a space, the status. */
async function curl(url: string, body: string, ...more: string[]): Promise<string> {
  const args = ['--silent', '--data-binary', '@-', '--write-out', ' %{http_code}', ...more, url]
  return (await execa('curl', args, { input: body })).stdout
}

test('the matrix of answers with curl, a search in order, and SIGTERM (MEM-090…095, CLI-033)', async () => {
  const { child, home, url } = await startProgram()
  const chain = chainOf({ emb: Float32Array.of(0, 1), summary: 'far' }, { emb: Float32Array.of(1, 0), summary: 'near' })
  const push = (json: string, ...more: string[]) => curl(`${url}/v1/checkpoints`, `{"checkpoint":${json}}`, ...more)

  for (const record of chain) expect(await push(recordFile(record))).toBe(' 201')
  expect(await push(recordFile(chain[0]!))).toBe('already exists 409')
  expect(await push('{}')).toBe('bad request 400')
  expect(await push(recordFile({ ...chain[0]!, turn: 6 }))).toBe('hash mismatch 403')
  expect(await push(recordFile({ ...chain[0]!, sig: 'f'.repeat(128) }))).toBe('signature verification failed 403')
  expect(await push(recordFile(signedRecord({ device: 'nobody' })))).toBe('unknown device key 403')
  const proxied = ['--header', 'X-Forwarded-For: 203.0.113.9']
  expect(await push(recordFile(vector1), ...proxied)).toBe('unauthorized 401')
  expect(await push(recordFile(vector1), ...proxied, '--header', 'Authorization: Bearer s3cret')).toBe(' 201')

  const found = await curl(`${url}/v1/search`, JSON.stringify({ repo, embedding: [1, 0] }))
  expect(found).toMatch(/"near".*"far".* 200$/s)

  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
  const again = await startProgram(home)
  expect(await (await fetch(`${again.url}/v1/health`)).json()).toEqual({ status: 'ok', checkpoints: 3, devices: 1 })
})

test('what was acknowledged is there after kill -9', async () => {
  const { child, home, url } = await startProgram()
  expect(await curl(`${url}/v1/checkpoints`, `{"checkpoint":${recordFile(vector1)}}`)).toBe(' 201')
  child.kill('SIGKILL')
  await once(child, 'exit')
  const again = await startProgram(home)
  expect(await curl(`${again.url}/v1/checkpoints`, `{"checkpoint":${recordFile(vector1)}}`)).toBe('already exists 409')
})
