import { noteText } from '../agent/dialects/index.ts'
import { Failure } from '../lib/error.ts'
import { authorOf, type Memory, openMemory } from '../memory/index.ts'
import { StartFailure } from './errors.ts'
import { deviceId } from './identity.ts'
import { branchIn } from './memory-place.ts'
import type { Started } from './start.ts'

export type SessionMemoryVoice = {
  tell(level: 'info' | 'warning', text: string): void
  mark(name: string, text: string): void
}

/**
 * The memory wing for a session (INIT steps 6 to 11): key and store at once, the rest behind. Throws `StartFailure` with the texts of
 * these two steps.
 */
export async function openSessionMemory(started: Started, voice: SessionMemoryVoice): Promise<Memory> {
  const { config, env, clock, paths, root, repository, log } = started
  const device = deviceId(env)
  try {
    return await openMemory({
      device,
      author: authorOf(env, device),
      root,
      isRepository: repository !== null,
      branch: () => branchIn(repository),
      databasePath: paths.memoryDb,
      keysFolder: paths.keys,
      config: config.memory,
      vault: config.vault,
      env,
      clock,
      clean: noteText,
      tell: voice.tell,
      mark: voice.mark,
      log: (line, level) => (level === 'warning' ? log.warn(line) : log.info(line))
    })
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown
    const isKey = thrown.code === 'key-permissions' || thrown.code === 'key-invalid'
    throw new StartFailure('memory-unavailable', `${isKey ? 'key setup' : 'open store'}: ${thrown.message}`, {
      hint: thrown.hint,
      cause: thrown
    })
  }
}
