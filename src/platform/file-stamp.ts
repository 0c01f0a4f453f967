import { type BigIntStats, fstatSync, lstatSync } from 'node:fs'

/**
 * What tells that somebody wrote to a file, without reading it: its length in bytes, and when the system last saw it change, in
 * nanoseconds, which an edit that keeps the length cannot set back.
 */
export type FileStamp = { readonly length: number; readonly changedNs: bigint }

/** The stamp of a file that is not there. */
export const noFile: FileStamp = { length: 0, changedNs: 0n }

/** The stamp of what stands at a path, a link taken as itself; `noFile` when nothing does. */
export function stampAt(path: string): FileStamp {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? noFile : stampFrom(stats)
}

/** The stamp of an open file. */
export function stampOf(descriptor: number): FileStamp {
  return stampFrom(fstatSync(descriptor, { bigint: true }))
}

function stampFrom({ size, ctimeNs }: BigIntStats): FileStamp {
  return { length: Number(size), changedNs: ctimeNs }
}
