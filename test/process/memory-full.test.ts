import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { expect, onTestFinished, test } from 'vitest'
import { openMemoryStore } from '../../src/memory/store.ts'

const program = fileURLToPath(new URL('../fixtures/programs/remember-until-full.ts', import.meta.url))

test('a full disk refuses the next checkpoint with a clear failure and keeps every one before it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ghyll-full-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'memory.db')
  const { stdout } = await execa('bash', ['-c', 'ulimit -f 1000; exec "$@"', '-', process.execPath, program, path])
  const told = JSON.parse(stdout) as { taken: number; code: string; hint: string }
  expect(told).toMatchObject({ code: 'store-unavailable', hint: expect.stringContaining('free space') })
  expect(told.taken).toBeGreaterThan(0)
  const store = openMemoryStore(path)
  expect(store.links({ device: 'laptop', repo: '/r' })).toHaveLength(told.taken)
  store.close()
})
