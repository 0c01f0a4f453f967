import type { Delivery } from '../../src/protocol/command.ts'
import type { NoticeLevel } from '../../src/protocol/event.ts'
import { sessionId } from '../../src/protocol/ids.ts'
import { clipboardOffer } from '../clipboard.ts'
import type { Help } from '../overlays/help.ts'
import { opened } from '../overlays/stack.ts'
import { dispatching, numberedRequest, only } from '../store/outcome.ts'
import type { Outcome, ScreenState } from '../store/state.ts'
import { foldTranscript, withTyped } from '../transcript/fold.ts'
import { emptyDraft, expandDraft } from './draft.ts'
import { edit } from './editor.ts'
import { remembered } from './history.ts'

/**
 * Sends the draft (SESS-033): the field is empty at once, the text is remembered, every paste expanded. Lines that concern only the
 * screen are carried out here.
 */
export function submitted(state: ScreenState, delivery: Delivery, now: number): Outcome {
  const { prompt } = state
  const { text, pastes } = prompt.editor
  const sent = expandDraft(prompt.editor)
  const editor = { ...edit(prompt.editor, { kind: 'set', draft: emptyDraft }), undo: [] }
  const history = remembered(prompt.history, { text, pastes })
  const next: ScreenState = { ...state, prompt: { ...prompt, editor, history, completion: null, dismissed: null } }
  const shown = withCommandLine(next, sent.trim(), now)
  const outcome = ownCommand(shown, sent.trim(), now) ?? dispatching(shown, { kind: 'submit', text: sent, delivery })
  return {
    state: outcome.state,
    effects: [
      ...outcome.effects,
      { kind: 'dispatch', command: { kind: 'remember-prompt', text: sent } },
      { kind: 'later', slot: 'draft', delayMs: 0, command: { kind: 'save-draft', text: '' } }
    ]
  }
}

/**
 * A command's line stands in the transcript above what it prints. A file command is a message and comes back as one; help opens in
 * front of everything, and after `/exit` nothing is read any more.
 */
function withCommandLine(state: ScreenState, line: string, now: number): ScreenState {
  const name = /^\/([^\s/]+)(?:\s|$)/u.exec(line)?.[1]?.toLowerCase()
  if (name === undefined || ['help', 'exit', 'quit'].includes(name)) return state
  if (state.commands.some((each) => each.name === name && each.source !== 'built-in')) return state
  return { ...state, transcript: withTyped(state.transcript, line, now) }
}

/** `/help`, `/copy` and `/mouse` touch nothing but the screen (SESS-037); null for everything else. */
function ownCommand(state: ScreenState, text: string, now: number): Outcome | null {
  const [, name = '', rest = ''] = /^\/(help|copy|mouse)(?:\s+(.*))?$/isu.exec(text) ?? []
  switch (name.toLowerCase()) {
    case 'help':
      return only(withHelp(state, 'commands', now))
    case 'copy':
      return copied(state, rest.trim(), now)
    case 'mouse':
      return mouseSwitched(state, rest.trim().toLowerCase(), now)
    default:
      return null
  }
}

/** `/mouse [on|off]` (TERM-24); without a word it is the other way round afterwards. */
function mouseSwitched(state: ScreenState, wanted: string, now: number): Outcome {
  if (!['', 'on', 'off'].includes(wanted)) {
    return only(withNotice(state, 'error', 'usage: /mouse [on|off]', now))
  }
  const hasMouse = wanted === '' ? !state.terminal.hasMouse : wanted === 'on'
  const text = hasMouse ? 'mouse reporting on' : 'mouse reporting off: the terminal selects'
  const told = withNotice(state, 'info', text, now)
  return { state: { ...told, terminal: { ...state.terminal, hasMouse } }, effects: [{ kind: 'apply-mouse' }] }
}

/** Opens the help overlay in front (TERM-48). */
export function withHelp(state: ScreenState, begins: Help['begins'], now: number): ScreenState {
  const content: Help = { kind: 'help', begins, filter: '' }
  return { ...state, overlays: opened(state.overlays, { id: 'help', content, by: 'operator', at: now }) }
}

/** A line of the screen's own in the transcript. */
export function withNotice(state: ScreenState, level: NoticeLevel, text: string, now: number): ScreenState {
  const event = { kind: 'notice', level, text, session: sessionId(''), at: now } as const
  return { ...state, transcript: foldTranscript(state.transcript, event) }
}

/** `/copy [n]`, `/copy code` (TERM-23). What came of it is told when the answer arrives. */
function copied(state: ScreenState, what: string, now: number): Outcome {
  const answers = state.transcript.rows.filter((row) => row.kind === 'reply' && row.text.trim() !== '')
  const count = /^\d+$/.test(what) ? Number(what) : 1
  if (what !== '' && what !== 'code' && (!/^\d+$/.test(what) || count < 1)) {
    return only(withNotice(state, 'error', 'usage: /copy [n] or /copy code', now))
  }
  const answer = answers.at(-count)
  const source = answer?.kind === 'reply' ? answer.text : ''
  const text = what === 'code' ? lastCodeBlock(source) : source
  if (text === null || text === '') {
    const missing = what === 'code' ? 'no code block in the last answer' : 'no such answer to copy'
    return only(withNotice(state, 'info', missing, now))
  }
  const { state: numbered, request } = numberedRequest(state)
  const unoffered = clipboardOffer(text) === null ? request : state.unoffered
  return {
    state: { ...numbered, unoffered },
    effects: [
      { kind: 'offer-clipboard', text },
      { kind: 'dispatch', command: { kind: 'copy', request, text } }
    ]
  }
}

/** The content of the last fenced block of a Markdown text without the indentation of its fence, or null. */
function lastCodeBlock(markdown: string): string | null {
  let fence: { readonly indent: number; readonly mark: string; readonly lines: string[] } | null = null
  let last: string | null = null
  for (const line of markdown.split('\n')) {
    const [, indent = '', mark = ''] = /^(\s*)(`{3,}|~{3,})/.exec(line) ?? []
    if (fence === null) {
      if (mark !== '') fence = { indent: indent.length, mark, lines: [] }
      continue
    }
    const isEnd = mark.startsWith(fence.mark) && line.trim() === mark
    if (isEnd) {
      last = fence.lines.join('\n')
      fence = null
    } else fence.lines.push(line.slice(Math.min(fence.indent, line.length - line.trimStart().length)))
  }
  return fence === null ? last : fence.lines.join('\n')
}
