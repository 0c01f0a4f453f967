import type { DeviceKey } from './key-files.ts'

/** Who remembers, and about what: the same for every checkpoint of a process. */
export type Identity = {
  readonly key: DeviceKey
  /** MEM-014 */
  readonly author: string
  /** MEM-011 */
  readonly repo: string
  /** The branch checked out now, empty when detached or no repository. */
  branch(): string
}
