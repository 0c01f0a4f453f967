import { describe, expect, test } from 'vitest'
import { builtInGuidelines, homeFiles } from '../../src/config/home-files.ts'
import { modelSchema, sections } from '../../src/config/schema.ts'
import { templateEndpoints, templateText } from '../../src/config/template.ts'
import { checkKeys } from '../../ui/keys/index.ts'
import { load, minimal } from './support.ts'

describe('CFG-020', () => {
  const template = load(templateText)
  const real = load(templateText.replaceAll('https://inference.internal', 'http://127.0.0.1:9'))

  test('is a valid configuration without a word to say about it, once the addresses are real', () => {
    expect(real.warnings).toEqual([])
    expect(template.warnings).toHaveLength(2)
  })

  test('shows a fast and a deep model', () => {
    expect(template.models.m25).toMatchObject({ family: 'minimax', maxContext: 1_000_000 })
    expect(template.models.glm5).toMatchObject({ family: 'glm', maxContext: 200_000 })
    expect(template.routing).toMatchObject({ defaultModel: 'm25', deepModel: 'glm5' })
    expect([...templateEndpoints]).toContain(template.models.m25?.endpoint)
  })

  test('its values are the defaults', () => {
    const defaults = load(minimal)
    expect({ ...template.routing, deepModel: null }).toEqual(defaults.routing)
    const modelPath = expect.stringMatching(/\/\.ghyll\/models\/gte-small\.onnx$/)
    const embedder = { ...defaults.memory.embedder, modelPath }
    expect(template.memory).toEqual({ ...defaults.memory, embedder })
    expect(template.tools).toEqual(defaults.tools)
    expect(template.subAgent).toEqual(defaults.subAgent)
    expect(template.workflow).toEqual(defaults.workflow)
    expect(template.ui).toEqual(defaults.ui)
    expect(template.vault).toBeNull()
  })

  test('names every key of every section, each with a comment before it', () => {
    const lines = templateText.split('\n')
    const schemas = Object.entries({ ...sections, 'models.m25': modelSchema })
    for (const [name, schema] of schemas) {
      const section = name === 'embedder' ? 'memory.embedder' : name
      const start = lines.findIndex((line) => line.replace('# ', '') === `[${section}]`)
      expect(start, section).toBeGreaterThan(-1)
      const end = lines.findIndex((line, index) => index > start && line.replace('# ', '').startsWith('['))
      const body = lines.slice(start + 1, end === -1 ? undefined : end)
      for (const key of Object.keys(schema.shape))
        expect(
          body.filter((line) => line.replace('# ', '').startsWith(`${key} = `)),
          `${section}.${key}`
        ).toHaveLength(1)
    }
  })

  test('tells the rank scale, the order of keys and the other examples', () => {
    expect(templateText).toMatch(/1 SHALLOW, 2 MOCKED, 3 REALISTIC/)
    expect(templateText).toMatch(/GHYLL_API_KEY_<NAME>[\s\S]*GHYLL_API_KEY\n[\s\S]*api_key/)
    expect(templateText).toContain('# model = "moonshotai/Kimi-K2.6"')
    expect(templateText).toContain('# [models.glm5-int4]')
    expect(templateText).toContain('# [vault]')
  })

  test('with the commented models, keys and vault put in it still loads', () => {
    const all = templateText
      .replaceAll(/^# (\[models\.|\[vault\]|\[keys\]|help =|endpoint|dialect|model =|max_context|url =)/gm, '$1')
      .replaceAll('https://inference.internal', 'http://127.0.0.1:9')
    const config = load(all, { checkKeys })
    expect(config.keys.help).toEqual(['f1', 'f12'])
    expect(Object.keys(config.models)).toEqual(['m25', 'glm5', 'kimi', 'glm5-int4'])
  })
})

describe('INIT-97', () => {
  test.each(Object.entries(builtInGuidelines))(
    'the %s guideline has its comment, its heading and its size',
    (name, text) => {
      const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`
      expect(text).toMatch(new RegExp(`^<!-- .*edit or delete.* -->\n# ${title} bias\n`))
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1536)
    }
  )

  test('file commands begin with what they do', () => {
    for (const name of ['commands/verify.md', 'commands/spec-check.md'])
      expect(homeFiles[name]?.split('\n', 1)[0]).toMatch(/^[A-Z].*\.$/)
  })
})
