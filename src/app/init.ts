import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CliIo } from '../cli/io.ts'
import { printError, printWarning } from '../cli/print.ts'
import { builtInGuidelines } from '../config/home-files.ts'
import { type Environment, homePaths } from '../config/paths.ts'
import {
  type AmendOptions,
  amendProject,
  type Done,
  type GridOptions,
  type Guidelines,
  gridToAttest,
  InitFailure,
  type InitOptions,
  initProject,
  repointProject,
  runWizard,
  type WizardState
} from '../gate/bootstrap/index.ts'
import { systemClock } from '../lib/clock.ts'
import { Failure } from '../lib/error.ts'
import { visibleLine } from '../lib/safe-text.ts'
import { driveOnScreen, hasWizardScreen } from './init-screen.ts'
import { onRecord } from './on-record.ts'

// `ghyll init` and its subcommands with what they stand on: the guidelines of the operator's home, and a dialogue on the terminal.

const nextSteps = 'ℹ next: ghyll run there; Ctrl+G shows the arrows, r runs the marked one'

/** Bootstraps a project; resolves to the exit code (INIT-4). */
export function runInit(options: InitOptions, io: CliIo): Promise<number> {
  return report('ghyll init', io, async () => {
    const result = await initProject(options, {
      guidelines: guidelinesOf(io.env),
      env: { ...io.env },
      now: Date.now,
      drive: (start) => (hasWizardScreen(io) ? driveOnScreen(start, io) : driveByLines(start, io))
    })
    for (const line of result.advisories) printWarning(io, line)
    for (const line of result.out) io.out(`${line}\n`)
    if (result.error !== null) printError(io, result.error, 'ghyll init')
    // For whoever sits there; a script has no next step.
    else if (io.stdinIsTty && !options.dryRun) io.err(`${nextSteps}\n`)
    return result.exitCode
  })
}

/** INIT-133 */
export function runAmend(options: AmendOptions, io: CliIo): Promise<number> {
  return report('ghyll init amend', io, async () => {
    const [arrow = '', clause = ''] = options.words
    const command = ['init amend', options.act, arrow, ...(options.act === 'language' ? [] : [clause])].join(' ')
    const work = () => amendProject(options, Date.now)
    return tell(await onRecord(options.dir, { command, opId: options.opId }, work), io)
  })
}

/** INIT-86 */
export function runRepoint(options: GridOptions & { readonly version: string }, io: CliIo): Promise<number> {
  return report('ghyll init repoint', io, async () => {
    const who = { command: `init repoint ${options.version}`, opId: options.opId }
    return tell(await onRecord(options.dir, who, () => repointProject(options)), io)
  })
}

/** INIT-120…123 */
export function runAttest(options: GridOptions, io: CliIo): Promise<number> {
  return report('ghyll init attest', io, async () => {
    const { opId, grid } = gridToAttest(options)
    const { recordInitAttestations } = await import('./offline/attestations.ts')
    const { recorded, skipped } = await recordInitAttestations({ dir: options.dir, grid, opId, clock: systemClock() })
    const place = `grid v${grid.version}, ${grid.arrows.length} arrows`
    io.out(`ghyll init attest: ${recorded} init attestations recorded for op-id=${opId} (${place})\n`)
    if (skipped > 0) io.out(`  ${skipped} skipped (already recorded)\n`)
    return 0
  })
}

/** Runs `work`; what it cannot do is told under the name of the command. */
async function report(name: string, io: CliIo, work: () => Promise<number>): Promise<number> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    printError(io, error.message, name)
    if (error.hint !== undefined) printError(io, error.hint, name)
    return error instanceof InitFailure && error.kind === 'usage' ? 2 : 1
  }
}

function tell({ out, advisories }: Done, io: CliIo): number {
  for (const line of advisories) printWarning(io, line)
  for (const line of out) io.out(`${line}\n`)
  return 0
}

/** The dialogue goes to standard error, so that `--dry-run` leaves a clean grid on standard output. */
async function driveByLines(start: WizardState, io: CliIo): Promise<WizardState> {
  const lines = io.readLines()
  try {
    return await runWizard(start, {
      print: (line) => io.err(`${visibleLine(line)}\n`),
      async ask(prompt) {
        io.err(prompt)
        const { value, done } = await lines.next()
        return done === true ? null : value
      }
    })
  } finally {
    await lines.return?.()
  }
}

/** The library in the operator's home before the built-in texts (INIT-95); without a home there are only these. */
function guidelinesOf(env: Environment): Guidelines {
  const folder = env.HOME?.startsWith('/') === true ? homePaths(env).guidelines : null
  return {
    names: () => [...Object.keys(builtInGuidelines), ...namesIn(folder)],
    text: (name) => readIn(folder, name) ?? builtInGuidelines[name] ?? null
  }
}

function namesIn(folder: string | null): readonly string[] {
  try {
    return folder === null
      ? []
      : readdirSync(folder).flatMap((file) => /^([a-z][a-z0-9+#-]*)\.md$/.exec(file)?.[1] ?? [])
  } catch {
    return [] // no library yet
  }
}

function readIn(folder: string | null, name: string): string | null {
  try {
    return folder === null ? null : readFileSync(join(folder, `${name}.md`), 'utf8')
  } catch {
    return null // not in the library: the built-in text serves
  }
}
