import type { Figure } from '../figure.ts'
import { gate } from './gate.ts'
import { history } from './history.ts'
import { idle } from './idle.ts'
import { memory } from './memory.ts'
import { start } from './start.ts'
import { streaming } from './streaming.ts'

/** Every figure, in the order they are taken. */
export const figures: readonly Figure[] = [start, idle, streaming, history, memory, gate]
