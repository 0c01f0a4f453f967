import { cellWidth } from '../../src/lib/width.ts'
import { type ActionName, type Bindings, keyLabel } from '../keys/index.ts'
import type { PanelName } from './state.ts'

/** The key hints of a panel's list or detail in at most `width` cells: as many as have room, none of them cut (OPUI-720). */
export function hintsThatFit(name: PanelName, isDetail: boolean, bindings: Bindings, width: number): string {
  let shown = ''
  for (const text of hints(name, isDetail, bindings)) {
    const longer = shown === '' ? text : `${shown}  ${text}`
    if (cellWidth(longer) <= width) shown = longer
  }
  return shown
}

/** The keys that matter here, the most useful first. */
function hints(name: PanelName, isDetail: boolean, bindings: Bindings): readonly string[] {
  const key = (action: ActionName) => keyLabel(bindings, action) ?? ''
  if (isDetail) return ['⏎ open', 'Esc back', '↑↓ move']
  const move = '↑↓ move'
  switch (name) {
    case 'arrows':
      return [
        '⏎ detail',
        `${key('arrows.run')} run`,
        `${key('arrows.verdict')} verdict`,
        move,
        `${key('arrows.invalidate')} invalidate`,
        '/ filter'
      ]
    case 'passes':
      return ['⏎ detail', `${key('passes.abort')} abort`, `${key('passes.verdicts')} verdicts`, move]
    case 'queue':
      return ['⏎ answer', `${key('queue.skip')} skip all`, move]
    case 'findings':
      return [
        '⏎ detail',
        `${key('findings.accept')} accept`,
        `${key('findings.resolve')} resolve`,
        `${key('findings.reopen')} reopen`,
        move,
        `${key('findings.group')} group`
      ]
    case 'events':
      return ['⏎ detail', '/ filter', move]
  }
}
