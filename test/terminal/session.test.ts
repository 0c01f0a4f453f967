import { describe, expect, onTestFinished, test } from 'vitest'
import { openGhyll } from '../support/ghyll.ts'
import { alt, keys } from '../support/keys.ts'
import { type ModelServer, startModelServer } from '../support/model-server.ts'
import { fileWith, makePlace, type Place, twoModels } from '../support/place.ts'
import { groupGone } from '../support/process-stats.ts'
import { draft, promptShown, send } from '../support/prompt.ts'
import type { TerminalDriver } from '../support/terminal.ts'

// The built program in a pseudo-terminal at the three sizes it promises to be usable at (issue: a whole session at each).

const sizes = [
  [120, 40],
  [80, 24],
  [50, 15]
] as const

type Open = { readonly server: ModelServer; readonly place: Place; readonly terminal: TerminalDriver }

async function open(cols: number, rows: number): Promise<Open> {
  const server = await startModelServer()
  onTestFinished(() => server.close())
  const place = await makePlace({
    config: twoModels(server.url),
    files: { 'README.md': '# Sample\n', 'poem.txt': 'roses are red\nviolets are blue\n' }
  })
  onTestFinished(place.remove)
  const terminal = openGhyll(place, { cols, rows })
  onTestFinished(() => terminal.close())
  await promptShown(terminal)
  return { server, place, terminal }
}

/** Every row fits the window, and the prompt is on it (TERM-1, TERM-3). */
function expectWhole(terminal: TerminalDriver, cols: number): void {
  for (const line of terminal.lines()) expect(line.length).toBeLessThanOrEqual(cols)
  expect(draft(terminal)).not.toBeNull()
}

describe.each(sizes)('at %i×%i', (cols, rows) => {
  test('a streamed turn appears as it comes, without a clear (TERM-10)', async () => {
    const { server, terminal } = await open(cols, rows)
    const { screen: before } = terminal.clears()
    server.reply({ text: 'first words, then many more, and finally the last ones', pace: 20 })
    await send(terminal, 'say something')
    await terminal.until((screen) => screen.text().includes('first') && !screen.text().includes('ones'), 'a part of it')
    expectWhole(terminal, cols)
    await terminal.untilText('ones')
    expect(terminal.clears()).toEqual({ screen: before, scrollback: 0 })
    expectWhole(terminal, cols)
  })

  test('a shell tool runs and an edit is shown as a coloured diff (TERM-20, TOOL-049)', async () => {
    const { server, place, terminal } = await open(cols, rows)
    server.reply(
      {
        calls: [
          { tool: 'bash', args: { command: 'echo ran > ran.txt' } },
          { tool: 'edit_file', args: { path: 'poem.txt', old_string: 'blue', new_string: 'green' } }
        ],
        pace: 0
      },
      { text: 'All done.', pace: 0 }
    )
    await send(terminal, 'go')
    await terminal.untilText('All done.')
    expect(await place.read('ran.txt')).toBe('ran\n')
    expect(await place.read('poem.txt')).toContain('violets are green')
    terminal.write(alt('t')) // unfolds the tool calls
    await terminal.until((screen) => /\+ ?violets are green/.test(screen.text()), 'the diff')
    const row = terminal.lines().findIndex((line) => /\+ ?violets are green/.test(line))
    const column = terminal.lines()[row]?.indexOf('violets are green') ?? -1
    const cell = terminal.cell(column, row)
    expect([cell.foreground, cell.background]).not.toEqual(['default', 'default'])
  })

  test('Esc during sleep 30 ends the whole process tree within 1 s (TERM-45)', async () => {
    const { server, place, terminal } = await open(cols, rows)
    server.reply({ calls: [{ tool: 'bash', args: { command: 'echo $$ > leader.pid; sleep 30 & sleep 30' } }], pace: 0 })
    await send(terminal, 'wait')
    const leader = Number(await fileWith(place, 'leader.pid', /^\d+\n$/))
    const start = performance.now()
    terminal.write(keys.escape)
    await groupGone(leader)
    expect(performance.now() - start).toBeLessThan(1000)
    await terminal.untilText('held')
    server.reply({ text: 'Back again.', pace: 0 })
    await send(terminal, 'go on')
    await terminal.untilText('Back again.')
    expect(server.requests.at(-1)?.scene).toBe('queued')
    expect(server.requests.at(-1)?.raw).toContain('interrupted by operator')
  })

  test('Enter while busy steers the turn, Tab queues for after it (TERM-46, SESS-032)', async () => {
    const { server, terminal } = await open(cols, rows)
    server.reply(
      {
        text: 'one two three four five six seven eight nine ten',
        calls: [{ tool: 'bash', args: { command: 'true' } }],
        pace: 8
      },
      { text: 'Steered.', pace: 0 },
      { text: 'Queue taken.', pace: 0 }
    )
    await send(terminal, 'start')
    await terminal.untilText('two')
    await send(terminal, 'later please', keys.tab)
    await send(terminal, 'sooner please')
    await terminal.untilText('Queue taken.')
    const last = server.requests.map((request) => request.body.messages.at(-1)?.content)
    expect(last).toEqual(['start', 'sooner please', 'later please'])
  })

  test('/plan, /deep with the handoff line, /compact, and /exit that leaves the terminal as it was (TERM-5, TERM-6)', async () => {
    const { server, terminal } = await open(cols, rows)
    for (let turn = 1; turn <= 5; turn += 1) await answered(terminal, turn)
    const plain = server.requests.at(-1)?.body.messages[0]?.content ?? ''
    await send(terminal, '/plan')
    await terminal.untilText('plan mode activated')
    await answered(terminal, 6)
    expect((server.requests.at(-1)?.body.messages[0]?.content ?? '').length).toBeGreaterThan(plain.length)

    await send(terminal, '/deep')
    await terminal.untilText('⟳ switched to deep')
    await answered(terminal, 7)
    expect(server.requests.at(-1)?.body.model).toBe('scripted-deep')

    await send(terminal, '/compact')
    await terminal.untilText(/compacted context \(\d+ tokens\)/)
    await answered(terminal, 8)

    await send(terminal, '/exit', keys.enter).catch(() => undefined) // The prompt may be gone before it is empty.
    expect(await terminal.exited()).toEqual({ code: 0, signal: 0 })
    expect(terminal.modesLeftOn()).toEqual([])
    expect(terminal.text()).toContain('ghyll: session ended; final checkpoint written.')
  })
})

/** One short turn, seen on the screen. */
async function answered(terminal: TerminalDriver, turn: number): Promise<void> {
  await send(terminal, `bench 5 0 t${turn}`)
  await terminal.untilText(`■ t${turn}`)
}
