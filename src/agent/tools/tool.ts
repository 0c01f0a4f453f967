import type { z } from 'zod'
import type { ToolsConfig } from '../../config/types.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Children } from '../../platform/children.ts'
import type { ToolMeta, ToolName, ToolProgress } from '../../protocol/tool.ts'

/** What every tool of one session works with. */
export type ToolHost = {
  /** Absolute; relative paths start here (TOOL-006). */
  readonly workdir: string
  /** Top of the repository, to which `filesRead` and `filesWritten` are relative. */
  readonly root: string
  readonly home: string
  readonly config: ToolsConfig
  readonly version: string
  readonly children: Children
  readonly env: NodeJS.ProcessEnv
  readonly fetch: typeof fetch
  readonly clock: Clock
  /** Takes out secrets the process knows. */
  readonly redact: (text: string) => string
  /** Called when a new content lies beside its target, before the last comparison and the rename (TOOL-045). */
  readonly onStaged?: (path: string) => Promise<void>
}

/** What belongs to one call. */
export type ToolRun = {
  readonly signal: AbortSignal
  readonly onProgress: (progress: ToolProgress) => void
  readonly stamp: string
}

/** What a tool hands back; expected trouble may also be thrown as `ToolFailure`. */
export type ToolYield = {
  readonly output?: string
  readonly error?: string
  readonly timedOut?: boolean
  readonly meta?: ToolMeta
  /** `file`: what is cut off stays readable in a file (TOOL-012). `own`: the tool keeps to a limit itself. Default: cut. */
  readonly cap?: 'file' | 'own'
}

/** One tool: its words for the model, its arguments, and how a session-bound instance of it is made. */
export type Tool<Schema extends z.ZodType = z.ZodType> = {
  readonly name: ToolName
  readonly description: string
  readonly schema: Schema
  /** Absent where the session performs the call itself. */
  readonly bind?: (host: ToolHost) => (args: z.output<Schema>, run: ToolRun) => Promise<ToolYield>
}

/** Types the arguments of `bind` by the schema beside it. */
export function defineTool<Schema extends z.ZodType>(tool: Tool<Schema>): Tool {
  // The registry calls a tool only with arguments its own schema has parsed.
  return tool as unknown as Tool
}

/** Lines of a text; a final newline begins none. */
export function countLines(text: string): number {
  if (text === '') return 0
  let lines = text.endsWith('\n') ? 0 : 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}
