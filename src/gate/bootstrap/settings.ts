import type { Grid, ResidueEntry } from '../../protocol/grid.ts'
import { positiveProblem } from '../runner/grid-check.ts'
import { defaultLadder, readLadder } from '../runner/ladder.ts'
import { isLaxer, isSeverity } from '../runner/severity.ts'
import { InitFailure } from './errors.ts'
import { readRetention } from './grid-shape.ts'
import { oneLine, thresholdLaxer } from './residue-entries.ts'
import { parseSafeYaml } from './safe-yaml.ts'

export type GridSettings = Pick<
  Grid,
  | 'depthLadder'
  | 'severityThreshold'
  | 'insufficientBasisRoundsMax'
  | 'remediationRoundsMax'
  | 'residueNoteMaxBytes'
  | 'modalPendingMaxLen'
  | 'strictOpIdSeparation'
  | 'retention'
>

/** What a grid is set to unless somebody says otherwise (INIT-6, INIT-70). */
export const defaultSettings: GridSettings = {
  depthLadder: defaultLadder,
  severityThreshold: 'medium',
  insufficientBasisRoundsMax: 3,
  remediationRoundsMax: 5,
  residueNoteMaxBytes: 16_384,
  modalPendingMaxLen: 64,
  strictOpIdSeparation: false,
  retention: { kind: 'keep-all' }
}

export type ReadSettings = { readonly settings: GridSettings; readonly residue: readonly ResidueEntry[] }

/** Reads `--set <key>=<value>` declarations, later ones over earlier ones (INIT-6). Throws `InitFailure`. */
export function readSettings(declarations: readonly string[]): ReadSettings {
  let read: ReadSettings = { settings: defaultSettings, residue: [] }
  for (const text of declarations) {
    const equals = text.indexOf('=')
    const key = equals === -1 ? text : text.slice(0, equals)
    const value = equals === -1 ? '' : text.slice(equals + 1).trim()
    const name = key.trim()
    const change = Object.hasOwn(readers, name) ? readers[name] : undefined
    if (change === undefined) throw new InitFailure(`unknown setting "${key}"`, 'usage')
    const { settings, residue = read.residue } = change(value)
    read = { settings: { ...read.settings, ...settings }, residue }
  }
  return read
}

type Change = { readonly settings: Partial<GridSettings>; readonly residue?: readonly ResidueEntry[] }

const counter =
  (key: string, field: keyof GridSettings, zeroIsDefault = false) =>
  (text: string): Change => {
    const value = Number(text === '' ? Number.NaN : text)
    if (zeroIsDefault && value === 0) return { settings: { [field]: defaultSettings[field] } }
    const problem = positiveProblem(key, value)
    if (problem !== null) throw new InitFailure(problem)
    return { settings: { [field]: value } }
  }

const readers: Readonly<Record<string, (text: string) => Change>> = {
  'insufficient-basis-rounds-max': counter('insufficient-basis-rounds-max', 'insufficientBasisRoundsMax'),
  'remediation-rounds-max': counter('remediation-rounds-max', 'remediationRoundsMax'),
  'residue-note-max-bytes': counter('residue-note-max-bytes', 'residueNoteMaxBytes', true),
  'modal-pending-max-len': counter('modal-pending-max-len', 'modalPendingMaxLen', true),
  'severity-threshold': severityThreshold,
  'strict-op-id-separation': (text) => {
    if (text !== 'true' && text !== 'false') throw new InitFailure('strict-op-id-separation is true or false')
    return { settings: { strictOpIdSeparation: text === 'true' } }
  },
  retention: (text) => {
    const retention = text === '' ? null : readRetention(yamlOf(text))
    if (retention === null)
      throw new InitFailure('retention is keep-all, {max-count: <n>} or {max-age: <duration such as 720h>}')
    return { settings: { retention } }
  },
  'depth-ladder': (text) => {
    const labels = yamlOf(text)
    const read = readLadder(Array.isArray(labels) ? labels : [])
    if ('problem' in read) throw new InitFailure(read.problem)
    return { settings: { depthLadder: read.ladder } }
  }
}

/** `<severity>`, and behind a comma why it is laxer than `medium`, without which it is refused (GATE-70). */
function severityThreshold(text: string): Change {
  const [word = '', ...rest] = text.split(',')
  const threshold = word.trim()
  const reason = oneLine(rest.join(','))
  if (!isSeverity(threshold)) throw new InitFailure(`severity-threshold is no severity: "${threshold}"`)
  if (!isLaxer(threshold, 'medium')) return { settings: { severityThreshold: threshold }, residue: [] }
  if (reason === '') throw new InitFailure('severity-threshold-weakened: laxer than medium needs a reason')
  return { settings: { severityThreshold: threshold }, residue: [thresholdLaxer(threshold, reason)] }
}

function yamlOf(text: string): unknown {
  const read = parseSafeYaml(text)
  return 'value' in read ? read.value : null
}
