export type { DemoOptions, DoctorCheck, ExecOptions, Handlers, RunOptions } from './handlers.ts'
export { type CliIo, processIo } from './io.ts'
export { runCli } from './program.ts'
