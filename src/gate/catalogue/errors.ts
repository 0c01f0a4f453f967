import { Failure } from '../../lib/error.ts'

/** A schema file that breaks the rules, or a catalogue that is not the one the product knows (CONC-2, CONC-5). Ends the start. */
export class CatalogueFailure extends Failure {
  readonly code = 'catalogue-invalid'
  /** The file, or null when the set as a whole is wrong. */
  readonly file: string | null

  constructor(file: string | null, problem: string, cause?: unknown) {
    super(file === null ? `concept catalogue: ${problem}` : `concept catalogue: ${file}: ${problem}`, { cause })
    this.file = file
  }
}
