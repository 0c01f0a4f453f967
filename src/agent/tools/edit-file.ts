import { z } from 'zod'
import { unreachable } from '../../lib/assert.ts'
import { applyEdit } from './apply-edit.ts'
import { seconds, withDeadline } from './deadline.ts'
import description from './edit-file.md'
import { fileFailure, ToolFailure } from './errors.ts'
import { fileDiff } from './file-diff.ts'
import { decodeText } from './file-text.ts'
import { withFile } from './open-file.ts'
import { finalTarget, inRepository, isInsideGit, resolvePath } from './paths.ts'
import { replaceFile, sha256 } from './replace-file.ts'
import { defineTool, type ToolYield } from './tool.ts'

export const editFile = defineTool({
  name: 'edit_file',
  description,
  schema: z.object({
    path: z.string().describe('File to edit, relative to the working directory or absolute'),
    old_string: z.string().describe('Exact text to replace; must occur exactly once'),
    new_string: z.string().describe('Text to put in its place; empty to delete')
  }),
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
      async (signal): Promise<ToolYield> => {
        if (args.old_string === '') throw new ToolFailure('invalid-args', 'old_string must not be empty')
        const target = await finalTarget(path)
        const { before, existing } = await withFile(target, args.path, async (handle, existing) => ({
          before: await handle.readFile(),
          existing
        }))
        const outcome = applyEdit(before, { oldString: args.old_string, newString: args.new_string })
        const meta = {
          filesRead: inRepository(path, host),
          ...(isInsideGit(path) ? { touchesGit: true } : {})
        }
        switch (outcome.kind) {
          case 'unsupported':
            throw outcome.reason === 'utf-16'
              ? new ToolFailure('failed', 'unsupported encoding: utf-16\nfile unchanged')
              : new ToolFailure('binary', `binary file: ${args.path}\nfile unchanged`)
          case 'not-found':
            throw new ToolFailure(
              'not-found',
              `old_string not found in file\nfile unchanged${outcome.hint === null ? '' : `; ${outcome.hint}`}`
            )
          case 'ambiguous':
            throw new ToolFailure('ambiguous', ambiguity(outcome.count, outcome.lines))
          case 'no-change':
            return { output: `no change needed in ${args.path}`, meta: { ...meta, summary: 'no change' } }
          case 'replaced':
            try {
              await replaceFile({
                target,
                existing,
                bytes: outcome.bytes,
                expected: sha256(before),
                signal,
                onStaged: host.onStaged
              })
            } catch (thrown) {
              throw fileFailure(thrown, args.path)
            }
            return {
              output: `edited ${args.path}: replaced 1 occurrence (line ${outcome.line})`,
              meta: {
                ...meta,
                ...fileDiff(args.path, decodeText(before), decodeText(outcome.bytes)),
                filesWritten: inRepository(path, host)
              }
            }
          default:
            return unreachable(outcome)
        }
      }
    )
  }
})

function ambiguity(count: number, lines: readonly number[]): string {
  const where = lines.length < count ? `first at lines ${lines.join(', ')}` : `at lines ${lines.join(', ')}`
  return `old_string matches ${count} locations, must be exactly 1\n${where}; file unchanged`
}
