/** A text that an answer needs. */
export type Field = {
  readonly question: string
  readonly maxBytes: number
  /** `optional` may be empty; the others as ATT-331 has them. */
  readonly rule: 'locations' | 'note' | 'command' | 'optional'
}

/** What is wrong with the text of a field, or null (ATT-331). */
export function fieldProblem(field: Field, text: string): string | null {
  const bytes = Buffer.byteLength(text)
  if (field.rule === 'locations' && !text.split(',').some((entry) => entry.trim() !== '')) {
    return '✗ verdict-inspected-empty: inspected'
  }
  if (field.rule === 'note' && text.trim() === '') return '✗ verdict-unit-missing-field: residue'
  if (field.rule === 'command' && text.trim() === '') return '✗ a command is needed, or skip'
  return bytes > field.maxBytes ? `✗ verdict-residue-too-long: ${bytes} > ${field.maxBytes}` : null
}
