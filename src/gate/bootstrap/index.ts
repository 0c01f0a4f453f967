export {
  type AmendOptions,
  amendProject,
  type Done,
  type GridOptions,
  gridToAttest,
  repointProject
} from './amend-project.ts'
export { asWizard, runWizard, type WizardLines } from './drive-wizard.ts'
export { GridFailure, type GridFailureCode, InitFailure } from './errors.ts'
export { type GridDisk, systemDisk } from './grid-disk.ts'
export { type ActiveGrid, gridFolder, gridVersions, readActiveGrid, readGridVersion } from './grid-file.ts'
export { parseArrow, parseGrid, type ReadGrid } from './grid-parse.ts'
export { gridText } from './grid-text.ts'
export { removeLeftovers, repoint, writeGrid } from './grid-write.ts'
export { type InitOptions, type InitPorts, type InitResult, initProject } from './init.ts'
export { resolvePlaceholders } from './placeholders.ts'
export { profileProject } from './profile.ts'
export { type ProposedArrow, type ProposedClause, proposeArrow } from './proposal.ts'
export { applyRetention, type Retained } from './retention.ts'
export type { Guidelines } from './traits.ts'
export { vocabularyOf } from './vocabulary.ts'
export type { WizardState } from './wizard.ts'
