import { numberArg, optionalText, textArg } from './args.ts'
import type { Machine } from './machine.ts'
import { recordedTail } from './mask.ts'
import { openRegular, projectPath } from './project-path.ts'
import { evaluator, failed, passed, Undecided, undecidedByCancel } from './result.ts'
import { quoted, runShell } from './shell.ts'

const checkTimeoutMs = 30_000
const checkOutputBytes = 4 * 1024 * 1024

/** The artifact the arrow hands over exists, is a real file, and passes its check (CONC-79, CONC-80). */
export const arrowArtifactPresent = (machine: Machine) =>
  evaluator(async (context) => {
    const path = textArg(context.args, 'artifact-path')
    const place = await projectPath(context.projectDir, path)
    if (place.kind === 'outside') return failed({ exists: false, error: 'path outside the project' })
    if (place.kind === 'link') return failed({ exists: false, error: 'path leads through a symbolic link' })
    const opened = await openRegular(place.full)
    if (opened.kind !== 'file') return failed({ exists: opened.kind !== 'absent', error: trouble[opened.kind] })
    await opened.handle.close()

    const found = { exists: true, 'size-bytes': opened.size }
    const least = numberArg(context.args, 'min-size-bytes')
    if (opened.size < least) return failed({ ...found, error: `smaller than ${least} bytes` })
    const command = optionalText(context.args, 'schema-check')
    if (command === null) return passed(found)

    const { end, stdout, stderr } = await runShell(machine, context, {
      command: `${command} ${quoted(place.full)}`,
      timeoutMs: checkTimeoutMs,
      stdoutBytes: checkOutputBytes
    })
    if (end.kind === 'timed-out')
      throw new Undecided('evaluator-timeout', 'evaluator-timeout', { ...found, 'timed-out-after': '30s' })
    if (end.kind === 'interrupted') throw undecidedByCancel()
    if (end.kind === 'exited' && end.code === 0) return passed({ ...found, 'schema-valid': true })
    return failed({
      ...found,
      'schema-valid': false,
      error: 'schema-check failed',
      ...(end.kind === 'exited' ? { 'exit-code': end.code } : { ended: end.kind }),
      output: recordedTail(`${stdout}${stderr}`)
    })
  })

const trouble = {
  absent: 'does not exist',
  link: 'is a symbolic link',
  special: 'is not a regular file',
  unreadable: 'is not readable'
} as const
