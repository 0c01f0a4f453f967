import type { Script } from '../script.ts'
import { loadScenes } from './load.ts'
import { memoryScenes } from './memory.ts'
import { shopScenes } from './shop.ts'
import { freeText, summary } from './talk.ts'

/** What the demo's endpoint plays: load scenes first, since their words are exact, then the tour, then free text. */
export const defaultScript: Script = {
  scenes: [summary, ...loadScenes, ...memoryScenes, ...shopScenes],
  otherwise: freeText([...shopScenes, ...memoryScenes, ...loadScenes])
}
