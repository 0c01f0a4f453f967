import { unreachable } from '../../src/lib/assert.ts'
import { type Draft, draftOf, draftOfPaste, emptyDraft, graft } from './draft.ts'
import { after, before, blankBefore, lineEnd, lineStart, wordAfter, wordBefore } from './motion.ts'
import { type Geometry, layoutRows, offsetAt, placeOf } from './rows.ts'

/** The text editor of the prompt (TERM-40): a draft, a cursor between its clusters, undo and the last cut. Pure. */
export type Editor = Draft & {
  readonly cursor: number
  /** Earlier states, newest last. */
  readonly undo: readonly Snapshot[]
  /** What was cut last, for yank. */
  readonly cut: Draft
  /** The column ↑ and ↓ keep to; null after any other edit. */
  readonly goal: number | null
  /** What the last edit was: typing and deleting in a row are one undo step, cuts in a row one cut. */
  readonly run: 'typing' | 'deleting' | 'cutting' | null
}

type Snapshot = Draft & { readonly cursor: number }

export type Edit =
  | { readonly kind: 'insert'; readonly text: string }
  | { readonly kind: 'paste'; readonly text: string }
  /** Replaces everything; undo brings the former text back. */
  | { readonly kind: 'set'; readonly draft: Draft }
  | { readonly kind: 'up' | 'down'; readonly geometry: Geometry }
  | KeyedEdit

/** Edits that a key alone says, without a text or a geometry. */
export type KeyedEdit = {
  readonly kind:
    | 'newline'
    | 'escaped-newline'
    | 'left'
    | 'right'
    | 'word-left'
    | 'word-right'
    | 'home'
    | 'end'
    | 'backspace'
    | 'delete'
    | 'kill-word'
    | 'kill-word-right'
    | 'kill-start'
    | 'kill-end'
    | 'yank'
    | 'undo'
}

export const emptyEditor: Editor = { ...emptyDraft, cursor: 0, undo: [], cut: emptyDraft, goal: null, run: null }

const MAX_UNDO = 200

/** The editor after one edit. */
export function edit(editor: Editor, change: Edit): Editor {
  const { text, cursor } = editor
  switch (change.kind) {
    case 'insert':
      return insert(editor, draftOf(change.text), /^\S+$/u.test(change.text) ? 'typing' : null)
    case 'paste':
      return insert(editor, draftOfPaste(change.text), null)
    case 'newline':
      return insert(editor, draftOf('\n'), null)
    case 'escaped-newline':
      return { ...replace(editor, cursor - 1, cursor, draftOf('\n')), run: null }
    case 'set':
      return { ...replace(editor, 0, text.length, change.draft), run: null }
    case 'left':
      return moved(editor, before(text, cursor))
    case 'right':
      return moved(editor, after(text, cursor))
    case 'word-left':
      return moved(editor, wordBefore(text, cursor))
    case 'word-right':
      return moved(editor, wordAfter(text, cursor))
    case 'home':
      return moved(editor, lineStart(text, cursor))
    case 'end':
      return moved(editor, lineEnd(text, cursor))
    case 'up':
      return moveRow(editor, change.geometry, -1)
    case 'down':
      return moveRow(editor, change.geometry, 1)
    case 'backspace':
      return remove(editor, before(text, cursor), cursor)
    case 'delete':
      return remove(editor, cursor, after(text, cursor))
    case 'kill-word':
      return kill(editor, blankBefore(text, cursor), cursor)
    case 'kill-word-right':
      return kill(editor, cursor, wordAfter(text, cursor))
    case 'kill-start':
      return kill(editor, lineStart(text, cursor), cursor)
    case 'kill-end': {
      const end = lineEnd(text, cursor)
      return kill(editor, cursor, end === cursor ? after(text, cursor) : end)
    }
    case 'yank':
      return insert(editor, editor.cut, null)
    case 'undo':
      return undo(editor)
    default:
      return unreachable(change)
  }
}

function insert(editor: Editor, added: Draft, run: Editor['run']): Editor {
  if (added.text === '') return editor
  return { ...replace(editor, editor.cursor, editor.cursor, added, run), run }
}

function remove(editor: Editor, from: number, to: number): Editor {
  if (from === to) return editor
  return { ...replace(editor, from, to, emptyDraft, 'deleting'), run: 'deleting' }
}

/** Cuts in a row add up, as long as they touch. */
function kill(editor: Editor, from: number, to: number): Editor {
  if (from === to) return editor
  const removed = editor.text.slice(from, to)
  const isForward = from === editor.cursor
  const kept = editor.run === 'cutting' ? graft(editor, editor.cut) : emptyDraft
  const cut = {
    text: isForward ? kept.text + removed : removed + kept.text,
    pastes: { ...editor.pastes, ...kept.pastes }
  }
  return { ...replace(editor, from, to, emptyDraft), cut, run: 'cutting' }
}

function undo(editor: Editor): Editor {
  const last = editor.undo.at(-1)
  return last === undefined ? editor : { ...editor, ...last, undo: editor.undo.slice(0, -1), goal: null, run: null }
}

/** Every change of the text goes through here. A run of the same kind is undone at once. */
function replace(editor: Editor, from: number, to: number, added: Draft, run: Editor['run'] = null): Editor {
  const { text, pastes, cursor } = editor
  const grafted = graft(editor, added)
  const isContinued = run !== null && run === editor.run
  const joined = text.slice(0, from) + grafted.text + text.slice(to)
  return {
    ...editor,
    text: joined,
    pastes: grafted.pastes,
    cursor: onBoundary(joined, from + grafted.text.length),
    undo: isContinued ? editor.undo : [...editor.undo, { text, pastes, cursor }].slice(-MAX_UNDO),
    goal: null
  }
}

/** A combining mark can join with what stands beside it; the cursor then goes behind the whole cluster. */
function onBoundary(text: string, at: number): number {
  return at === 0 ? 0 : Math.max(at, after(text, before(text, at)))
}

function moved(editor: Editor, cursor: number): Editor {
  return { ...editor, cursor, goal: null, run: null }
}

function moveRow(editor: Editor, geometry: Geometry, by: -1 | 1): Editor {
  const rows = layoutRows(editor, geometry)
  const place = placeOf(rows, editor, editor.cursor, geometry)
  const goal = editor.goal ?? place.column
  const row = rows[place.row + by]
  if (row === undefined) return editor
  return { ...editor, cursor: offsetAt(row, editor, goal, geometry), goal, run: null }
}
