import type { EvaluationContext } from '../../protocol/evaluation.ts'
import type { EvaluationResult } from '../../protocol/gate.ts'
import { readText } from './read-text.ts'
import { type Details, failed, passed, stopIfCancelled, unevaluated } from './result.ts'
import { listFiles, type Skipped } from './walk.ts'

/** What a scan of a scope looked at, beside what it found. */
export type Scan = {
  /** Files in scope, skipped ones included (CONC-25). */
  readonly fileCount: number
  readonly skipped: readonly Skipped[]
}

/** Hands every readable text file in `glob` to `visit`, in the order of their paths (CONC-25, CONC-28). */
export async function scanTexts(
  context: Pick<EvaluationContext, 'projectDir' | 'signal'>,
  glob: string,
  visit: (file: string, text: string) => void | Promise<void>
): Promise<Scan> {
  const listing = await listFiles(context, glob)
  const skipped = [...listing.skipped]
  let fileCount = 0
  for (const file of listing.files) {
    stopIfCancelled(context)
    const read = await readText(context.projectDir, file)
    if (read.kind === 'ignored') continue
    fileCount += 1
    if (read.kind === 'skipped') skipped.push({ file, reason: read.reason })
    else await visit(file, read.text)
  }
  return { fileCount, skipped }
}

/**
 * The verdict of a scan (CONC-30, CONC-35): a failure stands whatever was skipped; without one, anything skipped but binary files
 * leaves the clause open; and a pass over nothing says that it is vacuous.
 */
export function conclude(
  scan: Scan,
  found: { readonly fails: boolean; readonly vacuous: boolean; readonly details: Details }
): EvaluationResult {
  const details = {
    'files-in-scope': scan.fileCount,
    ...found.details,
    ...(scan.skipped.length > 0 ? { skipped: scan.skipped } : {})
  }
  if (found.fails) return failed(details)
  if (isIncomplete(scan)) return unevaluated('scan-incomplete', { error: 'scan-incomplete', ...details })
  return passed(found.vacuous ? { ...details, vacuous: true } : details)
}

/** Whether something that could have mattered was not read (CONC-30). */
export function isIncomplete({ skipped }: Pick<Scan, 'skipped'>): boolean {
  return skipped.some(({ reason }) => reason !== 'binary')
}
