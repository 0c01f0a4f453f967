import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { createTools, type ToolOptions } from '../../src/agent/tools/index.ts'
import type { ToolsConfig } from '../../src/config/types.ts'
import { createChildren } from '../../src/platform/children.ts'
import type { ToolName, ToolPort, ToolProgress, ToolResult } from '../../src/protocol/tool.ts'

/** The documented defaults of `[tools]`. */
const defaultToolsConfig: ToolsConfig = {
  bashTimeoutSeconds: 30,
  fileTimeoutSeconds: 5,
  webTimeoutSeconds: 30,
  webMaxResponseTokens: 10_000,
  webSearchBackend: 'duckduckgo',
  webSearchUrl: 'https://html.duckduckgo.com',
  preferRipgrep: true,
  maxResultBytes: 8192
}

type RunOptions = {
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: ToolProgress) => void
  readonly stamp?: string
  readonly id?: string
}

export type ToolBench = {
  readonly workdir: string
  readonly stateDir: string
  readonly tools: ToolPort
  /** Path inside the working directory. */
  at(path: string): string
  /** Checks and performs one call, as a session would. */
  run(name: ToolName, args: Readonly<Record<string, unknown>>, options?: RunOptions): Promise<ToolResult>
}

/** The tools in a temporary working directory that vanishes with the test, and every child with it. */
export async function toolBench(
  config: Partial<ToolsConfig> = {},
  more: Partial<Omit<ToolOptions, 'config'>> = {}
): Promise<ToolBench> {
  const top = await realpath(await mkdtemp(join(tmpdir(), 'ghyll-tools-')))
  const workdir = more.workdir ?? top
  const children = createChildren()
  onTestFinished(async () => {
    children.killAll()
    await rm(top, { recursive: true, force: true })
  })
  const stateDir = join(workdir, '.ghyll/state')
  const tools = createTools({
    workdir,
    stateDir,
    version: '1.2.3',
    children,
    ...more,
    config: { ...defaultToolsConfig, ...config }
  })
  return {
    workdir,
    stateDir,
    tools,
    at: (path) => join(workdir, path),
    async run(
      name,
      args,
      { signal = new AbortController().signal, onProgress = () => undefined, stamp = 'm', id = 'c' } = {}
    ) {
      const call = { id, name, arguments: JSON.stringify(args) }
      const checked = tools.check(call, 'session')
      expect(checked).toMatchObject({ ok: true })
      if (!checked.ok) throw new Error(checked.error)
      return tools.run(call, checked, { signal, onProgress, stamp })
    }
  }
}
