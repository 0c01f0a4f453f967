import { shopFlaw } from '../sample-files.ts'
import type { Script } from '../script.ts'
import { gateScenes } from './gate.ts'
import { loadScenes } from './load.ts'
import { memoryScenes } from './memory.ts'
import { shopScenes } from './shop.ts'
import { freeText, summary } from './talk.ts'

/** What the demo's endpoint plays: the gate's errands and load scenes first, since their words are exact, then the tour, then free text. */
export const defaultScript: Script = {
  scenes: [summary, ...gateScenes({ flaw: shopFlaw }), ...loadScenes, ...memoryScenes, ...shopScenes],
  otherwise: freeText([...shopScenes, ...memoryScenes, ...loadScenes])
}
