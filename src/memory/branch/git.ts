import { type SimpleGitOptions, simpleGit } from 'simple-git'
import type { Environment } from '../../config/index.ts'
import { messageOf } from '../../lib/error.ts'
import { MemoryFailure } from '../errors.ts'

/** Runs git in one folder (MEM-070). Calls of one runner may overlap. */
export interface GitRunner {
  /**
   * Standard output. `input` goes to standard input. Throws `MemoryFailure` `sync` when git ends otherwise than with 0, takes too long or
   * is aborted.
   */
  run(args: readonly string[], input?: string): Promise<string>
  /** Standard output, or null when git says no by its exit code. Throws for a time limit, an abort, a signal, or no git at all. */
  try(args: readonly string[]): Promise<string | null>
  /** The same git in another folder. */
  in(folder: string): GitRunner
  /** The same git, ended as soon as the signal aborts. */
  until(signal: AbortSignal): GitRunner
}

export type GitOptions = {
  readonly env: Environment
  readonly timeLimitMs?: number
  readonly signal?: AbortSignal
  /** `setsid` is there, and git is started by it: a Ctrl+C in the terminal, meant for this program, does not reach git as well. */
  readonly apart?: boolean
}

const defaultTimeLimitMs = 30_000
/** How long git may take to end once it is told to; one that does not is left behind. */
const graceMs = 1000

// Nothing of the user's set-up may run, ask or change what is written: hooks, signing, line ends, filters by attribute, sparse
// checkouts, housekeeping, monitors. Links on the branch are checked out as plain files: nothing written there leads elsewhere.
const settings = [
  'core.hooksPath=/dev/null',
  'commit.gpgsign=false',
  'user.name=ghyll',
  'user.email=ghyll@local',
  'author.name=ghyll',
  'author.email=ghyll@local',
  'committer.name=ghyll',
  'committer.email=ghyll@local',
  'core.autocrlf=false',
  'core.safecrlf=false',
  'core.attributesFile=/dev/null',
  'core.sparseCheckout=false',
  'core.symlinks=false',
  'core.fsmonitor=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'remote.origin.mirror=false',
  'push.followTags=false',
  'push.gpgSign=false',
  'push.recurseSubmodules=no',
  'fetch.recurseSubmodules=no',
  'advice.detachedHead=false'
]
// What would make git work on something else than the folder it is run in, or change what its commands print.
const dropped =
  /^(GIT_(DIR|WORK_TREE|IMPLICIT_WORK_TREE|INDEX_FILE|INDEX_VERSION|COMMON_DIR|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|QUARANTINE_PATH|NAMESPACE|PREFIX|CEILING_DIRECTORIES|SHALLOW_FILE|GRAFT_FILE|REPLACE_REF_BASE|ATTR_SOURCE|[A-Z]+_PATHSPECS|EXTERNAL_DIFF|DIFF_OPTS|EDITOR|SEQUENCE_EDITOR|PAGER|AUTHOR_.*|COMMITTER_.*|TRACE.*|REFLOG_ACTION)|EDITOR|VISUAL|PAGER|PREFIX|LANGUAGE|LC_.*)$/

/** Git in `folder`, with none of the user's hooks, signing or line ends; no call asks anything on the terminal (MEM-070). */
export function gitIn(folder: string, options: GitOptions): GitRunner {
  return {
    async run(args, input) {
      const { exitCode, output, complaint } = await execute(folder, args, options, input)
      if (exitCode === 0) return output
      throw failure(args, complaint || endText(exitCode))
    },
    async try(args) {
      const { exitCode, output, complaint } = await execute(folder, args, options)
      if (exitCode === 0) return output
      // A shell's two codes for a program that could not be run are no answer of git's; neither is a signal.
      if (exitCode === null || exitCode === 126 || exitCode === 127) throw failure(args, complaint || endText(exitCode))
      return null
    },
    in: (other) => gitIn(other, options),
    until: (signal) => gitIn(folder, { ...options, signal })
  }
}

type Ended = { readonly exitCode: number | null; readonly output: string; readonly complaint: string }

/** Where git shares the terminal's interrupt, one that nobody here meant for it must not tear a sync: the command is run again, once. */
async function execute(folder: string, args: readonly string[], options: GitOptions, input?: string): Promise<Ended> {
  const first = await runOnce(folder, args, options, input)
  return first.exitCode === null ? runOnce(folder, args, options, input) : first
}

async function runOnce(folder: string, args: readonly string[], options: GitOptions, input?: string): Promise<Ended> {
  let exitCode: number | null = -1
  let complaint = ''
  try {
    const git = simpleGit({
      ...clientOptions(folder, options),
      ...(input === undefined ? {} : { input: () => input }),
      // Every exit code is an answer here, whether or not something stands on standard error. Null is a signal's end; `error` is there
      // when the signal was ours, for a time limit or an abort.
      errors: (error, result: { exitCode: number | null; stdErr: Buffer[] }) => {
        exitCode = result.exitCode
        complaint = Buffer.concat(result.stdErr).toString('utf8').trim()
        return exitCode !== null && exitCode > 0 ? undefined : error
      }
    }).env(environment(options.env))
    const output = await ended(git.raw([...args]), args, options)
    return { exitCode, output, complaint }
  } catch (error) {
    if (error instanceof MemoryFailure) throw error
    throw failure(args, messageOf(error).split('\n', 1)[0] ?? '', error)
  }
}

/** What git said, however it takes being told to end: a wrapper or a file system may keep a process for as long as it likes. */
function ended(
  work: Promise<string>,
  args: readonly string[],
  { timeLimitMs = defaultTimeLimitMs, signal }: GitOptions
): Promise<string> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(failure(args, 'does not end'))
    const timers = [setTimeout(leave, timeLimitMs + graceMs)]
    const hurry = () => void timers.push(setTimeout(leave, graceMs))
    signal?.addEventListener('abort', hurry, { once: true })
    work.then(resolve, reject).finally(() => {
      for (const timer of timers) clearTimeout(timer)
      signal?.removeEventListener('abort', hurry)
    })
  })
}

function clientOptions(baseDir: string, { env, timeLimitMs = defaultTimeLimitMs, signal, apart }: GitOptions) {
  const options: Partial<SimpleGitOptions> = {
    baseDir,
    binary: apart === true ? ['setsid', 'git'] : 'git',
    config: settings,
    timeout: { block: timeLimitMs, stdOut: false, stdErr: false },
    allowEnvironment: Object.keys(environment(env)),
    // The options and variables this guards are the user's own environment or stand above; none comes from a repository.
    unsafe: {
      allowUnsafeHooksPath: true,
      allowUnsafeFsMonitor: true,
      allowUnsafeAskPass: true,
      allowUnsafeSshCommand: true,
      allowUnsafeConfigPaths: true,
      allowUnsafeConfigEnvCount: true,
      allowUnsafeExec: true,
      allowUnsafeGitProxy: true,
      allowUnsafeTemplateDir: true,
      allowUnsafeAlias: true,
      allowUnsafeCredentialHelper: true,
      allowUnsafeGpgProgram: true,
      allowUnsafeInclude: true,
      allowUnsafeProtocolOverride: true,
      allowUnsafeUrlRewrite: true
    }
  }
  return signal === undefined ? options : { ...options, abort: signal }
}

function environment(env: Environment): Record<string, string> {
  const kept = Object.entries(env).filter(([name, value]) => value !== undefined && !dropped.test(name))
  return {
    // ssh would ask for a passphrase on the terminal that the screen has taken over; this program answers no.
    SSH_ASKPASS: 'false',
    SSH_ASKPASS_REQUIRE: 'force',
    ...(Object.fromEntries(kept) as Record<string, string>),
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C'
  }
}

const endText = (exitCode: number | null) => (exitCode === null ? 'ended by a signal' : `exit code ${exitCode}`)

function failure(args: readonly string[], problem: string, cause?: unknown): MemoryFailure {
  const [operation = 'git'] = args
  // The URL of a remote may hold a password.
  const shown = problem
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/\/\/[^/@\s]*@/g, '//')
    .slice(0, 500)
  return new MemoryFailure('sync', `git ${operation}: ${shown}`, { operation }, { cause })
}
