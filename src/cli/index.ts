export type { DemoOptions, DoctorCheck, DoctorResult, ExecOptions, Handlers, RunOptions } from './handlers.ts'
export { type CliIo, processIo } from './io.ts'
export { buildProgram, runCli } from './program.ts'
