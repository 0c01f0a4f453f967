import type { KeyAction } from './focus.ts'

/** The keys of the gate's panels and of what it asks, and those of `ghyll init --interactive` (OPUI-720…740). */
export const gateKeys = [
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
  { action: 'wizard.quit', focus: 'wizard', keys: ['q'], description: 'ghyll init: leave without writing anything' }
] as const satisfies readonly KeyAction[]
