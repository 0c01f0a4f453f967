/** A line for the log of the process; `warning` for trouble, so that it stands in a log at its usual level (MEM-085). */
export type Log = (line: string, level?: 'warning' | undefined) => void
