export {
  type AmendOptions,
  amendProject,
  type Done,
  type GridOptions,
  gridToAttest,
  repointProject
} from './amend-project.ts'
export { stratumFor } from './assemble.ts'
export { notFoundLines } from './bindings.ts'
export { contractArrows } from './contract-arrow.ts'
export { asWizard, runWizard } from './drive-wizard.ts'
export { GridFailure, InitFailure } from './errors.ts'
export { type ActiveGrid, type GridDigests, gridFolder, gridVersions, readActiveGrid } from './grid-file.ts'
export { parseArrow } from './grid-parse.ts'
export { gridText } from './grid-text.ts'
export { removeLeftovers, writeGrid } from './grid-write.ts'
export { type InitOptions, initProject } from './init.ts'
export { resolvePlaceholders } from './placeholders.ts'
export { profileProject } from './profile.ts'
export { applyRetention } from './retention.ts'
export type { Guidelines } from './traits.ts'
export { vocabularyOf } from './vocabulary.ts'
export type { WizardState } from './wizard.ts'
