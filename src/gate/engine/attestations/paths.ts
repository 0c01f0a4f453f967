import { join } from 'node:path'

/** The folder of everything the gate keeps, below the project. */
export const gateFolder = '.ghyll'
/** Tree root and flat aggregate, relative to the project (ATT-400, ATT-450). */
export const treeRoot = '.ghyll/attestations'
export const flatFile = '.ghyll/attestations.jsonl'

export const flatOf = (projectDir: string) => join(projectDir, flatFile)
