import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createPathFinder, rank } from '../../../src/app/requests/paths.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ghyll-test-'))
  await mkdir(join(folder, 'src/deep'), { recursive: true })
  for (const name of ['src/cart.ts', 'src/deep/tax.ts', 'README.md', 'secret.env'])
    await writeFile(join(folder, name), '')
  await writeFile(join(folder, '.gitignore'), '*.env\n')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('in a repository, what git ignores is left out and new files are found (TERM-42)', async () => {
  await execa('git', ['init', '-q'], { cwd: folder })
  const found = await createPathFinder(folder, () => 0).find('')
  expect(found).toContain('src/deep/tax.ts')
  expect(found).toContain('src/deep/')
  expect(found).not.toContain('secret.env')
})

test('outside a repository files are found all the same', async () => {
  expect(await createPathFinder(folder, () => 0).find('cart')).toEqual(['src/cart.ts'])
})

test('a listing is made anew after a few seconds, not for every key', async () => {
  let now = 0
  const finder = createPathFinder(folder, () => now)
  expect(await finder.find('late')).toEqual([])
  await writeFile(join(folder, 'late.txt'), '')
  expect(await finder.find('late')).toEqual([])
  now = 6_000
  expect(await finder.find('late')).toEqual(['late.txt'])
})

test('what starts with the text comes first, then whole segments, then the rest, short before long', () => {
  const paths = ['lib/cart/x.ts', 'scar.ts', 'cart.ts', 'cart/', 'src/Cart.tsx']
  expect(rank(paths, 'car')).toEqual(['cart/', 'cart.ts', 'src/Cart.tsx', 'lib/cart/x.ts', 'scar.ts'])
})

test('behind a folder its content comes first, not the folder again', () => {
  expect(rank(['sub/', 'sub/deep/', 'sub/a.ts', 'lib/sub/'], 'sub/')).toEqual(['sub/a.ts', 'sub/deep/', 'lib/sub/'])
})
