import { output, type SlashCommand, statusLines } from '../../agent/session/index.ts'
import type { EngineReads } from '../../gate/engine/index.ts'
import {
  abortPassCommand,
  attestCommand,
  type DispatchResult,
  type Gates,
  invalidateCommand,
  listArrows,
  listAttestations,
  listFindings,
  listPasses,
  readRunArrow,
  type StatusFacts,
  snapshotOf,
  statusBlock
} from '../../gate/runner/index.ts'
import type { Adversary } from './adversary.ts'
import type { Identity } from './op-id.ts'
import type { Presenter } from './presenter.ts'

export type GateCommandParts = {
  readonly gates: Gates
  readonly reads: EngineReads
  readonly identity: Identity
  readonly adversary: Adversary
  readonly presenter: Presenter
  /** Runs an arrow and answers its lines (OPUI-320…327). */
  readonly run: (ask: RunAsk, signal: AbortSignal) => Promise<readonly string[]>
  readonly statusFacts: () => StatusFacts
  readonly showPanel: (panel: 'arrows' | 'queue') => void
  readonly settled: (result: DispatchResult) => void
}

export type RunAsk = { readonly arrowId: string; readonly context: string | undefined; readonly define: boolean }

/** The slash commands of an open gate (operator-ui.md section 2). Each is a call of the kernel and its text. */
export function gateCommands(parts: GateCommandParts): readonly SlashCommand[] {
  const { gates, reads, identity, adversary, presenter, run, statusFacts, showPanel, settled } = parts
  const lines = (name: string, of: (args: string) => readonly string[]) => (args: string) => [output(name, ...of(args))]
  return [
    {
      name: 'op-id',
      description: 'identity that signs your verdicts',
      when: 'idle',
      run: lines('op-id', (args) => identity.command(args))
    },
    {
      name: 'list-arrows',
      description: 'the grid, or the rows that contain a text',
      when: 'always',
      run(args) {
        showPanel('arrows')
        return [output('list-arrows', ...listArrows(gates, args))]
      }
    },
    {
      name: 'run-arrow',
      description: 'evaluate the clauses of an arrow',
      when: 'idle',
      isLong: true,
      async run(args, { signal }) {
        const ask = readRunArrow(args)
        return [output('run-arrow', ...('lines' in ask ? ask.lines : await run(ask, signal)))]
      }
    },
    {
      name: 'invalidate-arrow',
      description: 'void an arrow, so that it has to be run again',
      when: 'idle',
      run: lines('invalidate-arrow', (args) => invalidateCommand(gates, args, identity.current()))
    },
    {
      name: 'abort-pass',
      description: 'stop an open pass',
      when: 'idle',
      run: lines('abort-pass', (args) => abortPassCommand(gates, args))
    },
    {
      name: 'attest',
      description: 'record a verdict without the prompt',
      when: 'idle',
      run(args) {
        const { lines: said, settling } = attestCommand(gates, args, identity.current())
        void settling?.then((result) => result !== null && settled(result))
        return [output('attest', ...said)]
      }
    },
    {
      name: 'attestations',
      description: 'recorded verdicts, of one arrow or all',
      when: 'always',
      run: lines('attestations', (args) => listAttestations(gates, args))
    },
    {
      name: 'passes',
      description: 'open passes, or one pass',
      when: 'always',
      run: lines('passes', (args) => listPasses(gates, args, reads.pass))
    },
    {
      name: 'findings',
      description: 'findings by status',
      when: 'always',
      run: lines('findings', (args) => listFindings(gates, args))
    },
    {
      name: 'verdicts',
      description: 'what waits for your verdict',
      when: 'always',
      run() {
        showPanel('queue')
        void presenter.drain()
        return []
      }
    },
    {
      name: 'adversary',
      description: 'the adversarial cycle: enable, disable, status',
      when: 'idle',
      run: lines('adversary', (args) => adversary.command(args))
    },
    {
      name: 'status',
      description: 'the session, and the project against its grid',
      when: 'always',
      run(_, { state }) {
        const snapshot = snapshotOf(gates)
        const block = snapshot === null ? [] : statusBlock(snapshot, statusFacts())
        return [output('status', ...statusLines(state), ...block)]
      }
    }
  ]
}

/** The same names while no gate is open: each says why (OPUI-103). `reason` null: there is no grid. */
export function closedGateCommands(reason: string | null): readonly SlashCommand[] {
  const names = [
    ['op-id', 'identity that signs your verdicts'],
    ['list-arrows', 'the grid'],
    ['run-arrow', 'evaluate the clauses of an arrow'],
    ['invalidate-arrow', 'void an arrow'],
    ['abort-pass', 'stop an open pass'],
    ['attest', 'record a verdict'],
    ['attestations', 'recorded verdicts'],
    ['passes', 'open passes'],
    ['findings', 'findings by status'],
    ['verdicts', 'what waits for your verdict'],
    ['adversary', 'the adversarial cycle'],
    ['amendments', 'pending amendments'],
    ['drain-amendments', 'commit pending amendments']
  ] as const
  const noGrid = 'no grid; run `ghyll init` first'
  const status: SlashCommand = {
    name: 'status',
    description: 'model, modes, turn and the state of the gate',
    when: 'always',
    run: (_, { state }) => [
      output('status', ...statusLines(state), reason === null ? noGrid : `⚠ gates unavailable: ${reason}`)
    ]
  }
  const closed = names.map(([name, description]): SlashCommand => {
    const isReading = name === 'list-arrows'
    const line =
      reason === null ? `${isReading ? '' : '✗ '}${noGrid}` : `✗ engine not initialized; /${name} unavailable`
    return { name, description, when: 'always', run: () => [output(name, line)] }
  })
  return [...closed, status]
}
