import { constants, type Stats } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { fileFailure, isDirectory, notRegular } from './errors.ts'

/**
 * Opens a regular file for reading and hands it to `use`. Never blocks on a FIFO or device, which it refuses after a look at the
 * open handle (TOOL-031). `shown` is the path as the model wrote it, for the messages.
 */
export async function withFile<T>(
  path: string,
  shown: string,
  use: (handle: FileHandle, stats: Stats) => Promise<T>
): Promise<T> {
  let handle: FileHandle | null = null
  try {
    handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
    const stats = await handle.stat()
    if (stats.isDirectory()) throw isDirectory(shown)
    if (!stats.isFile()) throw notRegular(shown)
    return await use(handle, stats)
  } catch (thrown) {
    throw fileFailure(thrown, shown)
  } finally {
    await handle?.close()
  }
}
