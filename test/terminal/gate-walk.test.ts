import { describe, expect, test } from 'vitest'
import { askingArrow } from '../support/gate-place.ts'
import {
  armedFor,
  confirm,
  fillField,
  flat,
  openAtGate,
  openGatePlace,
  pressEscape,
  pressKey,
  recordedIn,
  runAskingArrow,
  typeLines
} from '../support/gate-terminal.ts'
import { runGhyll } from '../support/ghyll.ts'
import { ctrl, keys } from '../support/keys.ts'
import { send } from '../support/prompt.ts'

// An operator's whole way through the gate in a pseudo-terminal, at the three sizes.

const sizes = [
  [120, 40],
  [80, 24],
  [50, 15]
] as const

const ref = (clause: string, round = '') => `att-${askingArrow}-${clause}-v1${round}`

describe.each(sizes)('at %i×%i', (...size) => {
  test('list, run, answer in each of the four ways, and read it back, here and outside (OPUI-200…424, 740)', async () => {
    const { place, terminal } = await openAtGate(await openGatePlace(), size)
    await send(terminal, '/list-arrows')
    await terminal.untilText('▸ · init→analyst')
    await pressEscape(terminal)

    await runAskingArrow(terminal)
    await armedFor(terminal, 'C11')
    terminal.write('s')
    await armedFor(terminal, 'C12')
    terminal.write('p')
    await confirm(terminal, 'record PASS for C12 as alice? [y/n]')
    await armedFor(terminal, 'C13')
    terminal.write('f')
    await fillField(terminal, 'inspected locations', 'src/cart.ts:3')
    await confirm(terminal, 'record FAIL for C13 as alice? [y/n]')
    await terminal.until((screen) => /verdicts 1/.test(flat(screen)), 'one verdict left')
    expect(recordedIn(place)).toEqual([`${ref('C12')} pass`, `${ref('C13')} fail`])

    await send(terminal, '/verdicts')
    await armedFor(terminal, 'C11')
    terminal.write('i')
    await fillField(terminal, 'residue note', 'no scenario yet')
    await confirm(terminal, 'record INSUFFICIENT-BASIS for C11 as alice? [y/n]')
    await terminal.until((screen) => !flat(screen).includes('clause: C11'), 'the overlay gone')
    await pressEscape(terminal)
    await terminal.until((screen) => flat(screen).includes('settled: pass=p-2 status=blocked'), 'the settlement')

    await send(terminal, '/passes')
    await terminal.untilText('no open passes')
    await send(terminal, '/attestations')
    await terminal.untilText('attestations (3):')
    await send(terminal, '/status')
    await terminal.untilText(/journal: +ok/)
    expect(terminal.lines().every((line) => line.length <= size[0])).toBe(true)

    terminal.write(ctrl('d'))
    expect(await terminal.exited()).toEqual({ code: 0, signal: 0 })
    expect(terminal.modesLeftOn()).toEqual([])
    const { stdout } = await runGhyll(place, ['arrow', 'show', askingArrow])
    expect(stdout).toContain('attestations: 3\n')
    expect(stdout).toContain(`${ref('C11')}  kind=depth-type  clause=C11  verdict=insufficient-basis  op=alice`)
    const verified = await runGhyll(place, ['engine', 'verify-attestations'])
    expect(verified).toMatchObject({ code: 0, stdout: 'attestation-verify: 3/3 records OK\n' })
  })

  test.each([
    ['1', 'accept the risk of C11 as alice? [y/n]', 'settled: pass=p-4 status=valid', 'pass'],
    ['2', 'abort pass p-4 and route upstream? [y/n]', 'next: /run-arrow init→analyst/default', 'fail']
  ])(
    'three rounds without a basis end in an escalation; answer %s (OPUI-430…434, TERM-54)',
    async (key, question, end, verdict) => {
      const place = await openGatePlace()
      const run = `/run-arrow ${askingArrow}`
      await typeLines(place, '/op-id alice', run, 'i', 'first', 'p', 'p', run, 'i', 'second')
      const { terminal } = await openAtGate(place, size)
      await runAskingArrow(terminal)
      await armedFor(terminal, 'C11')
      terminal.write('i')
      await fillField(terminal, 'residue note', 'third')
      await confirm(terminal, 'record INSUFFICIENT-BASIS for C11 as alice? [y/n]')

      await terminal.until((screen) => screen.text().includes('1 accept risk'), 'the armed escalation')
      expect(flat(terminal)).toContain('escalation: 3 insufficient-basis rounds')
      terminal.write(keys.escape)
      await terminal.until((screen) => flat(screen).includes('this one has no skip'), 'why it cannot be left')
      await pressKey(terminal, key)
      await fillField(terminal, 'the reason', 'because of it')
      await confirm(terminal, question)
      await terminal.until((screen) => flat(screen).includes(end), end)
      expect(recordedIn(place).at(-1)).toBe(`${ref('C11', '-r4')} ${verdict}`)
    }
  )
})
