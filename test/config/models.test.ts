import { describe, expect, test } from 'vitest'
import { load, minimal, problems } from './support.ts'

const model = (lines: string, name = 'm25') => `[models.${name}]\n${lines}\n`
const local = 'endpoint = "http://127.0.0.1:9/v1"\n'

describe('models', () => {
  test('defaults are filled in and what is written stays verbatim', () => {
    const config = load(
      `${minimal}${model(`${local}dialect = "GLM5"\nmodel = "zai-org/GLM-5"\nprice_input = 0.5`, 'big')}`
    )
    expect(config.models.m25).toEqual({
      name: 'm25',
      endpoint: 'http://127.0.0.1:9/v1',
      dialect: null,
      family: 'minimax',
      maxContext: 128000,
      model: null,
      apiKey: null,
      stampLabel: 'm25',
      maxRequestBytes: 0,
      priceInput: null,
      priceOutput: null,
      priceCached: null
    })
    expect(config.models.big).toMatchObject({ dialect: 'GLM5', family: 'glm', model: 'zai-org/GLM-5', priceInput: 0.5 })
  })

  test('a model may bear the name of an object property, and no other model is there', () => {
    const config = load(minimal + model(local, 'constructor') + model(local, '__proto__'))
    expect(Object.keys(config.models)).toEqual(['m25', 'constructor', '__proto__'])
    expect(config.models.toString).toBeUndefined()
  })

  test.each([
    [model(''), "model 'm25' has no endpoint"],
    [model('endpoint = "  "'), "model 'm25' has no endpoint"],
    [model('endpoint = 5'), 'config: models.m25.endpoint: must be a string, got 5'],
    [model('endpoint = "ftp://h/v1"'), `model 'm25' endpoint "ftp://h/v1": URL scheme not allowed`],
    [model('endpoint = "inference:8000"'), `model 'm25' endpoint "inference:8000": URL scheme not allowed`],
    [
      model('endpoint = "https://bob:SENTINEL@h/v1"'),
      `model 'm25' endpoint "https://***@h/v1": user name and password are not allowed in the URL`
    ],
    [
      model('endpoint = "https://h/v1?key=SENTINEL"'),
      `model 'm25' endpoint "https://h/v1": a query or fragment is not allowed in the URL`
    ],
    [
      model('endpoint = "https://h/v1#SENTINEL"'),
      `model 'm25' endpoint "https://h/v1": a query or fragment is not allowed in the URL`
    ],
    [model(`${local}max_context = 1023`), 'config: models.m25.max_context: must be at least 1024, got 1023'],
    [model(`${local}max_request_bytes = -1`), 'config: models.m25.max_request_bytes: must be at least 0, got -1'],
    [model(`${local}price_cached = -0.1`), 'config: models.m25.price_cached: must be at least 0, got -0.1'],
    [model(`${local}model = "a\\u0000b"`), "model 'm25': model contains a control character"],
    [model(`${local}api_key = "a\\nb"`), "model 'm25': api_key contains a control character"],
    [model(`${local}api_key = 5`), 'config: models.m25.api_key: must be a string, got a number'],
    [
      model(`${local}dialect = "kimi-thinking"`),
      "model 'm25' has unknown dialect 'kimi-thinking' (known families: minimax, glm, deepseek, qwen, kimi, kimi-code)"
    ],
    [`models.m25 = 5`, "config: models.m25: must be a table, got a number|model 'm25' has no endpoint"],
    [
      minimal + model(local, '"a b"'),
      'config: models.<name>: must be 1 to 64 letters, digits, dots, dashes or underscores, got "a b"'
    ]
  ])('%s', (text, expected) => {
    expect(problems(text).join('|')).toBe(expected)
  })

  test('CFG-010, MODEL-066: two names with one environment form', () => {
    expect(problems(minimal + model(local, '"glm-5"') + model(local, 'glm_5'))).toEqual([
      'model keys "glm-5" and "glm_5" both normalize to env var GHYLL_API_KEY_GLM_5; rename one'
    ])
  })

  test.each(['sk-abcdefghijkl', 'Bearer x', 'my API_KEY', 'topsecret'])(
    'MODEL-091: the label %s looks like a secret',
    (label) => {
      expect(problems(model(`${local}stamp_label = "${label}"`))).toEqual([
        "model 'm25': stamp_label looks like a secret"
      ])
    }
  )

  test('MODEL-006: without a dialect the name decides, else minimax with one warning', () => {
    const config = load(minimal + model(local, 'glm') + model(local, 'mystery'))
    expect(config.models.glm?.family).toBe('glm')
    expect(config.models.mystery?.family).toBe('minimax')
    expect(config.warnings).toContain("model 'mystery': no dialect set, assuming minimax")
    expect(config.warnings).not.toContain("model 'glm': no dialect set, assuming minimax")
  })
})

describe('MODEL-067: no key in plain text', () => {
  const plain = (endpoint: string, rest = '') => model(`endpoint = "${endpoint}"\n${rest}`)
  const text = (endpoint: string) => `model 'm25': api_key would be sent in plain text to ${endpoint}; use https`

  test('a key of the file or of the environment with http to another machine', () => {
    const endpoint = 'http://10.0.0.7:8000/v1'
    expect(problems(plain(endpoint, 'api_key = "SENTINEL"'))).toEqual([text(endpoint)])
    expect(problems(plain(endpoint), { env: { GHYLL_API_KEY: 'SENTINEL' } })).toEqual([text(endpoint)])
    expect(load(plain(endpoint), { env: { GHYLL_API_KEY: ' ' } }).models.m25?.endpoint).toBe(endpoint)
  })

  test.each(['http://localhost:1/v1', 'http://127.8.9.1/v1', 'http://[::1]:8/v1', 'https://10.0.0.7/v1'])(
    'CFG-011: %s may have one',
    (endpoint) => {
      expect(load(plain(endpoint, 'api_key = "k"')).models.m25?.apiKey).toBe('k')
    }
  )

  test.each(['http://localhost.example.com/v1', 'http://127.0.0.1.nip.io/v1'])(
    'CFG-011: %s is another machine',
    (endpoint) => {
      expect(problems(plain(endpoint, 'api_key = "k"'))).toEqual([text(endpoint)])
    }
  )

  test('a key of the environment that would break a header is a problem that names the variable only', () => {
    expect(problems(minimal, { env: { GHYLL_API_KEY_M25: 'SENT\u0001INEL' } })).toEqual([
      "model 'm25': GHYLL_API_KEY_M25 contains a control character"
    ])
  })
})
