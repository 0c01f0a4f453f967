import { stat } from 'node:fs/promises'
import { z } from 'zod'
import { countText } from '../../lib/count-text.ts'
import { findProgram } from '../../platform/find-program.ts'
import { notRegular } from './errors.ts'
import description from './grep.md'
import { resolvePath, shownPath } from './paths.ts'
import { runInWorkdir, shellYield } from './shell.ts'
import { defineTool, type ToolYield } from './tool.ts'

const maxMatches = 1000
/** As ripgrep's `--max-columns`; grep has no such option. */
const maxColumns = 500

const ripgrepOptions = [
  '--no-config',
  '--line-number',
  '--with-filename',
  '--no-heading',
  '--color=never',
  `--max-columns=${maxColumns}`,
  '--hidden',
  '--glob=!.git'
]
/** Where the session keeps whole outputs and drafts: left out of a search, unless it is asked for by its path (TOOL-012, TOOL-062). */
const stateFolder = '.ghyll/state'
const grepOptions = ['-rnEH', '--binary-files=without-match', '--exclude-dir=.git', '--exclude-dir=node_modules']

/** Lines that match a regular expression, by ripgrep or grep (TOOL-060…064). */
export const grep = defineTool({
  name: 'grep',
  description,
  schema: z.object({
    pattern: z.string().describe('Regular expression'),
    path: z.string().optional().describe('File or folder to search; the working directory when omitted')
  }),
  bind: (host) => async (args, run) => {
    const place = resolvePath(args.path ?? '.', host)
    await refuseSpecial(place, args.path ?? '.')
    const path = shownPath(place, host)
    const isInState = /(?:^|\/)\.ghyll\/state(?:\/|$)/.test(path)
    const scope = isInState ? '--no-ignore' : `--glob=!${stateFolder}`
    const hasRipgrep = host.config.preferRipgrep && (await findProgram('rg', host.env)) !== null
    const outcome = await runInWorkdir(host, run, {
      file: hasRipgrep ? 'rg' : 'grep',
      // As an argument of -e and behind --, neither pattern nor path can be taken for an option (TOOL-061).
      args: [...(hasRipgrep ? [...ripgrepOptions, scope] : grepOptions), '-e', args.pattern, '--', path]
    })
    const yielded = await shellYield(outcome, 'grep', host.config.bashTimeoutSeconds)
    const { text, matches } = matchLines(yielded.output ?? '', isInState)
    // Exit 1 means that nothing matched (TOOL-063).
    if (yielded.meta?.exitCode === 1) return { output: '', meta: { exitCode: 1, summary: 'no matches' } }
    const summary = yielded.meta?.kind === undefined ? countText(matches, 'match', 'matches') : yielded.meta.summary
    return {
      ...yielded,
      output: text,
      meta: { ...yielded.meta, ...(summary === undefined ? {} : { summary }) }
    } satisfies ToolYield
  }
})

/** A pipe or device would be read until the time limit; what is not there is left to the program to tell. */
async function refuseSpecial(path: string, shown: string): Promise<void> {
  const stats = await stat(path).catch(() => null)
  if (stats !== null && !stats.isFile() && !stats.isDirectory()) throw notRegular(shown)
}

/** The first thousand match lines with paths as `glob` shows them (TOOL-064), and how many there were. */
function matchLines(output: string, isInState: boolean): { readonly text: string; readonly matches: number } {
  const lines = output
    .split('\n')
    .map((line) => (line.startsWith('./') ? line.slice(2) : line))
    .filter((line) => line !== '' && (isInState || !line.startsWith(`${stateFolder}/`)))
  const shown = lines.slice(0, maxMatches).map(cutColumns)
  if (lines.length > maxMatches) shown.push(`[… ${lines.length - maxMatches} more matches]`)
  return { text: shown.join('\n'), matches: lines.length }
}

function cutColumns(line: string): string {
  // ripgrep's own limit counts the match alone, so that a path in front may exceed it.
  return line.length <= 4 * maxColumns
    ? line
    : `${line.slice(0, maxColumns)} [… ${line.length - maxColumns} more characters]`
}
