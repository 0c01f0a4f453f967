/**
 * What the program consists of, in pieces of some milliseconds each: the large packages first, then the wings that stand on them.
 * Nothing here is needed that `program.ts` would not load by itself.
 */
const pieces: readonly (() => Promise<unknown>)[] = [
  () => import('execa'),
  () => import('undici'),
  () => import('better-sqlite3'),
  () => import('../agent/store/index.ts'),
  () => import('../agent/stream/index.ts'),
  () => import('../agent/tools/index.ts'),
  () => import('../agent/session/index.ts'),
  () => import('../gate/catalogue/index.ts'),
  () => import('../gate/engine/index.ts'),
  () => import('../memory/index.ts')
]

/** Loads the program behind the first frame. A key that is typed meanwhile is echoed between two pieces (TERM-70). */
export async function loadProgram(): Promise<typeof import('./program.ts')> {
  for (const load of pieces) {
    await keysRead()
    await load()
  }
  await keysRead()
  return import('./program.ts')
}

/** Once round the event loop, so that what the terminal sent is read and painted. */
function keysRead(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
}
