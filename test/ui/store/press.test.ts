import { describe, expect, test } from 'vitest'
import type { SessionPhase } from '../../../src/protocol/event.ts'
import { requestId } from '../../../src/protocol/ids.ts'
import { initialState, type ScreenState } from '../../../ui/store/state.ts'
import { verdict } from '../../support/gate-view.ts'
import { ctrl, keys, paste } from '../../support/keys.ts'
import { boot, type ScriptedEvent } from '../../support/screen-harness.ts'
import { told, typing } from '../../support/screen-state.ts'

const start = initialState(boot, { columns: 80, rows: 24 })

const phase = (to: SessionPhase): ScriptedEvent => ({ kind: 'phase-changed', from: 'ready', to, reason: '' })
const idle = told(start, phase('ready'), {
  kind: 'commands-loaded',
  commands: [
    { name: 'status', description: 'the state', source: 'built-in' },
    { name: 'help', description: 'help', source: 'built-in' }
  ]
})
const busy = told(idle, phase('turn'))

const chip = (seq: number, text: string): ScriptedEvent => ({
  kind: 'input-submitted',
  row: { seq, kind: 'input', delivery: 'queue', origin: 'operator', text }
})

describe('sending (TERM-46, SESS-033)', () => {
  test('Enter steers, Tab while busy queues, Tab while idle does not send', () => {
    expect(typing(busy, 'hi', keys.enter).commands).toContainEqual({ kind: 'submit', text: 'hi', delivery: 'steer' })
    expect(typing(busy, 'hi', keys.tab).commands).toContainEqual({ kind: 'submit', text: 'hi', delivery: 'queue' })
    expect(typing(idle, 'hi', keys.tab).commands).toEqual([])
  })

  test('the field is empty at once, and what was sent is remembered', () => {
    const { state, commands } = typing(idle, 'hi', keys.enter)
    expect(state.prompt.editor.text).toBe('')
    expect(commands).toContainEqual({ kind: 'remember-prompt', text: 'hi' })
    expect(typing(state, keys.up).state.prompt.editor.text).toBe('hi')
  })

  test('a chip expands on send (TERM-43)', () => {
    const long = Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n')
    const { commands } = typing(idle, 'see ', paste(long), keys.enter)
    expect(commands).toContainEqual({ kind: 'submit', text: `see ${long}`, delivery: 'steer' })
  })

  test('a burst with line ends is a paste, not a send (TERM-43)', () => {
    const { state, commands } = typing(idle, 'one\rtwo\r')
    expect(commands).toEqual([])
    expect(state.prompt.editor.text).toBe('one\ntwo\n')
  })

  test.each([['\x1b\r'], ['\x1b[13;2u'], ['\x1b[27;2;13~'], ['\n']])('%j makes a new line (TERM-40)', (bytes) => {
    expect(typing(idle, 'a', bytes).state.prompt.editor.text).toBe('a\n')
  })

  test('a trailing backslash and Enter make a new line, two backslashes send (TERM-40)', () => {
    expect(typing(idle, 'a\\', keys.enter).state.prompt.editor.text).toBe('a\n')
    expect(typing(idle, 'a\\\\', keys.enter).commands).toContainEqual({
      kind: 'submit',
      text: 'a\\\\',
      delivery: 'steer'
    })
  })

  test('Enter on an empty prompt takes up what waits in a held session only (SESS-092)', () => {
    const held = told(idle, { kind: 'hold-changed', held: true }, chip(3, 'later'))
    expect(typing(held, keys.enter).commands).toEqual([{ kind: 'take-up' }])
    expect(typing(told(idle, chip(3, 'later')), keys.enter).commands).toEqual([])
  })
})

describe('pending messages (TERM-46)', () => {
  test('↑ in an empty prompt takes the newest back; whatever was typed meanwhile stays', () => {
    const { state, commands } = typing(told(busy, chip(1, 'first'), chip(2, 'second')), keys.up)
    expect(commands).toEqual([{ kind: 'take-back', request: 'ui-1', seq: 2 }])
    const answered = told(typing(state, 'x').state, {
      kind: 'input-taken-back',
      request: requestId('ui-1'),
      seq: 2,
      text: 'second'
    })
    expect(answered.prompt.editor.text).toBe('second\nx')
  })

  test('a large one and a large paste made meanwhile are both sent as they were (TERM-43)', () => {
    const [earlier, later] = ['first '.repeat(4_000), 'second '.repeat(4_000)]
    const { state } = typing(told(busy, chip(1, earlier)), keys.up)
    const answered = told(typing(state, paste(later)).state, {
      kind: 'input-taken-back',
      request: requestId('ui-1'),
      seq: 1,
      text: earlier
    })
    expect(typing(answered, keys.enter).commands).toContainEqual({
      kind: 'submit',
      text: `${earlier}\n${later}`,
      delivery: 'steer'
    })
  })

  test('one that was taken up already changes nothing', () => {
    const { state } = typing(told(busy, chip(1, 'first')), keys.up)
    const answer: ScriptedEvent = { kind: 'input-taken-back', request: requestId('ui-1'), seq: 1, text: null }
    expect(told(state, answer).prompt.editor.text).toBe('')
  })
})

describe('Esc and Ctrl+C (TERM-45, TERM-45a)', () => {
  test('Esc interrupts a turn and keeps the draft', () => {
    const { state, commands } = typing(busy, 'draft', keys.escape)
    expect(commands).toEqual([{ kind: 'interrupt' }])
    expect(state.prompt.editor.text).toBe('draft')
  })

  test('Esc interrupts a shell line of the operator', () => {
    const running = told(idle, { kind: 'shell-started', id: 's1', command: 'sleep 9' })
    expect(typing(running, keys.escape).commands).toEqual([{ kind: 'interrupt' }])
    const ended = told(running, { kind: 'shell-ended', id: 's1', text: '', status: 'done', durationMs: 1 })
    expect(typing(ended, keys.escape).commands).toEqual([])
  })

  test('Esc closes the list first and it stays closed for that word', () => {
    const open = typing(busy, '/').state
    expect(open.prompt.completion?.items).toHaveLength(4)
    const closed = typing(open, keys.escape)
    expect(closed.commands).toEqual([])
    expect(typing(closed.state, 's').state.prompt.completion).toBeNull()
  })

  test('Ctrl+C clears the draft and ↑ brings it back; it does not arm leaving', () => {
    const cleared = typing(idle, 'draft', ctrl('c'))
    expect(cleared.state.prompt.editor.text).toBe('')
    expect(typing(cleared.state, keys.up).state.prompt.editor.text).toBe('draft')
    expect(typing(cleared.state, ctrl('c')).state.notice).toBe('press Ctrl+C again to leave')
  })

  test('a second Ctrl+C within two seconds of an interrupt leaves (SESS-013)', () => {
    expect(typing(busy, ctrl('c'), ctrl('c')).commands).toEqual([
      { kind: 'interrupt' },
      { kind: 'leave', reason: 'exit' }
    ])
  })

  test('Ctrl+D leaves on an empty prompt and deletes forward otherwise (TERM-45)', () => {
    expect(typing(idle, ctrl('d')).commands).toEqual([{ kind: 'leave', reason: 'exit' }])
    expect(typing(idle, 'ab', keys.home, ctrl('d')).state.prompt.editor.text).toBe('b')
  })
})

describe('completion (TERM-42)', () => {
  test('/ lists commands at once, Tab accepts', () => {
    expect(typing(idle, '/st', keys.tab).state.prompt.editor.text).toBe('/status ')
  })

  test('Enter completes an unfinished command and sends a finished one', () => {
    expect(typing(idle, '/st', keys.enter).commands).toEqual([])
    expect(typing(idle, '/status', keys.enter).commands).toContainEqual({
      kind: 'submit',
      text: '/status',
      delivery: 'steer'
    })
  })

  test('@ asks for paths after a pause; the newest question replaces the older one, late answers are dropped', () => {
    const { state, effects } = typing(idle, '@', 's')
    const asked = effects.flatMap((effect) => (effect.kind === 'later' && effect.slot === 'complete' ? [effect] : []))
    expect(asked.map(({ command }) => command)).toEqual([
      { kind: 'complete-path', request: 'ui-1', prefix: '' },
      { kind: 'complete-path', request: 'ui-2', prefix: 's' }
    ])
    expect(asked.every(({ delayMs }) => delayMs > 0)).toBe(true)
    const late = told(state, { kind: 'paths-found', request: requestId('ui-1'), paths: ['x'] })
    expect(late.prompt.completion?.items).toBeNull()
    const answered = told(late, { kind: 'paths-found', request: requestId('ui-2'), paths: ['src/', 'spec.md'] })
    const chosen = typing(answered, keys.down, keys.tab).state
    expect(chosen.prompt.editor.text).toBe('@spec.md ')
  })
})

describe('history (TERM-41)', () => {
  const loaded = told(idle, {
    kind: 'prompt-history-loaded',
    request: requestId('ui-0'),
    prompts: ['old one', 'older two'],
    draft: 'unsent'
  })

  test('the draft of the last session is there again', () => {
    expect(loaded.prompt.editor.text).toBe('unsent')
  })

  test('Ctrl+R searches, Enter takes the match into the prompt without sending it', () => {
    const { state, commands } = typing(loaded, ctrl('r'), 'old', ctrl('r'), keys.enter)
    expect(state.prompt.editor.text).toBe('old one')
    expect(commands).toEqual([])
  })

  test('Esc leaves the search and the draft is untouched', () => {
    expect(typing(loaded, ctrl('r'), 'old', keys.escape).state.prompt.editor.text).toBe('unsent')
  })

  test('what is typed is kept for the next start', () => {
    const kept = typing(idle, 'x').effects.find((effect) => effect.kind === 'later' && effect.slot === 'draft')
    expect(kept).toMatchObject({ command: { kind: 'save-draft', text: 'x' } })
  })
})

describe('an overlay that opens by itself (TERM-51)', () => {
  const named = told(busy, { kind: 'header-changed', header: { opId: 'alice' } })
  const asked = told(named, { kind: 'prompt-opened', prompt: verdict, place: { at: 1, of: 1 } })

  test('keys go to the draft until it is armed', () => {
    const { state } = typing(asked, 'p', 'y')
    expect(state.prompt.editor.text).toBe('py')
    expect(state.overlays).toHaveLength(1)
  })

  test('Esc still interrupts behind it', () => {
    expect(typing(asked, keys.escape).commands).toEqual([{ kind: 'interrupt' }])
  })

  test('once painted and quiet for 400 ms it answers: a key, then a confirmation (TERM-52)', () => {
    const painted = { ...asked, overlays: asked.overlays.map((layer) => ({ ...layer, isPainted: true })) }
    const chosen = typing(painted, 'p')
    expect(chosen.commands).toEqual([])
    for (const stray of [keys.enter, ' ', keys.backspace, paste('y'), 'yy']) {
      expect(typing(chosen.state, stray).commands).toEqual([])
    }
    const { state, commands } = typing(chosen.state, 'y')
    expect(commands).toEqual([{ kind: 'attest', item: verdict.item, verdict: 'pass', text: '' }])
    expect(state.prompt.editor.text).toBe('')
  })

  test('Ctrl+C cancels it and keeps the draft', () => {
    const painted = { ...asked, overlays: asked.overlays.map((layer) => ({ ...layer, isPainted: true })) }
    const { state, commands } = typing(painted, ctrl('c'))
    expect(state.overlays).toEqual([])
    expect(commands).toEqual([{ kind: 'cancel-prompt', item: verdict.item }])
  })
})

describe('lines that concern only the screen', () => {
  const answered = told(idle, {
    kind: 'reply-opened',
    entry: {
      kind: 'assistant',
      id: 'a' as never,
      turn: 1,
      step: 's' as never,
      model: 'm25',
      family: 'minimax',
      text: 'Look:\n\n  ```ts\n  const a = 1\n  ```\n',
      reasoning: '',
      toolCalls: [],
      status: 'done'
    }
  })

  test('/copy asks for the source of the answer, /copy code for its block without indentation (TERM-23)', () => {
    expect(typing(answered, '/copy', keys.enter).commands[0]).toMatchObject({
      kind: 'copy',
      text: expect.stringContaining('Look:')
    })
    expect(typing(answered, '/copy code', keys.enter).commands[0]).toMatchObject({ text: 'const a = 1' })
    const none = typing(answered, '/copy 2', keys.enter)
    expect(none.commands.some((command) => command.kind === 'copy')).toBe(false)
    expect(none.state.transcript.rows.at(-1)).toMatchObject({ kind: 'notice', text: 'no such answer to copy' })
  })

  test('what became of a copy is never claimed beyond what is known (TERM-23)', () => {
    const filed = told(idle, { kind: 'copied', request: requestId('ui-1'), how: 'file', detail: '/tmp/copy.md' })
    expect(filed.transcript.rows.at(-1)).toMatchObject({
      text: 'offered to the terminal, which does not say whether it took it; also written to /tmp/copy.md'
    })
  })

  test('what was too long for the clipboard of a terminal is not said to have been offered (TERM-23)', () => {
    const long = told(idle, {
      kind: 'reply-opened',
      entry: {
        kind: 'assistant',
        id: 'a' as never,
        turn: 1,
        step: 's' as never,
        model: 'm25',
        family: 'minimax',
        text: 'word '.repeat(20_000),
        reasoning: '',
        toolCalls: [],
        status: 'done'
      }
    })
    const asked = typing(long, '/copy', keys.enter)
    const filed = told(asked.state, { kind: 'copied', request: requestId('ui-1'), how: 'file', detail: '/tmp/copy.md' })
    expect(filed.transcript.rows.at(-1)).toMatchObject({
      text: "too long for the terminal's clipboard; written to /tmp/copy.md"
    })
  })

  test('Ctrl+O hands over what the screen holds, and from where on the rest is on disk (TERM-15, TERM-24)', () => {
    const said = told(idle, {
      kind: 'input-promoted',
      seqs: [],
      entries: [{ kind: 'user', id: 'u9' as never, turn: 9, text: 'the ninth' }]
    } as ScriptedEvent)
    const handed = (state: ScreenState) =>
      typing(state, ctrl('o')).effects.find((effect) => effect.kind === 'hand-over')?.command
    expect(handed(said)).toMatchObject({ kind: 'open-pager', text: 'you: the ninth\n', before: 'u9' })
    const complete = { ...said, transcript: { ...said.transcript, older: 'none' as const } }
    expect(handed(complete)).toMatchObject({ before: null })
  })

  test('? on an empty prompt and /help open the help; ? in a text is a character (TERM-48)', () => {
    expect(typing(idle, '?').state.overlays.map(({ id }) => id)).toEqual(['help'])
    expect(typing(idle, '/help', keys.enter).state.overlays).toHaveLength(1)
    expect(typing(idle, 'why', '?').state.prompt.editor.text).toBe('why?')
  })

  test('/mouse turns mouse reporting off and on (TERM-24)', () => {
    const { state, effects } = typing(idle, '/mouse', keys.enter)
    expect(state.terminal.hasMouse).toBe(false)
    expect(effects).toContainEqual({ kind: 'apply-mouse' })
    expect(typing(idle, '/MOUSE on', keys.enter).state.terminal.hasMouse).toBe(true)
  })

  test('a word /mouse does not know changes nothing', () => {
    const { state, effects } = typing(idle, '/mouse maybe', keys.enter)
    expect(state.terminal.hasMouse).toBe(true)
    expect(effects).not.toContainEqual({ kind: 'apply-mouse' })
    expect(state.transcript.rows.at(-1)).toMatchObject({ kind: 'notice', text: 'usage: /mouse [on|off]' })
  })

  test('the list of commands holds those of the screen, which command files cannot shadow (TERM-42)', () => {
    const { commands } = told(idle, {
      kind: 'commands-loaded',
      commands: [
        { name: 'plan', description: 'think first', source: 'built-in' },
        { name: 'copy', description: 'a file', source: 'project' },
        { name: 'verify', description: 'another', source: 'global' }
      ]
    })
    expect(commands.map(({ name, source }) => `${name} ${source}`)).toEqual([
      'plan built-in',
      'copy built-in',
      'mouse built-in',
      'verify global'
    ])
  })
})

test('keys that move the view or need the terminal change no draft', () => {
  const moves = [keys.pageUp, keys.pageDown, keys.ctrlHome, keys.ctrlEnd, ctrl('l'), ctrl('t'), ctrl('o')]
  const { state, effects } = typing(idle, 'draft', ...moves)
  expect(state.prompt.editor.text).toBe('draft')
  expect(effects.map(({ kind }) => kind).filter((kind) => kind !== 'later')).toEqual([
    'scroll',
    'scroll',
    'scroll',
    'scroll',
    'redraw',
    'fold',
    'hand-over'
  ])
})

test('while the session is closed Ctrl+C asks to skip what can be skipped, and a held Ctrl+D asks nothing more (SESS-142)', () => {
  const leaving = told(idle, phase('shutdown'))
  expect(typing(leaving, ctrl('c')).commands).toEqual([{ kind: 'leave', reason: 'exit' }])
  expect(typing(leaving, ctrl('d')).commands).toEqual([])
})

test('a command stands in the transcript above what it prints; a message comes back as one, and so does a file command', () => {
  const withFile = told(idle, {
    kind: 'commands-loaded',
    commands: [{ name: 'verify', description: 'look again', source: 'global' }]
  })
  const rows = (line: string) => typing(withFile, line, keys.enter).state.transcript.rows
  expect(rows('/status')).toMatchObject([{ kind: 'command', text: '/status' }])
  expect(rows('/copy x').map(({ kind }) => kind)).toEqual(['command', 'notice'])
  for (const line of ['/help', '/exit', 'hello', '!ls', '/src/cart.ts', '/verify now']) expect(rows(line)).toEqual([])
})
