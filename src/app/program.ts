import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSession, type Session } from '../agent/session/index.ts'
import { createModelClient } from '../agent/stream/index.ts'
import { createTools } from '../agent/tools/index.ts'
import { openWorkflow } from '../agent/workflow/index.ts'
import { resolveApiKey } from '../config/index.ts'
import { version } from '../lib/version.ts'
import { createChildren } from '../platform/children.ts'
import type { Command } from '../protocol/command.ts'
import type { NoticeLevel, TransientEvent } from '../protocol/event.ts'
import { entryId, stepId } from '../protocol/ids.ts'
import type { Bus, Say } from './bus.ts'
import { createDispatch } from './dispatch.ts'
import { endOf, type ProgramEnd } from './ending.ts'
import { exportCommand } from './export.ts'
import { openGateHost } from './gate/gate-host.ts'
import type { Asking, GateHost } from './gate/host.ts'
import { followHeader } from './header.ts'
import { becomesTrue, isIdle } from './idle.ts'
import { createPathFinder } from './requests/paths.ts'
import { openPromptStore } from './requests/prompt-store.ts'
import { openSessionMemory } from './session-memory.ts'
import { sessionOptions } from './session-options.ts'
import { closeStore, openStore } from './session-store.ts'
import type { Started } from './start.ts'

/** The opened program: one session with everything it stands on. Built behind the first frame, closed in reverse order. */
export interface Program {
  /** Waits for nothing; what comes of it arrives on the bus. */
  dispatch(command: Command): void
  readonly session: Session
  /** Refs of the verdicts the operator still owes. */
  verdictsWaiting(): readonly string[]
  /** Those of them that this session asked for, or could not do without (OPUI-801). */
  verdictsNeeded(): readonly string[]
  /** Questions that take typed lines; null unless they are asked that way. */
  readonly questions: GateHost['questions']
  /** Resolves when nothing is under way, no question is open, and nothing more will start by itself. */
  idle(): Promise<void>
  /** Resolves when typed lines are taken: by an open question, or because it is idle. */
  listening(): Promise<void>
  /** Shuts down in order (SESS-140) and says how it ended; the same end however often it is asked. */
  close(how: { readonly signal: NodeJS.Signals | null }): Promise<ProgramEnd>
  /** The last sync of an ending program is skipped (SESS-142). */
  hurry(): void
  /** The session ended, by command or by `close`. Rejects on a bug or when the store fails. */
  readonly ended: Promise<ProgramEnd>
}

export type ProgramOptions = {
  readonly asking: Asking
}

/** Opens what INIT steps 6 to 19 need and starts the session. Throws typed failures (a store that cannot be opened). */
export async function openProgram(started: Started, bus: Bus, { asking }: ProgramOptions): Promise<Program> {
  const { config, env, clock, root, workdir, log, session: id } = started
  const stateDir = join(root, '.ghyll', 'state')
  await mkdir(stateDir, { recursive: true, mode: 0o700 })
  const store = await openStore(started, (told) => say({ kind: 'notice', ...told }))
  store.subscribe((event) => bus.publish(event))
  const tell = (event: TransientEvent) => bus.publish(event)
  const say: Say = (event) => tell({ ...event, session: id, at: clock.now() } as TransientEvent)

  const children = createChildren()
  const forgetChildren = children.killOnExit(process)
  const client = createModelClient({
    models: config.models,
    keyFor: (model) => resolveApiKey(model, env),
    clock,
    log: (line) => log.info(line)
  })
  const tools = createTools({
    workdir,
    root,
    stateDir,
    config: config.tools,
    version,
    children,
    redact: started.conceal,
    clock,
    env: { ...env },
    ...(env.HOME === undefined ? {} : { home: env.HOME })
  })
  const workflow = await openWorkflow({
    globalFolder: started.paths.folder,
    repository: root,
    fallbackFolders: config.workflow.fallbackFolders,
    budgetTokens: config.workflow.instructionBudgetTokens,
    log: (line) => log.warn(line)
  })

  const notice = (level: NoticeLevel, text: string) => say({ kind: 'notice', level, text })
  const memory = await openSessionMemory(started, {
    tell: notice,
    mark: (mark, text) => say({ kind: 'mark-set', mark, text })
  })
  const ids = { entry: () => entryId(uniqueId('e')), step: () => stepId(uniqueId('s')) }
  const { random } = Math
  const logged = (line: string) => log.info(line)
  const gate = await openGateHost({
    started,
    children,
    models: {
      ports: { clock, ids, model: client, tools, random, log: logged },
      models: config.models,
      workdir,
      record: (items) => session.keep(items)
    },
    say,
    asking,
    isLeaving
  })

  for (const { level, text } of started.notices) say({ kind: 'notice', level, text })
  for (const [mark, text] of Object.entries(started.marks)) say({ kind: 'mark-set', mark, text })
  for (const { level, text } of workflow.notices()) say({ kind: 'notice', level, text })

  const exporting = exportCommand({
    workdir,
    home: env.HOME,
    unnamed: join(stateDir, `ghyll-${id}.md`),
    entries: () => store.older(id, null, Number.MAX_SAFE_INTEGER - 1).entries
  })
  const session = createSession(
    {
      clock,
      ids,
      store,
      tell,
      model: client,
      tools,
      checkpoints: memory.checkpoints,
      drift: memory.drift,
      ...(started.resume ? { resume: { find: memory.resume } } : {}),
      gate: gate.port,
      workflow,
      random,
      redact: started.redact,
      log: logged
    },
    { ...sessionOptions(started), commands: [...gate.commands, exporting] }
  )
  followHeader(bus, session, started, say)

  /** The session is closed and what it stood on is being closed, behind a screen that is still there. */
  const over = new AbortController()
  const sources = {
    env: { ...env },
    signal: over.signal,
    prompts: openPromptStore(stateDir),
    paths: createPathFinder(workdir, () => clock.now()),
    older: (entry: string, limit: number) => store.older(id, entry, limit),
    keepCopy: (text: string) => keepCopy(stateDir, text),
    log: (text: string) => log.warn(text)
  }

  let signalled: NodeJS.Signals | null = null
  const hurried = new AbortController()
  const ended = finish()
  ended.catch(() => undefined) // whoever asks for the end hears of it; nobody else needs to

  bus.subscribe(gate.follow)
  // What the gate found comes first, then what the session found, then the prompt.
  gate.start()
  session.start()
  const isQuiet = () => isIdle(session.state()) && gate.isQuiet()
  return {
    dispatch: createDispatch({ session, gate, sources, say, isOver: () => over.signal.aborted, leave }),
    session,
    verdictsWaiting: gate.waiting,
    verdictsNeeded: gate.needed,
    questions: gate.questions,
    idle: () => becomesTrue(bus, isQuiet),
    listening: () => becomesTrue(bus, () => gate.questions?.asking() != null || isQuiet()),
    close,
    hurry: () => hurried.abort(),
    ended
  }

  function isLeaving(): boolean {
    return session.state().run.leaving !== null
  }

  /** Once more while it is leaving: what can be skipped is (SESS-142). */
  function leave(): void {
    if (isLeaving()) hurried.abort()
    else void close({ signal: null })
  }

  function close(how: { readonly signal: NodeJS.Signals | null }): Promise<ProgramEnd> {
    signalled ??= how.signal
    session.shutdown({ signal: signalled !== null }).catch(() => undefined) // `ended` tells
    return ended
  }

  /** The session's end, and then everything's, in reverse order; only then the screen hears that it is over (SESS-140). */
  async function finish(): Promise<ProgramEnd> {
    const end = await untilClosed()
    say({ kind: 'ended', lines: end.lines, exitCode: end.exitCode })
    return end
  }

  async function untilClosed(): Promise<ProgramEnd> {
    try {
      return endOf(await session.ended, { signal: signalled, canBeResumed: started.canBeResumed })
    } finally {
      over.abort()
      await gate.close()
      say({ kind: 'waiting-changed', waiting: { what: 'sync', label: 'last sync', since: clock.now(), count: null } })
      await memory.close(hurried.signal)
      children.killAll()
      forgetChildren()
      await client.close()
      closeStore(store, log.error)
    }
  }
}

function uniqueId(prefix: string): string {
  return `${prefix}-${randomBytes(8).toString('hex')}`
}

async function keepCopy(stateDir: string, text: string): Promise<string> {
  const path = join(stateDir, 'copied.txt')
  await writeFile(path, text, { mode: 0o600 })
  return path
}
