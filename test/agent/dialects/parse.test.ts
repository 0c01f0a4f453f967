import { describe, expect, test } from 'vitest'
import { dialectFor } from '../../../src/agent/dialects/index.ts'
import { dialectFamilies } from '../../../src/protocol/model.ts'
import { fc } from '../../support/laws.ts'

const origin = { turn: 4, callsSoFar: 2 }
const wire = (id: unknown, name: unknown = 'bash', args: unknown = '{"command":"ls"}') => ({
  id,
  type: 'function',
  function: { name, arguments: args }
})
const parse = (family: string, list: unknown) => dialectFor(family).parseToolCalls(JSON.stringify(list), origin)
const opaque = dialectFamilies.filter((family) => family !== 'kimi')

describe.each(dialectFamilies)('%s', (family) => {
  test.each([
    ['an object', {}],
    ['a string', 'calls'],
    ['null', null],
    ['a list of strings', ['bash']],
    ['a call without function', [{ id: 'functions.bash:0' }]],
    ['a call without name', [wire('functions.bash:0', '')]],
    ['one bad call among good ones', [wire('functions.bash:0'), 7]]
  ])('MODEL-074 %s is refused as a whole', (_name, list) => {
    expect(parse(family, list)).toEqual({
      ok: false,
      refusal: { code: 'parse-refused', reason: 'tool_calls is not a list of call objects', offending: null }
    })
  })

  test('MODEL-074 text that is no JSON is refused, not thrown', () => {
    expect(dialectFor(family).parseToolCalls('[{', origin)).toMatchObject({ ok: false })
  })

  test('no calls are no trouble', () => {
    expect(parse(family, [])).toEqual({ ok: true, calls: [] })
  })

  test.each([
    ['', '{}'],
    ['  ', '{}'],
    [null, '{}'],
    [undefined, '{}'],
    [{ path: 'a' }, '{"path":"a"}'],
    ['{"half', '{"half'],
    ['{"command":"ls"}', '{"command":"ls"}']
  ])('MODEL-074 arguments %j become %s', (args, text) => {
    const parsed = parse(family, [{ id: 'functions.bash:0', function: { name: 'bash', arguments: args } }])
    expect(parsed).toMatchObject({ ok: true, calls: [{ arguments: text }] })
  })

  test('MODEL-074 parsing is total', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
        expect(typeof dialectFor(family).parseToolCalls(text, origin).ok).toBe('boolean')
      })
    )
  })
})

describe.each(opaque)('%s: opaque ids', (family) => {
  test('MODEL-074 any id is kept', () => {
    const id = '8b1f6c1e-0d5a-4c0e-9f3a-2a8f1f3c9d10'
    expect(parse(family, [wire(id), wire('call 2 / ü')])).toMatchObject({
      ok: true,
      calls: [{ id }, { id: 'call 2 / ü' }]
    })
  })

  test('MODEL-074 an empty or missing id is made up and differs within the turn', () => {
    expect(parse(family, [wire(''), wire('x'), wire(undefined), wire(null)])).toMatchObject({
      ok: true,
      calls: [{ id: 'call_4_2' }, { id: 'x' }, { id: 'call_4_4' }, { id: 'call_4_5' }]
    })
  })

  test('MODEL-074 repeated ids get a suffix that nobody else has', () => {
    expect(parse(family, [wire('a'), wire('a'), wire('a_2'), wire('a')])).toMatchObject({
      ok: true,
      calls: [{ id: 'a' }, { id: 'a_3' }, { id: 'a_2' }, { id: 'a_4' }]
    })
  })

  test('MODEL-074 one id repeated many thousand times holds nobody up', () => {
    const parsed = parse(
      family,
      Array.from({ length: 60_000 }, () => wire('a'))
    )
    expect(parsed.ok && parsed.calls.at(-1)?.id).toBe('a_60000')
  })

  test('MODEL-074 ids of one response are distinct, whatever came', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('', 'a', 'a_2', 'a_3', 'call_4_3', 'b')), (list) => {
        const parsed = parse(
          family,
          list.map((id) => wire(id))
        )
        expect(parsed.ok && new Set(parsed.calls.map(({ id }) => id)).size).toBe(list.length)
      })
    )
  })
})

describe('kimi: numbered ids', () => {
  test.each(['functions.bash:0', 'functions.read_file:12', 'functions._x-y:3'])('MODEL-074 %s is accepted', (id) => {
    expect(parse('kimi', [wire(id)])).toMatchObject({ ok: true, calls: [{ id }] })
  })

  test.each([
    '8b1f6c1e-0d5a-4c0e-9f3a-2a8f1f3c9d10',
    '',
    'bash:0',
    'functions.bash',
    'functions.9x:0',
    'functions.bash:0 ',
    'functions.bash:0\n'
  ])('MODEL-074 %j is refused, the id and the required shape named, and nothing runs', (id) => {
    const parsed = parse('kimi', [wire('functions.bash:0'), wire(id)])
    expect(parsed).toMatchObject({ ok: false, refusal: { code: 'parse-refused', offending: id } })
    const reason = parsed.ok ? '' : parsed.refusal.reason
    expect(reason).toContain(JSON.stringify(id))
    expect(reason).toContain('functions.<name>:<index>')
  })

  test('MODEL-074 an id that appears twice is refused', () => {
    expect(parse('kimi', [wire('functions.bash:0'), wire('functions.bash:0')])).toMatchObject({
      ok: false,
      refusal: { offending: 'functions.bash:0' }
    })
  })
})
