import { describe, expect, test } from 'vitest'
import { describeConfig } from '../../src/config/show.ts'
import { load, minimal } from './support.ts'

const secret = 'SENTINEL'.padEnd(977, 'x')

describe('CLI-011', () => {
  test('every value with its origin, spelled as in the file', () => {
    const shown = describeConfig(
      load(`${minimal}[routing]\ntool_depth_threshold = 5\n[memory.embedder]\ndimensions = 8`),
      {}
    )
    expect(shown.models.m25).toMatchObject({
      endpoint: { value: 'http://127.0.0.1:9/v1', origin: 'file' },
      dialect: { value: 'minimax', origin: 'default' },
      model: { value: 'default', origin: 'default' },
      max_context: { value: 128000, origin: 'default' },
      api_key: '<unset>'
    })
    expect(shown.sections.routing?.tool_depth_threshold).toEqual({ value: 5, origin: 'file' })
    expect(shown.sections.routing?.default_model).toEqual({ value: 'm25', origin: 'default' })
    expect(shown.sections['memory.embedder']?.dimensions).toEqual({ value: 8, origin: 'file' })
    expect(shown.sections['memory.embedder']?.model_sha256?.value).toMatch(/^398a/)
    expect(shown.sections.sub_agent?.default_model).toEqual({ value: 'm25', origin: 'default' })
    expect(shown.sections.workflow?.fallback_folders?.value).toEqual(['.claude'])
  })

  test('no value in force is missing from it', () => {
    const shown = describeConfig(load(minimal), {})
    const values = Object.values(shown.sections).flatMap((section) => Object.entries(section))
    expect(values.filter(([, { value }]) => value === null).map(([key]) => key)).toEqual(['deep_model'])
  })
})

describe('CLI-032', () => {
  const text = `${minimal}api_key = "${secret}"\n[vault]\nurl = "https://vault.example/"\ntoken = "${secret}"`
  test.each([
    [{}, '<toml>'],
    [{ GHYLL_API_KEY: secret }, '<env>'],
    [{ GHYLL_API_KEY_M25: secret }, '<env>']
  ])('says where a key is from and nothing of the key (%#)', (env, origin) => {
    const shown = describeConfig(load(text, { env }), env)
    expect(shown.models.m25?.api_key).toBe(origin)
    expect(JSON.stringify(shown)).not.toContain('SENTINEL')
    expect(JSON.stringify([shown.models, shown.sections.vault])).not.toContain('977')
  })
})
