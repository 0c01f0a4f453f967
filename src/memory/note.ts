import type { Checkpoint } from './record.ts'

/**
 * A checkpoint as a note for the model: turn, model, summary and files (SESS-123). `clean` takes out what could pose as something else
 * (MODEL-081); whoever renders the note quotes it (MODEL-082).
 */
export function noteOf(record: Checkpoint, clean: (text: string) => string): string {
  const { author, turn, model, summary, files } = record
  const facts = [
    `${noteMark(record)} by @${oneLine(clean(author))}`,
    `turn: ${turn}`,
    `model: ${oneLine(clean(model))}`
  ].join('\n')
  const touched = files === null || files.length === 0 ? '' : `Files touched: ${oneLine(clean(files.join(', ')))}`
  return [facts, clean(summary).trim(), touched].filter((part) => part !== '').join('\n\n')
}

/** How a note names its checkpoint, so that it is not recalled a second time (CTX-047). */
export function noteMark({ hash }: Pick<Checkpoint, 'hash'>): string {
  return `checkpoint ${hash.slice(0, 12)}`
}

/** The first line of a summary, for one line of text (CTX-050). */
export function firstLine(summary: string): string {
  return summary.split('\n', 1)[0]?.trim() ?? ''
}

const oneLine = (text: string) => text.replace(/\s*[\r\n]+\s*/g, ' ')
