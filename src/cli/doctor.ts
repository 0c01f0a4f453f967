import { messageOf } from '../lib/error.ts'
import { visibleLine } from '../lib/safe-text.ts'
import type { DoctorCheck, DoctorResult } from './handlers.ts'
import type { Subcommand } from './subcommand.ts'

const glyphs = { ok: '✓', note: 'ℹ', failed: '✗' } as const

/** `ghyll doctor` (CLI-022): one line per check; exit 1 when one failed. */
export const doctorCommand: Subcommand = (program, { act, io, handlers }) => {
  program
    .command('doctor')
    .description('check the configuration, the tools around and the servers it names')
    .action(
      act(async () => {
        const { doctorChecks } = await import('./doctor-checks.ts')
        const checks = await doctorChecks(io, handlers)
        // All at once, told in order: a server that does not answer delays only what comes after it.
        const results = checks.map((check) => outcome(check))
        let failed = false
        for (const [n, check] of checks.entries()) {
          const { status, text } = (await results[n]) as DoctorResult
          failed ||= status === 'failed'
          io.out(`${glyphs[status]} ${check.name.padEnd(20)} ${visibleLine(text)}\n`)
        }
        return failed ? 1 : 0
      })
    )
}

async function outcome(check: DoctorCheck): Promise<DoctorResult> {
  try {
    return await check.run()
  } catch (error) {
    return { status: 'failed', text: messageOf(error) }
  }
}
