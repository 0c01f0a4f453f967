import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { doctorChecks } from '../../src/app/doctor.ts'
import { cli } from '../cli/support.ts'
import { homeWith } from '../config/support.ts'
import { writeTinyModel } from '../support/tiny-model.ts'

/** What `ghyll doctor` says of a model with these dimensions, or of none. */
async function doctor(dimensions: number | null) {
  const { home } = homeWith(null)
  const model = join(home, 'tiny.onnx')
  if (dimensions !== null) writeTinyModel(model, { dimensions })
  const sha256 = dimensions === null ? '0'.repeat(64) : createHash('sha256').update(readFileSync(model)).digest('hex')
  const { home: configured } = homeWith(
    `[models.m25]\nendpoint = "http://127.0.0.1:1/v1"\ndialect = "glm"\n` +
      `[memory.embedder]\nmodel_path = "${model}"\nmodel_sha256 = "${sha256}"\n`
  )
  const env = { HOME: configured, PATH: process.env.PATH ?? '' }
  const { out } = await cli(['doctor'], {
    env,
    cwd: configured,
    handlers: { doctorChecks: async (config) => doctorChecks(config) }
  })
  return out.split('\n').filter((line) => line.includes('embedder'))
}

test('a model that is there has to load and answer with the configured dimensions (CLI-022, MEM-117)', async () => {
  expect(await doctor(384)).toEqual([
    expect.stringMatching(/^✓ embedder .*384 dimensions configured/),
    '✓ embedder model       loads and answers with 384 dimensions (wordpiece)'
  ])
  expect((await doctor(8))[1]).toBe('✗ embedder model       embedder: the model has 8 dimensions, 384 are configured')
})

test('without a model there is one line that says so', async () => {
  expect(await doctor(null)).toEqual([expect.stringMatching(/^ℹ embedder .*no model at/)])
})
