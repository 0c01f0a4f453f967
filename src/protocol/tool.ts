/** The twelve tools a model can call (TOOL-001…). */
export const toolNames = [
  'bash',
  'read_file',
  'write_file',
  'edit_file',
  'grep',
  'glob',
  'git',
  'web_fetch',
  'web_search',
  'agent',
  'enter_plan_mode',
  'exit_plan_mode'
] as const

export type ToolName = (typeof toolNames)[number]

/** What a request's `tools` field says of one tool (MODEL-021). */
export type ToolSpec = {
  readonly name: ToolName
  readonly description: string
  /** JSON schema of the arguments object, with `required`. */
  readonly parameters: Readonly<Record<string, unknown>>
}

/** A call as the model made it: `arguments` is the raw JSON text (MODEL-025). */
export type ToolCall = {
  readonly id: string
  readonly name: string
  readonly arguments: string
}

/** Kinds of tool trouble kept for statistics. */
export type ToolErrorKind =
  | 'timeout'
  | 'not-found'
  | 'ambiguous'
  | 'changed'
  | 'binary'
  | 'http'
  | 'network'
  | 'invalid-args'
  | 'unknown-tool'
  | 'interrupted'
  | 'exit'
  | 'failed'

/** Facts beside the text of a result, for the screen, statistics and checkpoints. All optional, all small. */
export type ToolMeta = {
  readonly kind?: ToolErrorKind
  readonly exitCode?: number
  /** Short outcome for the one-line view: `42 lines`, `+3 −1`. */
  readonly summary?: string
  /** Unified diff of an edit or write, for display only (TOOL-049). */
  readonly diff?: string
  /** Where the whole output of a truncated result is kept (TOOL-012). */
  readonly outputFile?: string
  /** The call touched something inside `.git/` (TOOL-108). */
  readonly touchesGit?: boolean
  /** Repository-relative POSIX paths (CTX-073). */
  readonly filesRead?: readonly string[]
  readonly filesWritten?: readonly string[]
}

/**
 * What an execution yields; expected trouble is in `error`, never thrown (TOOL-001). `error` also carries what a successful
 * program wrote to stderr: whether the call failed is said by `meta.kind` alone (`toolFailed`).
 */
export type ToolResult = {
  readonly output: string
  readonly error: string
  readonly timedOut: boolean
  readonly durationMs: number
  readonly meta: ToolMeta
}

/** Live output of a running tool: the last lines, and how long it has run (TOOL-009, TOOL-125). */
export type ToolProgress = { readonly tail: string; readonly elapsedMs: number }

export type ToolAudience = 'session' | 'sub-agent'

/** A call whose name and arguments were checked against the schema, or the text that refuses it (MODEL-074, TOOL-005). */
export type CheckedCall =
  | { readonly ok: true; readonly name: ToolName; readonly args: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly kind: 'unknown-tool' | 'invalid-args'; readonly error: string }

/** The tools as a session sees them. `agent` and the two plan-mode tools are specified and checked here, but performed by the session. */
export interface ToolPort {
  /** All twelve, or the nine of a sub-agent (TOOL-008); the same array every time. */
  specs(audience: ToolAudience): readonly ToolSpec[]
  check(call: ToolCall, audience: ToolAudience): CheckedCall
  /** Performs one checked call of the other nine. Rejects for bugs only; an abort settles as `interrupted` (TOOL-010). */
  run(
    call: ToolCall,
    checked: Extract<CheckedCall, { ok: true }>,
    options: {
      readonly signal: AbortSignal
      readonly onProgress: (progress: ToolProgress) => void
      /** `stamp_label` of the model that made the call, for commit trailers (MODEL-090). */
      readonly stamp: string
    }
  ): Promise<ToolResult>
}

/** The text the model is given for a result (TOOL-002), already capped (TOOL-011). */
export function toolResultText(name: string, result: Pick<ToolResult, 'output' | 'error'>): string {
  const { output, error } = result
  if (error !== '') return output === '' ? error : `${output}${output.endsWith('\n') ? '' : '\n'}[error] ${error}`
  if (output !== '') return output
  return name === 'grep' || name === 'glob' || name === 'web_search' ? '(no matches)' : '(no output)'
}

/** Whether a call failed, as opposed to a success that also wrote to stderr. */
export function toolFailed(result: Pick<ToolResult, 'meta'>): boolean {
  return result.meta.kind !== undefined
}
