/**
 * The one key map (TERM-48): what each key does, per focus. The help overlay is made from it, `[keys]` overrides it by action name.
 * Where several focuses apply, the innermost that binds the key decides (`bind.ts`).
 */
export const keyFocuses = [
  'anywhere',
  'prompt',
  'list',
  'search',
  'find',
  'found',
  'panel',
  'filter',
  'arrows',
  'passes',
  'queue',
  'findings',
  'overlay',
  'picker',
  'field',
  'confirm',
  'verdict',
  'escalation',
  'risk',
  'declaration',
  'amendment',
  'binding',
  'wizard'
] as const
export type KeyFocus = (typeof keyFocuses)[number]

export type KeyAction = {
  readonly action: string
  readonly focus: KeyFocus
  readonly keys: readonly string[]
  /** For the help overlay. */
  readonly description: string
  /** Answers a verdict: Enter, Space, Esc and Backspace are not allowed (TERM-52, CFG-012). */
  readonly isVerdict?: true
}

export const keyMap = [
  // Everywhere
  { action: 'help', focus: 'anywhere', keys: ['f1'], description: 'this help (? on an empty prompt)' },
  { action: 'escape', focus: 'anywhere', keys: ['esc', 'ctrl+['], description: 'close, go back, or stop what runs' },
  { action: 'interrupt', focus: 'anywhere', keys: ['ctrl+c'], description: 'stop what runs; twice leaves' },
  { action: 'redraw', focus: 'anywhere', keys: ['ctrl+l'], description: 'draw the screen again' },
  { action: 'suspend', focus: 'anywhere', keys: ['ctrl+z'], description: 'suspend; fg brings it back' },
  // Panels
  { action: 'panel.arrows', focus: 'anywhere', keys: ['ctrl+g', 'f2'], description: 'arrows: the grid' },
  { action: 'panel.passes', focus: 'anywhere', keys: ['f3'], description: 'passes' },
  { action: 'panel.queue', focus: 'anywhere', keys: ['f4'], description: 'what waits for a verdict' },
  { action: 'panel.findings', focus: 'anywhere', keys: ['f5'], description: 'findings' },
  { action: 'panel.events', focus: 'anywhere', keys: ['f6'], description: 'events of the gate' },
  { action: 'panel.up', focus: 'panel', keys: ['up', 'k', 'ctrl+p'], description: 'panel: line up' },
  { action: 'panel.down', focus: 'panel', keys: ['down', 'j', 'ctrl+n'], description: 'panel: line down' },
  { action: 'panel.page-up', focus: 'panel', keys: ['pageup'], description: 'panel: page up' },
  { action: 'panel.page-down', focus: 'panel', keys: ['pagedown'], description: 'panel: page down' },
  { action: 'panel.top', focus: 'panel', keys: ['home'], description: 'panel: to its beginning' },
  { action: 'panel.bottom', focus: 'panel', keys: ['end'], description: 'panel: to its end' },
  { action: 'panel.open', focus: 'panel', keys: ['enter'], description: 'panel: closer look; queue: answer' },
  { action: 'panel.right', focus: 'panel', keys: ['right'], description: 'panel: closer look; matrix: column right' },
  { action: 'panel.left', focus: 'panel', keys: ['left'], description: 'panel: back; matrix: column left' },
  { action: 'panel.filter', focus: 'panel', keys: ['/'], description: 'panel: filter as you type' },
  { action: 'panel.next', focus: 'panel', keys: ['tab'], description: 'next panel' },
  { action: 'panel.previous', focus: 'panel', keys: ['shift+tab'], description: 'panel before' },
  { action: 'filter.done', focus: 'filter', keys: ['enter'], description: 'filter: keep it' },
  { action: 'filter.erase', focus: 'filter', keys: ['backspace', 'ctrl+h'], description: 'filter: erase a character' },
  { action: 'arrows.run', focus: 'arrows', keys: ['r'], description: 'arrow: run it' },
  { action: 'arrows.invalidate', focus: 'arrows', keys: ['i'], description: 'arrow: invalidate it' },
  { action: 'arrows.attestations', focus: 'arrows', keys: ['a'], description: 'arrow: its attestations' },
  { action: 'arrows.findings', focus: 'arrows', keys: ['f'], description: 'arrow: its findings' },
  { action: 'arrows.passes', focus: 'arrows', keys: ['p'], description: 'arrow: its passes' },
  { action: 'arrows.verdict', focus: 'arrows', keys: ['v'], description: 'arrow: its first waiting verdict' },
  { action: 'arrows.copy', focus: 'arrows', keys: ['y'], description: 'arrow: copy its id' },
  { action: 'arrows.matrix', focus: 'arrows', keys: ['m'], description: 'arrows: list or matrix (over 140 columns)' },
  { action: 'passes.abort', focus: 'passes', keys: ['x'], description: 'pass: abort it' },
  { action: 'passes.verdicts', focus: 'passes', keys: ['v'], description: 'pass: its verdicts' },
  { action: 'queue.skip', focus: 'queue', keys: ['s'], description: 'queue: skip all for this turn' },
  { action: 'findings.accept', focus: 'findings', keys: ['a'], description: 'finding: accept the risk' },
  { action: 'findings.resolve', focus: 'findings', keys: ['d'], description: 'finding: resolved' },
  { action: 'findings.reopen', focus: 'findings', keys: ['o'], description: 'finding: open again' },
  { action: 'findings.group', focus: 'findings', keys: ['g'], description: 'findings: group by arrow or status' },
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
  { action: 'verdict.pass', focus: 'verdict', keys: ['p'], description: 'verdict: pass', isVerdict: true },
  { action: 'verdict.fail', focus: 'verdict', keys: ['f'], description: 'verdict: fail', isVerdict: true },
  {
    action: 'verdict.insufficient-basis',
    focus: 'verdict',
    keys: ['i'],
    description: 'verdict: insufficient-basis',
    isVerdict: true
  },
  { action: 'verdict.skip', focus: 'verdict', keys: ['s'], description: 'verdict: skip' },
  { action: 'verdict.files', focus: 'verdict', keys: ['e'], description: 'verdict: evidence and named places' },
  {
    action: 'escalation.accept-risk',
    focus: 'escalation',
    keys: ['1'],
    description: 'escalation: accept risk',
    isVerdict: true
  },
  {
    action: 'escalation.route-upstream',
    focus: 'escalation',
    keys: ['2'],
    description: 'escalation: route upstream',
    isVerdict: true
  },
  { action: 'risk.accept', focus: 'risk', keys: ['a'], description: 'risk: accept', isVerdict: true },
  { action: 'risk.reject', focus: 'risk', keys: ['r'], description: 'risk: reject', isVerdict: true },
  { action: 'risk.skip', focus: 'risk', keys: ['s'], description: 'risk: skip' },
  { action: 'declaration.role', focus: 'declaration', keys: ['o'], description: 'declaration: attesting role' },
  {
    action: 'declaration.edit',
    focus: 'declaration',
    keys: ['e'],
    description: 'declaration: skip or take the marked clause'
  },
  {
    action: 'declaration.attest',
    focus: 'declaration',
    keys: ['a'],
    description: 'declaration: attest and declare',
    isVerdict: true
  },
  {
    action: 'declaration.refuse',
    focus: 'declaration',
    keys: ['r'],
    description: 'declaration: refuse',
    isVerdict: true
  },
  { action: 'amendment.accept', focus: 'amendment', keys: ['a'], description: 'amendment: accept', isVerdict: true },
  {
    action: 'amendment.empty',
    focus: 'amendment',
    keys: ['m'],
    description: 'amendment: commit empty',
    isVerdict: true
  },
  { action: 'amendment.stop', focus: 'amendment', keys: ['s'], description: 'amendment: stop' },
  {
    action: 'binding.declare',
    focus: 'binding',
    keys: ['b'],
    description: 'binding: declare a command',
    isVerdict: true
  },
  { action: 'binding.skip', focus: 'binding', keys: ['s'], description: 'binding: skip' },
  { action: 'wizard.confirm', focus: 'wizard', keys: ['c'], description: 'ghyll init: record it as proposed' },
  {
    action: 'wizard.modify',
    focus: 'wizard',
    keys: ['m'],
    description: 'ghyll init: tighten, or supply what is missing'
  },
  { action: 'wizard.skip', focus: 'wizard', keys: ['s'], description: 'ghyll init: leave the clause out, visibly' },
  { action: 'wizard.extend', focus: 'wizard', keys: ['e'], description: 'ghyll init: add a clause' },
  { action: 'wizard.type', focus: 'wizard', keys: ['t'], description: 'ghyll init: type the answer' },
  { action: 'wizard.drop', focus: 'wizard', keys: ['d'], description: 'ghyll init: leave a context out' },
  { action: 'wizard.yes', focus: 'wizard', keys: ['y'], description: 'ghyll init: yes' },
  { action: 'wizard.no', focus: 'wizard', keys: ['n'], description: 'ghyll init: no' },
  { action: 'wizard.unknown', focus: 'wizard', keys: ['?'], description: 'ghyll init: not known yet' },
  { action: 'wizard.accept', focus: 'wizard', keys: ['a'], description: 'ghyll init: accept the refusal' },
  { action: 'wizard.override', focus: 'wizard', keys: ['o'], description: 'ghyll init: go on against the refusal' },
  { action: 'wizard.back', focus: 'wizard', keys: ['b', 'left'], description: 'ghyll init: to the question before' },
  { action: 'wizard.quit', focus: 'wizard', keys: ['q'], description: 'ghyll init: leave without writing anything' },
  { action: 'confirm.yes', focus: 'confirm', keys: ['y'], description: 'confirmation: yes', isVerdict: true },
  { action: 'confirm.no', focus: 'confirm', keys: ['n'], description: 'confirmation: no', isVerdict: true }
] as const satisfies readonly KeyAction[]

export type ActionName = (typeof keyMap)[number]['action']
