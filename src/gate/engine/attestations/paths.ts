import { join } from 'node:path'

/** The folder of everything the gate keeps, below the project. */
export const gateFolder = '.ghyll'
/** Root of the tree, relative to the project (ATT-400). */
export const treeRoot = '.ghyll/attestations'
/** The flat aggregate, relative to the project (ATT-450). */
export const flatFile = '.ghyll/attestations.jsonl'

/** The flat aggregate of a project. */
export const flatOf = (projectDir: string) => join(projectDir, flatFile)
