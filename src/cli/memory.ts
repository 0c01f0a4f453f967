import type { Listing, LoggedCheckpoint } from '../app/memory-look.ts'
import { safeJson, safeLine } from '../lib/safe-text.ts'
import { GhyllCommand, UsageError } from './command.ts'
import { printWarning } from './print.ts'
import type { CliContext, Subcommand } from './subcommand.ts'

const usage = 'usage: ghyll memory [log|search <query>|sync|fetch-embedder|trust <device>]\n'

/** The group and its commands: any wrong use ends in the one line of MEM-132. */
class MemoryCommand extends GhyllCommand {
  override createCommand(name?: string): MemoryCommand {
    return new MemoryCommand(name)
  }

  override helpInformation(context?: { error: boolean }): string {
    return context?.error === true ? usage : super.helpInformation(context)
  }

  override unknownCommand(): never {
    throw new UsageError(`unknown command "memory ${this.args[0]}"`, this)
  }
}

/** `ghyll memory …` (CLI-013). */
export const memoryCommand: Subcommand = (program, context) => {
  const group = new MemoryCommand('memory')
  group.copyInheritedSettings(program)
  group.description('look at checkpoints, search and sync them').helpCommand(false)
  program.addCommand(group)
  addLog(group, context)
  addSearch(group, context)
  addSync(group, context)
  addFetchEmbedder(group, context)
  addTrust(group, context)
}

function addLog(group: GhyllCommand, { act, io }: CliContext): void {
  group
    .command('log')
    .description('list all checkpoints')
    .option('--verify', 'check hash, signature and chain of each; exit 1 when one does not hold')
    .option('--repo [identity]', 'of one repository: that of this folder, or the one named')
    .option('--summary', 'with the whole summary of each')
    .option('--json', 'one JSON object per line')
    .action(
      act(async (flags: { verify?: true; repo?: string | true; summary?: true; json?: true }) => {
        const { memoryLog } = await import('../app/memory-look.ts')
        const repo = flags.repo === true ? 'here' : (flags.repo ?? null)
        const options = { repo, verify: flags.verify === true, summary: flags.summary === true }
        const notes: string[] = []
        let count = 0
        let sound = true
        for await (const entry of memoryLog(options, io, (text) => notes.push(text))) {
          count += 1
          sound &&= entry.status === null || entry.status === 'verified'
          io.out(flags.json === true ? asJson(entry) : asLine(entry))
        }
        if (count === 0 && flags.json !== true) io.out('no checkpoints\n')
        for (const note of notes) printWarning(io, note)
        return sound ? 0 : 1
      })
    )
}

function addSearch(group: GhyllCommand, { act, io }: CliContext): void {
  group
    .command('search')
    .description('find checkpoints of this repository by words, meaning, or the beginning of a hash')
    .argument('<query...>', 'what to look for')
    .option('--all', 'in every repository')
    .option('--summary', 'with the whole summary of each')
    .action(
      act(async (words: readonly string[], flags: { all?: true; summary?: true }) => {
        const { memorySearch } = await import('../app/memory-look.ts')
        const found = await memorySearch(
          words.join(' ').trim(),
          { all: flags.all === true, summary: flags.summary === true },
          io
        )
        for (const { listing, summary } of found) {
          const { hash, ts, author, title } = listing
          const day = localTime(ts).slice(0, 10)
          io.out(`${safeLine(hash.slice(0, 12))}  ${day}  @${safeLine(author)}  ${safeLine(title)}\n${below(summary)}`)
        }
        if (found.length === 0) io.out('no matching checkpoints\n')
        return 0
      })
    )
}

function addSync(group: GhyllCommand, { act, io }: CliContext): void {
  const command = group
    .command('sync')
    .description('fetch and push checkpoints now')
    .option('--shallow', 'fetch the newest state of the memory branch without its history')
    .option('--full', 'fetch the history that an earlier --shallow left out')
  command.action(
    act(async (flags: { shallow?: true; full?: true }) => {
      if (flags.shallow === true && flags.full === true)
        throw new UsageError('options "--shallow" and "--full" exclude each other', command)
      const { memorySync } = await import('../app/memory-sync.ts')
      return memorySync(flags.shallow === true ? 'shallow' : flags.full === true ? 'full' : 'as-is', io)
    })
  )
}

function addFetchEmbedder(group: GhyllCommand, { act, io }: CliContext): void {
  group
    .command('fetch-embedder')
    .description('download the model that finds checkpoints by meaning')
    .option('-f, --force', 'download again although it is there')
    .action(
      act(async (flags: { force?: true }) => {
        const { fetchEmbedder } = await import('../app/memory-embedder.ts')
        return fetchEmbedder(flags.force === true, io)
      })
    )
}

function addTrust(group: GhyllCommand, { act, io }: CliContext): void {
  group
    .command('trust')
    .description('accept the key that a device publishes now')
    .argument('<device>', 'id of the device')
    .action(
      act(async (device: string) => {
        const { memoryTrust } = await import('../app/memory-sync.ts')
        const done = await memoryTrust(device, io)
        io.out(
          done === 'trusted'
            ? `✓ the published key of @${safeLine(device)} is trusted now\n`
            : `ℹ the published key of @${safeLine(device)} was trusted already\n`
        )
        return 0
      })
    )
}

/** What a checkpoint is about, under its line: the first line of a summary tells but what it was made for (CTX-070). */
function below(summary: string | null): string {
  const [, ...lines] = (summary ?? '').trimEnd().split('\n')
  return lines.map((line) => `${`    ${safeLine(line)}`.trimEnd()}\n`).join('')
}

function asLine({ listing, status, summary }: LoggedCheckpoint): string {
  const { hash, ts, model, author, turn, title } = listing
  const mark = status === null ? '' : `${status.replaceAll('_', ' ').padEnd(20)}  `
  return `${safeLine(hash.slice(0, 12))}  ${mark}${localTime(ts)}  [${safeLine(model)}] @${safeLine(author)}  turn ${turn}  ${safeLine(title)}\n${below(summary)}`
}

/** `ts` with all its digits, as records have it (MEM-016). */
function asJson({ listing, status, summary }: LoggedCheckpoint): string {
  const { ts, hash, ...rest }: Listing = listing
  const others = { ...rest, ...(status === null ? {} : { status }), ...(summary === null ? {} : { summary }) }
  // Only here in the middle can a number stand that JSON has no value for.
  return `${safeJson({ hash }).slice(0, -1)},"ts":${ts},${safeJson(others).slice(1)}\n`
}

/** `YYYY-MM-DD HH:MM` where the operator is; a time before 10^12 is in seconds (MEM-130). */
function localTime(ts: bigint): string {
  const ms = Number(ts < 10n ** 12n ? ts * 1000n : ts / 1_000_000n)
  const date = new Date(ms)
  if (Number.isNaN(date.getTime())) return '????-??-?? ??:??'
  const two = (n: number) => String(n).padStart(2, '0')
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
}
