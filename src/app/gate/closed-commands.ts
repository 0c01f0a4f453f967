import { output, type SlashCommand, statusLines } from '../../agent/session/index.ts'
import { noGrid } from '../../gate/runner/index.ts'
import { type Identity, opIdCommand } from './op-id.ts'

const names = [
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

/** The slash commands while no gate is open: each says why (OPUI-103). `reason` null: there is no grid. */
export function closedGateCommands(reason: string | null, identity: Identity): readonly SlashCommand[] {
  const status: SlashCommand = {
    name: 'status',
    description: 'model, modes, turn and the state of the gate',
    when: 'always',
    run: (_, { state }) => [
      output('status', ...statusLines(state), reason === null ? noGrid.text : `⚠ gates unavailable: ${reason}`)
    ]
  }
  const closed = names.map(([name, description]): SlashCommand => {
    return { name, description, when: 'always', run: () => [{ ...output(name, lineOf(name, reason)), failed: true }] }
  })
  // Who somebody is does not depend on a grid.
  return [opIdCommand(identity), ...closed, status]
}

function lineOf(name: string, reason: string | null): string {
  if (reason !== null) return `✗ engine not initialized; /${name} unavailable`
  return name === 'list-arrows' ? noGrid.text : `✗ ${noGrid.text}`
}
