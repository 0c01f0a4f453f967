import { homedir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import type { ToolsConfig } from '../../config/types.ts'
import { AssertionFailed, assert } from '../../lib/assert.ts'
import { capResult } from '../../lib/cap-text.ts'
import { type Clock, systemClock } from '../../lib/clock.ts'
import { messageOf } from '../../lib/error.ts'
import type { Children } from '../../platform/children.ts'
import {
  type ToolAudience,
  type ToolCall,
  type ToolName,
  type ToolPort,
  type ToolResult,
  type ToolSpec,
  toolResultText
} from '../../protocol/tool.ts'
import { agent } from './agent.ts'
import { bash } from './bash.ts'
import { checkCall } from './check.ts'
import { editFile } from './edit-file.ts'
import { enterPlanMode } from './enter-plan-mode.ts'
import { interrupted, ToolFailure } from './errors.ts'
import { exitPlanMode } from './exit-plan-mode.ts'
import { git } from './git.ts'
import { glob } from './glob.ts'
import { grep } from './grep.ts'
import { createOutputFiles, type OutputFiles } from './output-files.ts'
import { shownPath } from './paths.ts'
import { readFile } from './read-file.ts'
import { removeLeftovers } from './replace-file.ts'
import type { Tool, ToolHost, ToolRun, ToolYield } from './tool.ts'
import { webFetch } from './web-fetch.ts'
import { webSearch } from './web-search.ts'
import { writeFile } from './write-file.ts'

/** The twelve, in the order a request lists them (TOOL-008). */
const tools: readonly Tool[] = [
  bash,
  readFile,
  writeFile,
  editFile,
  grep,
  glob,
  git,
  webFetch,
  webSearch,
  agent,
  enterPlanMode,
  exitPlanMode
]
const byName: ReadonlyMap<string, Tool> = new Map(tools.map((tool) => [tool.name, tool]))
/** Calls that change files wait for one another, so that an edit and a write never interleave (TOOL-106). */
const changesFiles: ReadonlySet<ToolName> = new Set(['write_file', 'edit_file'])

export type ToolOptions = {
  /** Absolute working directory of the session. */
  readonly workdir: string
  readonly config: ToolsConfig
  /** `<repo>/.ghyll/state`: whole outputs of cut results go to `out/` in it (TOOL-012). */
  readonly stateDir: string
  readonly version: string
  readonly children: Children
  /** Top of the repository; the working directory when omitted. */
  readonly root?: string
  /** Takes secrets the process knows out of everything the model or the screen gets. */
  readonly redact?: (text: string) => string
  readonly fetch?: typeof fetch
  readonly clock?: Clock
  readonly env?: NodeJS.ProcessEnv
  readonly home?: string
  readonly onStaged?: ToolHost['onStaged']
}

/** The tools of one session (TOOL-001): specified, checked, and performed in its working directory. */
export function createTools(options: ToolOptions): ToolPort {
  const host = hostOf(options)
  const outputs = createOutputFiles(join(options.stateDir, 'out'))
  const performers = new Map(tools.map((tool) => [tool.name, tool.bind?.(host)]))
  const specs = specsOf()
  const offered = {
    session: new Set(specs.session.map(({ name }) => name)),
    'sub-agent': new Set(specs['sub-agent'].map(({ name }) => name))
  }
  const leftovers = removeLeftovers(host.workdir, host.clock.now())
  let lastChange: Promise<unknown> = Promise.resolve()

  const perform = (name: ToolName, args: unknown, run: ToolRun): Promise<ToolYield> => {
    const performer = performers.get(name)
    assert(performer !== undefined, `${name} is performed by the session`)
    const attempt = async () => {
      if (run.signal.aborted) throw interrupted()
      return performer(args, run)
    }
    if (!changesFiles.has(name)) return attempt()
    const change = lastChange.then(attempt)
    lastChange = change.catch(() => undefined)
    return change
  }

  return {
    specs: (audience) => specs[audience],
    check: (call, audience) => checkCall(call, byName, offered[audience], audience),
    async run(call, checked, run) {
      const startedAt = performance.now()
      await leftovers
      const yielded = await perform(checked.name, checked.args, run).catch(failureYield)
      const result = await finish(yielded, call, host, outputs)
      return { ...result, durationMs: performance.now() - startedAt }
    }
  }
}

function hostOf(options: ToolOptions): ToolHost {
  return {
    workdir: options.workdir,
    root: options.root ?? options.workdir,
    home: options.home ?? homedir(),
    config: options.config,
    version: options.version,
    children: options.children,
    env: options.env ?? process.env,
    fetch: options.fetch ?? fetch,
    clock: options.clock ?? systemClock(),
    redact: options.redact ?? ((text) => text),
    ...(options.onStaged === undefined ? {} : { onStaged: options.onStaged })
  }
}

/** Schemas become JSON once; a sub-agent is offered what ghyll performs outside the session (CTX-081). */
function specsOf(): Readonly<Record<ToolAudience, readonly ToolSpec[]>> {
  const session = tools.map(({ name, description, schema }) => ({
    name,
    description: description.trim(),
    parameters: jsonSchema(schema)
  }))
  return { session, 'sub-agent': session.filter(({ name }) => byName.get(name)?.bind !== undefined) }
}

function jsonSchema(schema: z.ZodType): Readonly<Record<string, unknown>> {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    override({ jsonSchema }) {
      // The bounds of safe integers say nothing to a model.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    }
  })
  return { required: [], ...json }
}

/** Expected trouble becomes the result's error (TOOL-001), and so does what a library throws; a broken assumption stops the program. */
function failureYield(thrown: unknown): ToolYield {
  if (thrown instanceof AssertionFailed) throw thrown
  if (!(thrown instanceof ToolFailure))
    return { error: `internal error: ${messageOf(thrown)}`, meta: { kind: 'failed' } }
  const { kind, message } = thrown
  return { error: message, timedOut: kind === 'timeout', meta: { kind, summary: summaries[kind] ?? 'failed' } }
}

const summaries: Partial<Record<ToolFailure['kind'], string>> = {
  timeout: 'timed out',
  interrupted: 'interrupted',
  'not-found': 'not found',
  ambiguous: 'ambiguous',
  changed: 'changed meanwhile',
  binary: 'binary'
}

/** Redacts and caps what the model will read (TOOL-011); stdout and stderr share the limit, the cut text stays in a file. */
async function finish(
  { output = '', error = '', timedOut = false, meta = {}, cap }: ToolYield,
  call: ToolCall,
  host: ToolHost,
  outputs: OutputFiles
): Promise<Omit<ToolResult, 'durationMs'>> {
  const whole = { output: host.redact(output), error: host.redact(error) }
  const facts = meta.diff === undefined ? meta : { ...meta, diff: host.redact(meta.diff) }
  const limit = host.config.maxResultBytes
  const size = Buffer.byteLength(whole.output) + Buffer.byteLength(whole.error)
  if (cap === 'own' || limit < 0 || size <= limit) return { ...whole, timedOut, meta: facts }

  const kept = cap === 'file' ? await outputs.keep(call.id, toolResultText(call.name, whole)) : null
  const wholeIn = kept === null ? undefined : shownPath(kept, host)
  const shortError = capResult(
    whole.error,
    Math.max(limit - Buffer.byteLength(whole.output), Math.floor(limit * 0.3)),
    wholeIn
  )
  const shortOutput = capResult(whole.output, limit - Buffer.byteLength(shortError), wholeIn)
  const outputFile = kept === null ? {} : { outputFile: kept }
  return { output: shortOutput, error: shortError, timedOut, meta: { ...facts, ...outputFile } }
}
