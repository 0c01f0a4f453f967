export { type Engine, type EngineOptions, openEngine, type StartReport } from './engine.ts'
export { AttestationFailure, EngineFailure } from './errors.ts'
export { outcomesOf } from './history.ts'
export type { PreservedPass, RecoveryReport, WaitingClause } from './recover.ts'
