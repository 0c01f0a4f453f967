import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { makePlace, twoModels } from './place.ts'

test('a place has a home and a clean project of its own', async () => {
  const place = await makePlace({ files: { 'a/b.txt': 'text' }, config: twoModels('http://127.0.0.1:9/v1') })
  onTestFinished(place.remove)
  expect(await place.git('status', '--porcelain')).toBe('')
  expect(await place.read('a/b.txt')).toBe('text')
  expect((await stat(place.configPath)).mode & 0o777).toBe(0o600)
  expect(place.env).toMatchObject({ HOME: place.home })
  expect(place.env).not.toHaveProperty('CI')
  expect(Object.keys(place.env).filter((name) => name.startsWith('VITEST'))).toEqual([])
})

test('removing it leaves nothing', async () => {
  const place = await makePlace()
  await place.remove()
  expect(existsSync(place.root)).toBe(false)
})
