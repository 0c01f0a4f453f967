import type { GateView } from '../../src/protocol/gate-view.ts'
import type { CompletionItem } from './completion-item.ts'

/** The kind of id a command takes as its first word (TERM-42). */
const takes: Readonly<Record<string, 'arrow' | 'ref' | 'pass'>> = {
  'run-arrow': 'arrow',
  'invalidate-arrow': 'arrow',
  attestations: 'arrow',
  findings: 'arrow',
  attest: 'ref',
  passes: 'pass',
  'abort-pass': 'pass'
}

/** The beginning of an id behind a command that takes one, or null (TERM-42). */
export function idPrefix(before: string): { readonly command: string; readonly prefix: string } | null {
  const [, command = '', prefix = ''] = /^\/(\S+)\s+(\S*)$/u.exec(before) ?? []
  return Object.hasOwn(takes, command) ? { command, prefix } : null
}

/** The ids that contain what was typed, those that begin with it first; `->` stands for `→` (OPUI-102). */
export function idItems(view: GateView | null, command: string, prefix: string): CompletionItem[] {
  const wanted = prefix.toLowerCase().replaceAll('->', '→')
  const ids = idsFor(view, takes[command]).filter(({ label }) => label.toLowerCase().includes(wanted))
  const isBegun = ({ label }: { readonly label: string }) => label.toLowerCase().startsWith(wanted)
  return [...ids.filter(isBegun), ...ids.filter((each) => !isBegun(each))].map(({ label, detail }) => ({
    label,
    detail,
    insert: `${label} `
  }))
}

function idsFor(view: GateView | null, kind: 'arrow' | 'ref' | 'pass' | undefined) {
  if (view === null) return []
  switch (kind) {
    case 'arrow':
      return view.arrows.map(({ id, status, isStarted }) => ({ label: id, detail: isStarted ? status : 'not started' }))
    case 'ref':
      return view.queue
        .filter(({ type }) => type === 'verdict')
        .map(({ item, clause, round }) => ({ label: item, detail: `${clause ?? ''} round ${round}` }))
    case 'pass':
      return view.passes
        .filter(({ state }) => state === 'open')
        .map(({ id, role, context }) => ({ label: id, detail: `${role}/${context}` }))
    case undefined:
      return []
  }
}
