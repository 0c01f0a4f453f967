import { describe, expect, test } from 'vitest'
import { environmentForm, findApiKey, knownSecrets, resolveApiKey } from '../../src/config/api-key.ts'

const model = { name: 'glm-5', apiKey: 'from-file' }
const none = { name: 'glm-5', apiKey: null }

describe('MODEL-065', () => {
  test.each([
    ['own variable first', { GHYLL_API_KEY_GLM_5: 'own', GHYLL_API_KEY: 'all' }, model, 'own', 'environment'],
    ['then the common one', { GHYLL_API_KEY: 'all' }, model, 'all', 'environment'],
    ['then the file', {}, model, 'from-file', 'file'],
    ['values are trimmed', { GHYLL_API_KEY: ' all\n' }, model, 'all', 'environment'],
    ['an empty variable is absent', { GHYLL_API_KEY_GLM_5: '', GHYLL_API_KEY: '  ' }, model, 'from-file', 'file'],
    ['another model is no concern', { GHYLL_API_KEY_GLM_51: 'x' }, model, 'from-file', 'file']
  ])('%s', (_, env, target, key, origin) => {
    expect(resolveApiKey(target, env)).toBe(key)
    expect(findApiKey(target, env)?.origin).toBe(origin)
  })

  test('nothing anywhere is null', () => {
    expect(resolveApiKey(none, {})).toBeNull()
    expect(resolveApiKey({ ...none, apiKey: ' ' }, {})).toBeNull()
  })

  test.each([
    ['m25', 'M25'],
    ['glm-5.1', 'GLM_5_1'],
    ['a_b', 'A_B'],
    ['😀x', '_X']
  ])('the environment form of %s is %s, one _ per code point', (name, form) => {
    expect(environmentForm(name)).toBe(form)
  })
})

test('MODEL-066 the secrets to be hidden are all there are, also those that another one takes precedence over', () => {
  const models = { m: { ...model, apiKey: ' in-the-file ' }, n: { ...model, apiKey: null } }
  const config = { models, vault: { token: 'of-the-vault' } } as unknown as Parameters<typeof knownSecrets>[0]
  const env = { GHYLL_API_KEY: 'common', GHYLL_API_KEY_M: ' own\n', GHYLL_API_KEY_N: ' ', HOME: '/home/x' }
  expect(knownSecrets(config, env)).toEqual(['common', 'own', 'in-the-file', 'of-the-vault'])
})
