import { cellWidth } from '../../src/lib/width.ts'
import { type Bindings, type KeyFocus, labelOf } from '../keys/index.ts'
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
  const key = (focus: KeyFocus, action: string) =>
    labelOf([...bindings[focus]].find(([, bound]) => bound === action)?.[0] ?? '')
  if (isDetail) return ['⏎ open', 'Esc back', '↑↓ move']
  const move = '↑↓ move'
  switch (name) {
    case 'arrows':
      return [
        '⏎ detail',
        `${key('arrows', 'arrows.run')} run`,
        `${key('arrows', 'arrows.verdict')} verdict`,
        move,
        `${key('arrows', 'arrows.invalidate')} invalidate`,
        '/ filter'
      ]
    case 'passes':
      return [
        '⏎ detail',
        `${key('passes', 'passes.abort')} abort`,
        `${key('passes', 'passes.verdicts')} verdicts`,
        move
      ]
    case 'queue':
      return ['⏎ answer', `${key('queue', 'queue.skip')} skip all`, move]
    case 'findings':
      return [
        '⏎ detail',
        `${key('findings', 'findings.accept')} accept`,
        `${key('findings', 'findings.resolve')} resolve`,
        `${key('findings', 'findings.reopen')} reopen`,
        move,
        `${key('findings', 'findings.group')} group`
      ]
    case 'events':
      return ['⏎ detail', '/ filter', move]
  }
}
