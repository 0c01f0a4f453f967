import { mkdirSync, realpathSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  type Config,
  type Environment,
  type HomePaths,
  homePaths,
  knownSecrets,
  seedHomeFiles
} from '../config/index.ts'
import type { Clock } from '../lib/clock.ts'
import { messageOf } from '../lib/error.ts'
import { conceal, redact } from '../lib/redact.ts'
import { excludeFromGit } from '../platform/git-exclude.ts'
import type { Lock } from '../platform/lockfile.ts'
import { type Logger, logSettings, logTo, openLog } from '../platform/log.ts'
import { currentBranch, findRepository, lockPathOf, type Repository } from '../platform/repository.ts'
import { applySandboxPolicy, detectSandbox, systemSandboxProbe } from '../platform/sandbox.ts'
import type { NoticeLevel } from '../protocol/event.ts'
import type { SessionId } from '../protocol/ids.ts'
import { StartFailure } from './errors.ts'
import { deviceId, newSessionId } from './identity.ts'
import { holdLock } from './session-lock.ts'

export type StartOptions = {
  readonly dir: string
  /** `--model`: locks routing for the whole process (CLI-030). */
  readonly model: string | null
  /** `--resume` (SESS-120). */
  readonly resume?: boolean
  readonly config: Config
  readonly env: Environment
  readonly clock: Clock
  /** A session in a folder that goes away with it: what it says first. There is nothing to resume afterwards. */
  readonly throwAway?: { readonly greeting: string }
}

export type StartNotice = { readonly level: NoticeLevel; readonly text: string }

/** What stands before the screen is taken over: INIT steps 2 to 5, and the check of step 12 (SESS-027). */
export type Started = {
  readonly config: Config
  readonly env: Environment
  readonly clock: Clock
  readonly paths: HomePaths
  /** Absolute, without symbolic links. */
  readonly workdir: string
  /** Top of the git work tree, else the working directory. */
  readonly root: string
  readonly repository: Repository | null
  readonly branch: string | null
  readonly session: SessionId
  readonly model: string
  readonly locked: boolean
  /** Go on from the last checkpoint. */
  readonly resume: boolean
  /** Its folder is still there afterwards, and so is what a resume needs. */
  readonly canBeResumed: boolean
  readonly log: Logger
  /** To be shown once somebody listens, in order. */
  readonly notices: readonly StartNotice[]
  /** Marks of the status line: name to text (CFG-053). */
  readonly marks: Readonly<Record<string, string>>
  /** Takes the keys this process knows, and what looks like one, out of a text. */
  redact(text: string): string
  /** Takes the known keys alone out of a text, for tool results, which a model has to be able to quote (MODEL-066). */
  conceal(text: string): string
  /** Makes the lock again where somebody removed it under way. */
  renewLock(): void
  /** Gives the lock back and closes the log; safe to call again. */
  release(): void
}

/** Does these steps in their order or throws `StartFailure`; nothing is left behind then. */
export function start(options: StartOptions): Started {
  const { config, env, clock } = options
  const workdir = resolveDirectory(options.dir)
  const model = options.model ?? config.routing.defaultModel
  if (!Object.hasOwn(config.models, model)) {
    throw new StartFailure('model-not-configured', `model "${model}" not configured`)
  }

  const notices: StartNotice[] = []
  const warn = (text: string) => notices.push({ level: 'warning', text })
  const paths = homePaths(env)
  const seeding = seedHomeFiles(paths.folder)
  if (seeding.notice !== null) notices.push({ level: 'info', text: seeding.notice })
  if (seeding.warning !== null) warn(seeding.warning)

  const repository = findRepository(workdir)
  const root = repository?.root ?? workdir
  const lock = takeLock(workdir)
  if (lock.reclaimedFrom !== null) warn(`reclaimed stale lock (pid ${lock.reclaimedFrom})`)

  try {
    makeFolders(root)
    const session = newSessionId(deviceId(env), clock)
    const secrets = knownSecrets(config, env)
    const redactKnown = (text: string) => redact(text, secrets)
    const log = startLog(root, session, env, redactKnown, warn)
    const sandbox = checkSandbox(env, notices, log)
    if (repository !== null) tryExclude(repository, warn)
    for (const text of config.warnings) warn(text)
    if (options.throwAway !== undefined) notices.push({ level: 'info', text: options.throwAway.greeting })

    return {
      config,
      env,
      clock,
      paths,
      workdir,
      root,
      repository,
      branch: repository === null ? null : currentBranch(repository),
      session,
      model,
      locked: options.model !== null,
      resume: options.resume === true,
      canBeResumed: options.throwAway === undefined,
      log,
      notices,
      marks: sandbox,
      redact: redactKnown,
      conceal: (text) => conceal(text, secrets),
      renewLock() {
        if (!lock.renew()) log.error(`${lock.path} is somebody else's now`)
      },
      release() {
        log.close()
        lock.release()
      }
    }
  } catch (thrown) {
    lock.release()
    throw thrown
  }
}

function resolveDirectory(dir: string): string {
  const path = resolve(dir)
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats?.isDirectory() !== true) throw new StartFailure('not-a-directory', `not a directory: ${dir}`)
  return realpathSync(path)
}

function takeLock(workdir: string): Lock {
  const path = lockPathOf(workdir)
  try {
    return holdLock(path, 'leave the other session, or work in another repository')
  } catch (thrown) {
    if (thrown instanceof StartFailure) throw thrown
    throw new StartFailure('lock-unavailable', `cannot take ${path}: ${messageOf(thrown)}`, { cause: thrown })
  }
}

/** `.ghyll` and its `state`, which nobody else reads. */
function makeFolders(root: string): void {
  const folder = join(root, '.ghyll')
  try {
    mkdirSync(folder, { recursive: true })
    mkdirSync(join(folder, 'state'), { recursive: true, mode: 0o700 })
  } catch (thrown) {
    throw new StartFailure('state-unavailable', `cannot use ${folder}: ${messageOf(thrown)}`, {
      cause: thrown,
      hint: 'it has to be a folder that you can write to'
    })
  }
}

function startLog(
  root: string,
  session: SessionId,
  env: Environment,
  redactKnown: (text: string) => string,
  warn: (text: string) => void
): Logger {
  const { level, format, warning } = logSettings(env)
  if (warning !== null) process.stderr.write(`${warning}\n`)
  const options = { level, format, session, redact: redactKnown }
  try {
    return openLog(join(root, '.ghyll', 'ghyll.log'), options)
  } catch (thrown) {
    warn(messageOf(thrown))
    return logTo((line) => process.stderr.write(line), options)
  }
}

function checkSandbox(env: Environment, notices: StartNotice[], log: Logger): Readonly<Record<string, string>> {
  const sandbox = detectSandbox(systemSandboxProbe(env))
  const verdict = applySandboxPolicy(sandbox, env)
  if (verdict.kind === 'refuse') throw new StartFailure('sandbox-required', verdict.text)
  if (sandbox.kind === 'assumed-safe') log.warn(verdict.text)
  notices.push({ level: verdict.level, text: verdict.text })
  return verdict.marked ? { sandbox: 'no sandbox' } : {}
}

function tryExclude(repository: Repository, warn: (text: string) => void): void {
  try {
    excludeFromGit(repository)
  } catch (thrown) {
    warn(`could not add ghyll's files to git's exclude file: ${messageOf(thrown)}`)
  }
}
