import { z } from 'zod'
import { splitShellWords } from '../../lib/shell-words.ts'
import { ToolFailure } from './errors.ts'
import description from './git.md'
import { parseCommitOptions, parseGitCommand } from './git-commit.ts'
import { runInWorkdir, shellYield, toolEnvironment } from './shell.ts'
import { defineTool, type ToolHost, type ToolRun } from './tool.ts'

/** For the small questions asked before a commit. */
const questionSeconds = 5
/** `git commit --trailer` exists since git 2.32. */
const trailerVersion = [2, 32] as const

/** Runs git without a shell and marks the commits it makes (TOOL-050…054). */
export const git = defineTool({
  name: 'git',
  description,
  schema: z.object({ args: z.string().describe('Arguments, quoted as in a shell, e.g. diff HEAD~1') }),
  bind(host) {
    const knowsTrailer = trailerSupport(host)
    return async ({ args }, run) => {
      const split = splitShellWords(args)
      if ('fault' in split)
        throw new ToolFailure(
          'invalid-args',
          `failed to parse git arguments: ${split.fault} at character ${split.at + 1}`
        )
      const words = split.words[0] === 'git' ? split.words.slice(1) : split.words
      const withTrailers = await addTrailers(words, host, run, knowsTrailer)
      const outcome = await runInWorkdir(host, run, { file: 'git', args: withTrailers, env: gitEnvironment(host.env) })
      return shellYield(outcome, 'git command', host.config.bashTimeoutSeconds)
    }
  }
})

/** No editor opens: what needs one takes the text it is given (TOOL-053). */
function gitEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { GIT_EDITOR: 'true', GIT_SEQUENCE_EDITOR: 'true', ...toolEnvironment(env) }
}

/** Marks a commit with the version and the model it was made by (TOOL-054, MODEL-090); all else is left as it is. */
async function addTrailers(
  words: readonly string[],
  host: ToolHost,
  run: ToolRun,
  knowsTrailer: (run: ToolRun) => Promise<boolean>
): Promise<readonly string[]> {
  const { globals, subcommand, rest } = parseGitCommand(words)
  if (subcommand !== 'commit') return words
  const { isAmend, afterMessage, texts } = parseCommitOptions(rest)
  if (texts.some(hasOwnTrailer)) return words
  if (isAmend && !hasOwnTrailer(await lastMessage(globals, host, run))) return words

  const trailers = trailersOf(host.version, run.stamp)
  if (await knowsTrailer(run))
    return [...globals, ...replaceOwn, 'commit', ...trailers.flatMap((trailer) => ['--trailer', trailer]), ...rest]
  if (afterMessage === null) return words
  return [...globals, 'commit', ...rest.slice(0, afterMessage), '-m', trailers.join('\n'), ...rest.slice(afterMessage)]
}

// Amending a commit of ours replaces its marks instead of adding a second pair.
const replaceOwn = ['Ghyll-Version', 'Ghyll-Model'].flatMap((key) => {
  const name = key.toLowerCase()
  return ['-c', `trailer.${name}.key=${key}`, '-c', `trailer.${name}.ifexists=replace`]
})

const hasOwnTrailer = (text: string) => /^ghyll-(?:version|model)\s*[:=]/im.test(text)

function trailersOf(version: string, stamp: string): readonly string[] {
  const label = stamp.replace(/\p{Cc}/gu, '').trim()
  return [`Ghyll-Version: ${version}`, ...(label === '' ? [] : [`Ghyll-Model: ${label}`])]
}

async function lastMessage(globals: readonly string[], host: ToolHost, run: ToolRun): Promise<string> {
  return ask([...globals, 'log', '-1', '--format=%B'], host, run)
}

/** Whether this machine's git can add trailers by itself; asked once. */
function trailerSupport(host: ToolHost): (run: ToolRun) => Promise<boolean> {
  let answer: boolean | undefined
  return async (run) => {
    if (answer === undefined) {
      const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(await ask(['version'], host, run)) ?? []
      answer =
        Number(major) > trailerVersion[0] || (Number(major) === trailerVersion[0] && Number(minor) >= trailerVersion[1])
    }
    return answer
  }
}

async function ask(args: readonly string[], host: ToolHost, run: ToolRun): Promise<string> {
  const silent = { ...run, onProgress: () => undefined }
  const outcome = await runInWorkdir(host, silent, {
    file: 'git',
    args,
    env: gitEnvironment(host.env),
    timeoutSeconds: Math.min(questionSeconds, host.config.bashTimeoutSeconds)
  })
  return outcome.stdout.bytes.toString()
}
