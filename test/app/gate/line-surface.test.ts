import { expect, test } from 'vitest'
import { fc, runs } from '../../support/laws.ts'
import { askingLines } from './asking.ts'

test('without an op-id it is asked for first, and set as /op-id would (OPUI-407)', async () => {
  const { run, presenter, lines, printed, identity } = askingLines({ opId: '' })
  await run()
  void presenter.drain()
  expect(lines.asking()).toBe('op-id:')
  lines.enter('not one')
  expect(printed.at(-1)).toBe('✗ invalid op-id: op-id-invalid-characters: whitespace at offset 3')
  lines.enter(' alice ')
  expect([printed.at(-1), identity.current()]).toEqual(['op-id set: alice', 'alice'])
  expect(lines.asking()).toBe('verdict? [pass / fail / insufficient-basis / skip]:')
})

test('the command for an identity is an answer to the question for it, and taking one away is none (OPUI-407, OPUI-200)', async () => {
  const { run, presenter, lines, printed, identity } = askingLines({ opId: '' })
  await run()
  void presenter.drain()
  for (const none of ['/op-id', '/op-id clear', 'none']) {
    lines.enter(none)
    expect([printed.at(-1), lines.asking()]).toEqual(['✗ invalid op-id: op-id-required', 'op-id:'])
  }
  lines.enter('/op-idalice')
  expect(printed.at(-1)).toContain('path-separator at offset 0')
  lines.enter(' /op-id alice ')
  expect([printed.at(-1), identity.current()]).toEqual(['op-id set: alice', 'alice'])
  expect(lines.asking()).toBe('verdict? [pass / fail / insufficient-basis / skip]:')
})

test('a text that is refused is asked for again, and one that was typed is kept when the question is put off (OPUI-406, 742)', async () => {
  const { run, presenter, lines, printed, world } = askingLines()
  await run()
  void presenter.drain()
  lines.enter('ib')
  lines.enter('x'.repeat(65))
  expect(printed.at(-1)).toMatch(/^✗ .*65/)
  expect(lines.asking()).toBe('residue note:')
  lines.cancel()
  expect([lines.asking(), world.written]).toEqual([null, []])
})

test('a record that fails is told in place and the question stays (OPUI-405)', async () => {
  const { run, presenter, lines, printed, world } = askingLines()
  await run()
  void presenter.drain()
  world.failWrite = new Error('no space left')
  lines.enter('p')
  expect(printed.at(-1)).toContain('✗ attestation-audit-write-failed')
  expect(lines.asking()).toBe('verdict? [pass / fail / insufficient-basis / skip]:')
})

test('lines that are no answer never record, and the question is still there', async () => {
  const noAnswer = fc.string().filter((text) => !/^(p|pass|f|fail|i|ib|insufficient-basis|s|skip)$/i.test(text.trim()))
  await fc.assert(
    fc.asyncProperty(fc.array(noAnswer, { maxLength: 8 }), async (typed) => {
      const { run, presenter, lines, world } = askingLines()
      await run()
      void presenter.drain()
      for (const line of typed) lines.enter(line)
      expect(world.written).toEqual([])
      expect(lines.asking()).toBe('verdict? [pass / fail / insufficient-basis / skip]:')
    }),
    { numRuns: runs(50) }
  )
})
