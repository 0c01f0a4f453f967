import { z } from 'zod'
import { unreachable } from '../../lib/assert.ts'
import { applyEdit, type EditOutcome } from './apply-edit.ts'
import { seconds, withDeadline } from './deadline.ts'
import description from './edit-file.md'
import { fileFailure, ToolFailure } from './errors.ts'
import { fileDiff } from './file-diff.ts'
import { withFile } from './open-file.ts'
import { finalTarget, gitMark, inRepository, resolvePath } from './paths.ts'
import { replaceFile, sha256 } from './replace-file.ts'
import { defineTool, type ToolHost, type ToolYield } from './tool.ts'

const schema = z.object({
  path: z.string().describe('File to edit, relative to the working directory or absolute'),
  old_string: z.string().describe('Exact text to replace; must occur exactly once'),
  new_string: z.string().describe('Text to put in its place; empty to delete')
})
type Arguments = z.output<typeof schema>

/** A larger file would hold up everything else while it is searched, past the time limit and an interrupt (TOOL-004, TOOL-010). */
const maxBytes = 64 * 1024 * 1024

/** Replaces one exact place of a file (TOOL-046…049). */
export const editFile = defineTool({
  name: 'edit_file',
  description,
  schema,
  bind: (host) => (args, run) => {
    const path = resolvePath(args.path, host)
    const limit = host.config.fileTimeoutSeconds
    return withDeadline(
      {
        seconds: limit,
        signal: run.signal,
        timeoutText: `file edit timed out after ${seconds(limit)}\nfile unchanged`,
        interruptText: 'edit cancelled\nfile unchanged'
      },
      (signal) => edit(args, path, host, signal)
    )
  }
})

async function edit(args: Arguments, path: string, host: ToolHost, signal: AbortSignal): Promise<ToolYield> {
  if (args.old_string === '') throw new ToolFailure('invalid-args', 'old_string must not be empty')
  const target = await finalTarget(path, args.path)
  const { before, existing } = await withFile(target, args.path, async (handle, existing) => {
    if (existing.size > maxBytes)
      throw new ToolFailure(
        'failed',
        `file too large to edit: ${existing.size} bytes; use bash, e.g. sed\nfile unchanged`
      )
    return { before: await handle.readFile(), existing }
  })
  signal.throwIfAborted()
  const touchesGit = gitMark(path, target)
  const filesRead = inRepository(path, host)

  const outcome = applyEdit(before, { oldString: args.old_string, newString: args.new_string })
  if (outcome.kind === 'no-change')
    return {
      output: `no change needed in ${args.path}`,
      meta: { summary: 'no change', filesRead, ...touchesGit }
    }
  if (outcome.kind !== 'replaced') throw refusal(outcome, args.path)

  const { bytes, line } = outcome
  try {
    await replaceFile({ target, existing, bytes, expected: sha256(before), signal, onStaged: host.onStaged })
  } catch (thrown) {
    throw fileFailure(thrown, args.path)
  }
  return {
    output: `edited ${args.path}: replaced 1 occurrence (line ${line})`,
    meta: {
      ...fileDiff(args.path, before, bytes),
      filesRead,
      filesWritten: inRepository(path, host),
      ...touchesGit
    }
  }
}

/** Why nothing was replaced, in the words of the table under TOOL-047. */
function refusal(outcome: Exclude<EditOutcome, { kind: 'replaced' | 'no-change' }>, path: string): ToolFailure {
  switch (outcome.kind) {
    case 'not-found': {
      const hint = outcome.hint === null ? '' : `; ${outcome.hint}`
      return new ToolFailure('not-found', `old_string not found in file\nfile unchanged${hint}`)
    }
    case 'ambiguous': {
      const where = `${outcome.lines.length < outcome.count ? 'first ' : ''}at lines ${outcome.lines.join(', ')}`
      const first = `old_string matches ${outcome.count} locations, must be exactly 1`
      return new ToolFailure('ambiguous', `${first}\n${where}; file unchanged`)
    }
    case 'unsupported':
      return outcome.reason === 'utf-16'
        ? new ToolFailure('failed', 'unsupported encoding: utf-16\nfile unchanged')
        : new ToolFailure('binary', `binary file: ${path}\nfile unchanged`)
    default:
      return unreachable(outcome)
  }
}
