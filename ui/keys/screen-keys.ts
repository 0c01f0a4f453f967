import type { KeyAction } from './focus.ts'

/** The keys of the screen itself: prompt, transcript, search, overlays (TERM-48). */
export const screenKeys = [
  // Everywhere
  { action: 'help', focus: 'anywhere', keys: ['f1'], description: 'this help (? on an empty prompt)' },
  { action: 'escape', focus: 'anywhere', keys: ['esc', 'ctrl+['], description: 'close, go back, or stop what runs' },
  { action: 'interrupt', focus: 'anywhere', keys: ['ctrl+c'], description: 'stop what runs; twice leaves' },
  { action: 'redraw', focus: 'anywhere', keys: ['ctrl+l'], description: 'draw the screen again' },
  { action: 'suspend', focus: 'anywhere', keys: ['ctrl+z'], description: 'suspend; fg brings it back' },
  // Transcript
  { action: 'scroll.page-up', focus: 'anywhere', keys: ['pageup'], description: 'transcript: a page up' },
  { action: 'scroll.page-down', focus: 'anywhere', keys: ['pagedown'], description: 'transcript: a page down' },
  { action: 'scroll.top', focus: 'anywhere', keys: ['ctrl+home'], description: 'transcript: to its beginning' },
  { action: 'scroll.bottom', focus: 'anywhere', keys: ['ctrl+end'], description: 'transcript: to its end, and follow' },
  { action: 'scroll.entry-up', focus: 'anywhere', keys: ['ctrl+up'], description: 'transcript: entry before' },
  { action: 'scroll.entry-down', focus: 'anywhere', keys: ['ctrl+down'], description: 'transcript: entry after' },
  {
    action: 'transcript.unfold',
    focus: 'anywhere',
    keys: ['ctrl+t'],
    description: 'transcript: fold or unfold the last entry in sight'
  },
  {
    action: 'transcript.unfold-all',
    focus: 'anywhere',
    keys: ['alt+t'],
    description: 'transcript: fold or unfold all tool calls'
  },
  {
    action: 'transcript.reasoning',
    focus: 'anywhere',
    keys: ['alt+r'],
    description: 'transcript: show or hide reasoning'
  },
  { action: 'transcript.find', focus: 'anywhere', keys: ['ctrl+f'], description: 'transcript: search' },
  { action: 'transcript.pager', focus: 'anywhere', keys: ['ctrl+o'], description: 'transcript: whole, in the pager' },
  // Prompt
  { action: 'prompt.enter', focus: 'prompt', keys: ['enter'], description: 'send; while a turn runs: steer it' },
  {
    action: 'prompt.tab',
    focus: 'prompt',
    keys: ['tab'],
    description: 'complete; while a turn runs: queue for after it'
  },
  {
    action: 'prompt.newline',
    focus: 'prompt',
    keys: ['shift+enter', 'alt+enter', 'ctrl+j', 'ctrl+alt+j', 'ctrl+enter'],
    description: 'new line (also \\ and Enter)'
  },
  { action: 'prompt.up', focus: 'prompt', keys: ['up', 'ctrl+p'], description: 'line up, pending message, history' },
  { action: 'prompt.down', focus: 'prompt', keys: ['down', 'ctrl+n'], description: 'line down, history' },
  { action: 'prompt.left', focus: 'prompt', keys: ['left', 'ctrl+b'], description: 'left' },
  { action: 'prompt.right', focus: 'prompt', keys: ['right'], description: 'right' },
  { action: 'prompt.word-left', focus: 'prompt', keys: ['alt+left', 'ctrl+left', 'alt+b'], description: 'word left' },
  {
    action: 'prompt.word-right',
    focus: 'prompt',
    keys: ['alt+right', 'ctrl+right', 'alt+f'],
    description: 'word right'
  },
  { action: 'prompt.home', focus: 'prompt', keys: ['home', 'ctrl+a'], description: 'start of line' },
  { action: 'prompt.end', focus: 'prompt', keys: ['end', 'ctrl+e'], description: 'end of line' },
  {
    action: 'prompt.backspace',
    focus: 'prompt',
    keys: ['backspace', 'ctrl+h', 'shift+backspace'],
    description: 'delete to the left'
  },
  { action: 'prompt.delete', focus: 'prompt', keys: ['delete'], description: 'delete to the right' },
  {
    action: 'prompt.leave',
    focus: 'prompt',
    keys: ['ctrl+d'],
    description: 'leave (empty prompt), else delete to the right'
  },
  {
    action: 'prompt.kill-word',
    focus: 'prompt',
    keys: ['ctrl+w', 'alt+backspace', 'ctrl+backspace'],
    description: 'cut the word before'
  },
  {
    action: 'prompt.kill-word-right',
    focus: 'prompt',
    keys: ['alt+d', 'alt+delete', 'ctrl+delete'],
    description: 'cut the word after'
  },
  { action: 'prompt.kill-start', focus: 'prompt', keys: ['ctrl+u'], description: 'cut to the start of the line' },
  { action: 'prompt.kill-end', focus: 'prompt', keys: ['ctrl+k'], description: 'cut to the end of the line' },
  { action: 'prompt.yank', focus: 'prompt', keys: ['ctrl+y'], description: 'insert what was cut' },
  { action: 'prompt.undo', focus: 'prompt', keys: ['ctrl+_', 'ctrl+/', 'ctrl+shift+-'], description: 'undo' },
  { action: 'prompt.search', focus: 'prompt', keys: ['ctrl+r'], description: 'search the history' },
  { action: 'prompt.editor', focus: 'prompt', keys: ['ctrl+x ctrl+e'], description: 'edit the draft in $EDITOR' },
  // Completion list
  { action: 'list.up', focus: 'list', keys: ['up', 'ctrl+p', 'shift+tab'], description: 'completion: up' },
  { action: 'list.down', focus: 'list', keys: ['down', 'ctrl+n'], description: 'completion: down' },
  // History search
  { action: 'search.older', focus: 'search', keys: ['ctrl+r', 'up'], description: 'history search: older match' },
  { action: 'search.newer', focus: 'search', keys: ['ctrl+s', 'down'], description: 'history search: newer match' },
  {
    action: 'search.accept',
    focus: 'search',
    keys: ['enter', 'tab', 'right'],
    description: 'history search: take the match'
  },
  {
    action: 'search.erase',
    focus: 'search',
    keys: ['backspace', 'ctrl+h'],
    description: 'history search: erase a character'
  },
  // Transcript search
  { action: 'find.done', focus: 'find', keys: ['enter'], description: 'search: keep it, then n and N walk' },
  { action: 'find.erase', focus: 'find', keys: ['backspace', 'ctrl+h'], description: 'search: erase a character' },
  { action: 'find.clear', focus: 'find', keys: ['ctrl+u'], description: 'search: erase all' },
  { action: 'find.up', focus: 'find', keys: ['up', 'ctrl+p'], description: 'search: match before' },
  { action: 'find.down', focus: 'find', keys: ['down', 'ctrl+n'], description: 'search: next match' },
  { action: 'found.next', focus: 'found', keys: ['n', 'enter', 'down'], description: 'search, kept: next match' },
  { action: 'found.previous', focus: 'found', keys: ['N', 'up'], description: 'search, kept: match before' },
  // Overlays
  { action: 'overlay.up', focus: 'overlay', keys: ['up', 'ctrl+p'], description: 'overlay: line up' },
  { action: 'overlay.down', focus: 'overlay', keys: ['down', 'ctrl+n'], description: 'overlay: line down' },
  { action: 'overlay.page-up', focus: 'overlay', keys: ['pageup'], description: 'overlay: page up' },
  { action: 'overlay.page-down', focus: 'overlay', keys: ['pagedown'], description: 'overlay: page down' },
  { action: 'overlay.top', focus: 'overlay', keys: ['home'], description: 'overlay: to its beginning' },
  { action: 'overlay.bottom', focus: 'overlay', keys: ['end'], description: 'overlay: to its end' },
  { action: 'picker.choose', focus: 'picker', keys: ['enter'], description: 'picker: take the marked line' },
  {
    action: 'picker.erase',
    focus: 'picker',
    keys: ['backspace', 'ctrl+h'],
    description: 'picker: erase a character of the filter'
  },
  {
    action: 'field.done',
    focus: 'field',
    keys: ['enter'],
    description: 'text field: done, on to the confirmation'
  },
  { action: 'confirm.yes', focus: 'confirm', keys: ['y'], description: 'confirmation: yes', isVerdict: true },
  { action: 'confirm.no', focus: 'confirm', keys: ['n'], description: 'confirmation: no', isVerdict: true }
] as const satisfies readonly KeyAction[]
