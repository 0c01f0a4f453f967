import type { FetchOutcome, FetchProgress } from './fetch-model.ts'

// The lines of `ghyll memory fetch-embedder` (MEM-124, MEM-127).

const hint = 'ℹ the runtime library for it comes with ghyll; run "ghyll doctor" to check both\n'

/**
 * Text for one step of a download. What was received is told on a terminal only, on one line that is written over; the line is left by
 * whatever comes next (MEM-127).
 */
export function progressText(progress: FetchProgress, isTty: boolean): string {
  switch (progress.kind) {
    case 'started':
      return `ℹ downloading embedder from ${progress.url}\n`
    case 'size':
      return `ℹ size: ${progress.bytes} bytes\n`
    case 'received': {
      const { bytes, total } = progress
      const share = total === null ? `${Math.floor(bytes / 1024 ** 2)} MiB` : `${Math.floor((bytes / total) * 100)} %`
      return isTty ? `\r  ${share.padEnd(12)}` : ''
    }
  }
}

/** Text for the end of it (MEM-124, MEM-127). */
export function outcomeText(outcome: FetchOutcome, path: string, isTty: boolean): string {
  if (outcome.kind === 'present')
    return `ℹ embedder already present at ${path} (${outcome.bytes} bytes); use --force to download again\n${hint}`
  const overProgress = isTty ? '\r' : ''
  return `${overProgress}✓ embedder ready at ${path} (${outcome.bytes} bytes, sha256=${outcome.sha256})\n${hint}`
}
