import { conceptsCommand } from './concepts.ts'
import { configCommand } from './config.ts'
import { demoCommand } from './demo.ts'
import { doctorCommand } from './doctor.ts'
import { execCommand } from './exec.ts'
import { helpCommand } from './help.ts'
import { initCommand } from './init.ts'
import { runCommand } from './run.ts'
import type { Subcommand } from './subcommand.ts'
import { versionCommand } from './version.ts'

/** In the order of the usage text. */
export const subcommands: readonly Subcommand[] = [
  runCommand,
  execCommand,
  initCommand,
  demoCommand,
  configCommand,
  conceptsCommand,
  doctorCommand,
  versionCommand,
  helpCommand
]
