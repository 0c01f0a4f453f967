import type { ActionName } from '../keys/index.ts'
import type { KeyedEdit } from './editor.ts'

/** What the editing keys do to a text, in the prompt and in the fields of overlays (TERM-40, OPUI-742). */
export const keyedEdits: Partial<Record<ActionName, KeyedEdit['kind']>> = {
  'prompt.newline': 'newline',
  'prompt.left': 'left',
  'prompt.right': 'right',
  'prompt.word-left': 'word-left',
  'prompt.word-right': 'word-right',
  'prompt.home': 'home',
  'prompt.end': 'end',
  'prompt.backspace': 'backspace',
  'prompt.delete': 'delete',
  'prompt.leave': 'delete',
  'prompt.kill-word': 'kill-word',
  'prompt.kill-word-right': 'kill-word-right',
  'prompt.kill-start': 'kill-start',
  'prompt.kill-end': 'kill-end',
  'prompt.yank': 'yank',
  'prompt.undo': 'undo'
}
