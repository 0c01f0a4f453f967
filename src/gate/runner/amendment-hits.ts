import type { Invalidation, InvalidationCause } from './records.ts'

/** All there are, for reading them back. */
export const invalidationCauses: readonly InvalidationCause[] = [
  'source',
  'superseded',
  'undeclared',
  'file',
  'section',
  'clause-id'
]

/** How often amendments voided an arrow, and whether a finer granularity of its dependencies could spare it some of that (RUN-852). */
export type AmendmentHits = {
  readonly count: number
  /** Dependencies let some of them through, and all of these name whole files. */
  readonly isThroughFilesOnly: boolean
}

/** The same of any invalidations of one arrow; the operator's own are left out. */
export function amendmentHits(invalidations: Iterable<Pick<Invalidation, 'source' | 'because'>>): AmendmentHits {
  const hits = [...invalidations].filter(({ source }) => source === 'amendment')
  const causes = new Set(hits.flatMap(({ because = [] }) => because))
  const isThroughFilesOnly = causes.has('file') && !causes.has('section') && !causes.has('clause-id')
  return { count: hits.length, isThroughFilesOnly }
}

/** The count, with the advice where there is one. */
export function hitsText({ count, isThroughFilesOnly }: AmendmentHits): string {
  const advice = ' (through dependencies of granularity file only: section or clause-id is the finer choice)'
  return `${count}${isThroughFilesOnly ? advice : ''}`
}
