import { arrowCommand } from './arrow.ts'
import { attestationsCommand } from './attestations.ts'
import { conceptsCommand } from './concepts.ts'
import { configCommand } from './config.ts'
import { demoCommand } from './demo.ts'
import { doctorCommand } from './doctor.ts'
import { engineCommand } from './engine.ts'
import { execCommand } from './exec.ts'
import { helpCommand } from './help.ts'
import { initCommand } from './init.ts'
import { memoryCommand } from './memory.ts'
import { runCommand } from './run.ts'
import type { Subcommand } from './subcommand.ts'
import { versionCommand } from './version.ts'

/** In the order of the usage text. */
export const subcommands: readonly Subcommand[] = [
  runCommand,
  execCommand,
  initCommand,
  arrowCommand,
  engineCommand,
  attestationsCommand,
  memoryCommand,
  demoCommand,
  configCommand,
  conceptsCommand,
  doctorCommand,
  versionCommand,
  helpCommand
]
