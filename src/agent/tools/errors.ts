import { Failure, messageOf, systemCodeOf } from '../../lib/error.ts'
import type { ToolErrorKind } from '../../protocol/tool.ts'

/** Expected trouble inside a tool; becomes the `error` of its result (TOOL-001). The message is what the model reads. */
export class ToolFailure extends Failure {
  readonly code = 'tool-failed'
  readonly kind: ToolErrorKind

  constructor(kind: ToolErrorKind, message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
  }
}

/** The operator stopped the call (TOOL-010). */
export const interrupted = () => new ToolFailure('interrupted', 'interrupted by operator')

/** What a failed file operation on `path` (as the model wrote it) means to the model (TOOL-031). */
export function fileFailure(thrown: unknown, path: string): ToolFailure {
  if (thrown instanceof ToolFailure) return thrown
  switch (systemCodeOf(thrown)) {
    case 'ENOENT':
      return new ToolFailure('not-found', `file not found: ${path}`, thrown)
    case 'EISDIR':
      return isDirectory(path)
    case 'EACCES':
    case 'EPERM':
      return new ToolFailure('failed', `permission denied: ${path}`, thrown)
    case 'ENXIO':
      return notRegular(path)
    case 'ENOTDIR':
    case 'EEXIST':
      return new ToolFailure('failed', `not a directory: a folder above ${path} is a file`, thrown)
    case 'ELOOP':
      return new ToolFailure('failed', `too many symbolic links: ${path}`, thrown)
    case 'ENOSPC':
    case 'EDQUOT':
      return new ToolFailure('failed', `no space left on device: ${path}\nfile unchanged`, thrown)
    case 'EROFS':
      return new ToolFailure('failed', `read-only file system: ${path}\nfile unchanged`, thrown)
    case 'ENAMETOOLONG':
      return new ToolFailure('invalid-args', `path too long: ${path}`, thrown)
    default:
      return new ToolFailure('failed', messageOf(thrown), thrown)
  }
}

/** A folder where a file was meant (TOOL-031). */
export const isDirectory = (path: string) => new ToolFailure('failed', `is a directory: ${path}`)
/** A pipe, socket or device where a file was meant (TOOL-031). */
export const notRegular = (path: string) => new ToolFailure('failed', `not a regular file: ${path}`)
