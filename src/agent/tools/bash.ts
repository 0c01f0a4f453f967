import { z } from 'zod'
import description from './bash.md'
import { runInWorkdir, shellYield } from './shell.ts'
import { defineTool } from './tool.ts'

/** A command line in the working directory, by bash or, where there is none, by sh (TOOL-020). */
export const bash = defineTool({
  name: 'bash',
  description,
  schema: z.object({ command: z.string().describe('Command line for the shell') }),
  bind(host) {
    let hasNoted = false
    return async ({ command }, run) => {
      const args = ['-c', command]
      const outcome = await runInWorkdir(host, run, { file: 'bash', args })
      if (outcome.end.kind !== 'not-started' || outcome.end.code !== 'ENOENT')
        return shellYield(outcome, 'command', host.config.bashTimeoutSeconds)

      // No bash here, or no working directory any more: in that case sh fails in the same way (TOOL-020).
      const yielded = await shellYield(
        await runInWorkdir(host, run, { file: 'sh', args }),
        'command',
        host.config.bashTimeoutSeconds
      )
      if (yielded.meta?.kind === 'not-found' || hasNoted) return yielded
      hasNoted = true
      return { ...yielded, output: `[bash not found, sh is used instead]\n${yielded.output ?? ''}` }
    }
  }
})
