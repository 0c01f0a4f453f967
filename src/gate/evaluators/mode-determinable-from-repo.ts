import type { EvaluationContext } from '../../protocol/evaluation.ts'
import { textArg, textsArg } from './args.ts'
import type { Machine } from './machine.ts'
import { masked, recordedTail, recordedText } from './mask.ts'
import { openRegular, projectPath } from './project-path.ts'
import { evaluator, failed, passed, Undecided, undecidedByCancel } from './result.ts'
import { runShell } from './shell.ts'

const ruleTimeoutMs = 30_000
const ruleOutputBytes = 1024 * 1024
const maxFileBytes = 256 * 1024

/** What a rule answered, or why there is no answer. */
type Answer =
  | { readonly mode: string }
  | { readonly error: string; readonly details?: Readonly<Record<string, unknown>> }

/** The repository alone tells the mode (CONC-84, CONC-85). */
export const modeDeterminableFromRepo = (machine: Machine) =>
  evaluator(async (context) => {
    const valid = textsArg(context.args, 'valid-modes')
    const answer = await ask(machine, context)
    if ('error' in answer) return failed({ mode: '', error: answer.error, ...answer.details })
    const mode = recordedText(answer.mode)
    if (answer.mode === '') return failed({ mode, error: 'no mode given' })
    return valid.includes(answer.mode) ? passed({ mode }) : failed({ mode, error: 'unknown mode' })
  })

function ask(machine: Machine, context: EvaluationContext): Promise<Answer> {
  const rule = textArg(context.args, 'rule').trim()
  if (rule === 'builtin:profile') return machine.profile(context.projectDir, context.signal).then((mode) => ({ mode }))
  const discriminator = textArg(context.args, 'discriminator')
  if (rule.startsWith('file:')) return askFile(context, rule.slice('file:'.length).trim(), discriminator)
  return askCommand(machine, context, rule, discriminator)
}

async function askFile({ projectDir }: EvaluationContext, path: string, discriminator: string): Promise<Answer> {
  const place = await projectPath(projectDir, path)
  if (place.kind === 'outside') throw new Undecided('evaluator-error', `path outside the project: ${path}`)
  if (place.kind === 'link') throw new Undecided('evaluator-error', `path leads through a symbolic link: ${path}`)
  const opened = await openRegular(place.full)
  if (opened.kind === 'link') throw new Undecided('evaluator-error', `a symbolic link: ${path}`)
  if (opened.kind !== 'file') return { error: `${path}: ${opened.kind}` }
  try {
    if (opened.size > maxFileBytes) return { error: `${path}: larger than ${maxFileBytes} bytes` }
    const text = await opened.handle.readFile('utf8')
    const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
    const named = namedValue(text, discriminator)
    if (named !== null) return { mode: named }
    return lines.length > 1 ? { error: `${path}: no line "${discriminator}: …"` } : { mode: unquoted(lines[0] ?? '') }
  } finally {
    await opened.handle.close()
  }
}

async function askCommand(
  machine: Machine,
  context: EvaluationContext,
  command: string,
  discriminator: string
): Promise<Answer> {
  const { end, stdout, stderr } = await runShell(machine, context, {
    command,
    timeoutMs: ruleTimeoutMs,
    stdoutBytes: ruleOutputBytes
  })
  switch (end.kind) {
    case 'timed-out':
      throw new Undecided('evaluator-timeout', 'evaluator-timeout', { 'timed-out-after': '30s' })
    case 'interrupted':
      throw undecidedByCancel()
    case 'exited':
      if (end.code === 0) return { mode: namedValue(stdout, discriminator) ?? stdout.trim() }
      return { error: 'rule failed', details: { 'exit-code': end.code, stderr: recordedTail(stderr) } }
    case 'signalled':
      return { error: 'evaluator-killed-by-signal', details: { signal: end.signal } }
    case 'overflowed':
      return { error: 'evaluator-output-oversized' }
    case 'not-started':
      return { error: `evaluator-spawn-failed: ${masked(end.message)}` }
  }
}

/** The value of the first `<discriminator>: <value>` line, or null. */
function namedValue(text: string, discriminator: string): string | null {
  for (const line of text.split(/\r?\n/)) {
    const trimmed = line.trim()
    if (!trimmed.startsWith(discriminator)) continue
    const rest = trimmed.slice(discriminator.length).trimStart()
    if (rest.startsWith(':')) return unquoted(rest.slice(1))
  }
  return null
}

function unquoted(text: string): string {
  const trimmed = text.trim()
  return /^(["']).*\1$/.test(trimmed) && trimmed.length > 1 ? trimmed.slice(1, -1).trim() : trimmed
}
