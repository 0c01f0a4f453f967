import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadEmbedderConfig } from '../../src/config/embedder.ts'
import { defaultEmbedder } from '../../src/config/schema.ts'
import { failureOf, homeWith } from './support.ts'

const read = (text: string | null) => loadEmbedderConfig({ HOME: homeWith(text).home })
const defaults = { modelUrl: defaultEmbedder.url, modelSha256: defaultEmbedder.sha256 }

describe('the section alone, defaults where there is nothing to read (MEM-120)', () => {
  test.each([
    ['missing', null],
    ['no TOML', 'model_url = = ='],
    ['larger than 1 MiB', `# ${'x'.repeat(1024 * 1024)}\n[memory.embedder]\nmodel_url = "https://a.example/m"`],
    ['a section that is none', '[memory]\nembedder = 3\n'],
    ['a URL that is no text', '[memory.embedder]\nmodel_url = 3\n']
  ])('%s', (_name, text) => {
    expect(read(text)).toMatchObject(defaults)
  })

  test("a symbolic link, even of one's own", () => {
    const { home, path } = homeWith('')
    const target = join(home, 'elsewhere.toml')
    writeFileSync(target, '[memory.embedder]\nmodel_url = "https://a.example/m"\n')
    rmSync(path)
    symlinkSync(target, path)
    expect(loadEmbedderConfig({ HOME: home })).toMatchObject(defaults)
  })

  test('what else is configured badly does not matter', () => {
    expect(read('[routing]\ndefault_model = 3\n[memory.embedder]\nmodel_path = "/m.onnx"\n')).toMatchObject({
      ...defaults,
      modelPath: '/m.onnx'
    })
  })
})

describe('which digest counts (MEM-121)', () => {
  const sha = 'AB'.repeat(32)
  test.each([
    [
      'another URL has none',
      'model_url = "https://a.example/m"',
      { modelUrl: 'https://a.example/m', modelSha256: null }
    ],
    [
      'unless one is configured',
      `model_url = "https://a.example/m"\nmodel_sha256 = "${sha}"`,
      { modelSha256: sha.toLowerCase() }
    ],
    ['the default URL written out keeps its pin', `model_url = "${defaultEmbedder.url}"`, defaults],
    ['a configured one goes before the pin', `model_sha256 = "${sha}"`, { ...defaults, modelSha256: sha.toLowerCase() }]
  ])('%s', (_name, text, expected) => {
    expect(read(`[memory.embedder]\n${text}\n`)).toMatchObject(expected)
  })
})

describe('what cannot be meant is refused', () => {
  test.each(['$HOME/m.onnx', '~other/m.onnx'])('model_path = %s (MEM-123)', (path) => {
    const { home } = homeWith(`[memory.embedder]\nmodel_path = "${path}"\n`)
    expect(failureOf(() => loadEmbedderConfig({ HOME: home })).message).toMatch(
      /model_path: variables and ~user are not/
    )
  })

  test('a digest that is none', () => {
    const { home } = homeWith('[memory.embedder]\nmodel_sha256 = "abc"\n')
    expect(failureOf(() => loadEmbedderConfig({ HOME: home })).message).toMatch(/must be 64 hexadecimal digits/)
  })

  test('no home folder (MEM-123)', () => {
    expect(failureOf(() => loadEmbedderConfig({})).code).toBe('home-unset')
  })
})
