import { type CommandContext, type Item, type SlashCommand, statusLines } from '../../agent/session/index.ts'
import type { Engine } from '../../gate/engine/index.ts'
import {
  abortPassCommand,
  attestCommand,
  type Gates,
  invalidateCommand,
  listArrows,
  listAttestations,
  listFindings,
  listPasses,
  type RunArrowArgs,
  readRunArrow,
  type StatusFacts,
  snapshotOf,
  statusBlock,
  type Told,
  told,
  type VerdictQueue
} from '../../gate/runner/index.ts'
import { safeLine } from '../../lib/safe-text.ts'
import type { Adversary } from './adversary.ts'
import type { AmendmentCommands } from './amendments.ts'
import type { GateSay } from './host.ts'
import { type Identity, opIdCommand } from './op-id.ts'
import type { Presenter } from './presenter.ts'

export type GateCommandParts = {
  readonly gates: Gates
  readonly queue: Pick<VerdictQueue, 'items'>
  readonly engine: Pick<Engine, 'reads'>
  readonly identity: Identity
  readonly adversary: Adversary
  readonly amendments: AmendmentCommands
  readonly presenter: Pick<Presenter, 'drainNow'>
  /** Runs an arrow and answers what it says (OPUI-320…327). */
  readonly run: (ask: RunArrowArgs, signal: AbortSignal) => Promise<Told>
  readonly statusFacts: () => StatusFacts
  /** A settlement under way: the session does not end before it. */
  readonly settling: (work: Promise<unknown>) => void
  readonly say: GateSay
}

/** The slash commands of an open gate (OPUI-200…380). Each is a call of the kernel and its text. */
export function gateCommands(parts: GateCommandParts): readonly SlashCommand[] {
  const { gates, queue, engine, identity, adversary, amendments, presenter, run, statusFacts, settling, say } = parts
  return [
    opIdCommand(identity),
    reading('list-arrows', 'the grid, or the rows that contain a text', (args) => {
      say({ kind: 'panel-asked', panel: 'arrows' })
      return listArrows(gates, args)
    }),
    {
      name: 'run-arrow',
      description: 'evaluate the clauses of an arrow',
      when: 'idle',
      isLong: true,
      async run(args, { signal }) {
        const ask = readRunArrow(gates, args)
        return [answer('run-arrow', 'wrong' in ask ? ask.wrong : await run(ask, signal))]
      }
    },
    changing('invalidate-arrow', 'void an arrow, so that it has to be run again', (args) =>
      invalidateCommand(gates, args, identity.current())
    ),
    changing('abort-pass', 'stop an open pass', (args) => abortPassCommand(gates, args)),
    changing('attest', 'record a verdict without the prompt', (args) => {
      const outcome = attestCommand(gates, args, identity.current())
      if (outcome.settling !== null) settling(outcome.settling)
      return outcome
    }),
    reading('attestations', 'recorded verdicts, of one arrow or all', (args) => listAttestations(gates, args)),
    reading('passes', 'open passes, or one pass', (args) => listPasses(gates, args, engine.reads.pass)),
    reading('findings', 'findings by status', (args) => listFindings(gates, args)),
    reading('verdicts', 'what waits for your verdict', () => {
      say({ kind: 'panel-asked', panel: 'queue' })
      void presenter.drainNow()
      return waitingLines(queue)
    }),
    changing('adversary', 'the adversarial cycle: enable, disable, status', (args) => adversary.command(args)),
    reading('amendments', 'pending amendments', () => amendments.list()),
    {
      name: 'drain-amendments',
      description: 'commit pending amendments',
      when: 'idle',
      isLong: true,
      run: async (_, { signal }) => [answer('drain-amendments', await amendments.drain(signal))]
    },
    reading('status', 'the session, and the project against its grid', (_, { state }) => {
      const snapshot = snapshotOf(gates)
      return [...statusLines(state), ...(snapshot === null ? [] : statusBlock(snapshot, statusFacts()))]
    })
  ]
}

type Lines = (args: string, context: CommandContext) => readonly string[]
type Change = (args: string, context: CommandContext) => Told

/** Runs at once, whatever the session does (OPUI-105). */
function reading(name: string, description: string, lines: Lines): SlashCommand {
  return { name, description, when: 'always', run: (...given) => [answer(name, told(lines(...given)))] }
}

/** Needs the session for itself. */
function changing(name: string, description: string, change: Change): SlashCommand {
  return { name, description, when: 'idle', run: (...given) => [answer(name, change(...given))] }
}

function answer(command: string, { lines, refusal, isBroken = false }: Told): Item {
  return { kind: 'command-output', command, lines, failed: refusal !== null || isBroken }
}

function waitingLines(queue: Pick<VerdictQueue, 'items'>): readonly string[] {
  const items = queue.items()
  if (items.length === 0) return ['no verdicts waiting']
  return [`verdicts waiting (${items.length}):`, ...items.map(({ type, ref }) => safeLine(`  ${type}  ${ref}`))]
}
