import { formatDuration } from '../../lib/duration.ts'
import type { ArgValue, Arrow, Binding, Clause, Extra, Grid, Retention } from '../../protocol/grid.ts'
import { defaultTimeoutMs } from '../catalogue/index.ts'
import { flowItem, keyLines, list, type YamlEntry } from './yaml-text.ts'

/** The text of a grid file: keys in the order in which a person reads them (INIT-72). */
export function gridText(grid: Grid): string {
  return [
    keyLines('', [
      ['grid-version', grid.version],
      ['contract-revision', grid.contractRevision],
      ['created-at', grid.createdAt],
      ['created-by-op-id', grid.createdByOpId],
      ['mode', grid.mode],
      ['languages', grid.languages]
    ]),
    list(
      '',
      'bounded-contexts',
      grid.boundedContexts.map((context) => blockItem(contextEntries(context)))
    ),
    bindingLines(grid.languageBindings),
    list(
      '',
      'depth-ladder',
      grid.depthLadder.map((label, tier) =>
        flowItem('  ', [
          ['tier', tier],
          ['label', label]
        ])
      )
    ),
    keyLines('', [
      ['severity-threshold', grid.severityThreshold],
      ['insufficient-basis-rounds-max', grid.insufficientBasisRoundsMax],
      ['remediation-rounds-max', grid.remediationRoundsMax],
      ['residue-note-max-bytes', grid.residueNoteMaxBytes],
      ['modal-pending-max-len', grid.modalPendingMaxLen],
      ['on-the-spot-interruptions', grid.onTheSpotInterruptions],
      ['strict-op-id-separation', grid.strictOpIdSeparation || undefined],
      ['retention', retentionValue(grid.retention)],
      ['amendment-id', grid.amendmentId ?? undefined],
      ['refusal-override', grid.refusalOverride ?? undefined],
      ...extraEntries(grid)
    ]),
    list('', 'arrows', grid.arrows.map(arrowText)),
    list(
      '',
      'residue',
      grid.residue.map((entry) =>
        flowItem('  ', [
          ['kind', entry.kind],
          ['arrow', entry.arrow],
          ['clause-id', entry.clauseId ?? undefined],
          ['concept', entry.concept ?? undefined],
          ['description', entry.description],
          ['cost', entry.cost ?? undefined],
          ['reason', entry.reason],
          ...extraEntries(entry)
        ])
      )
    )
  ].join('')
}

function contextEntries(context: Grid['boundedContexts'][number]): readonly YamlEntry[] {
  return [['id', context.id], ['description', context.description ?? undefined], ...extraEntries(context)]
}

/** A list item in block form at the top level. */
function blockItem(entries: readonly YamlEntry[]): string {
  return `  - ${keyLines('    ', entries).slice(4)}`
}

function bindingLines(bindings: Grid['languageBindings']): string {
  const entries = Object.entries(bindings)
  if (entries.length === 0) return ''
  return `language-bindings:\n${keyLines(
    '  ',
    entries.map(([key, binding]) => [key, bindingValue(key, binding)])
  )}`
}

/** The command alone where everything else is as it would be read anyway (CONC-15). */
function bindingValue(key: string, binding: Binding): ArgValue {
  const { command, protocol, timeoutMs, env, extractor, mapper } = binding
  const usual = defaultTimeoutMs(key.split('.', 1)[0] ?? '')
  const rest = {
    ...(protocol === 'auto' ? {} : { protocol }),
    ...(timeoutMs === usual ? {} : { timeout: formatDuration(timeoutMs) }),
    ...(env.length === 0 ? {} : { env })
  }
  if (command !== null && Object.keys(rest).length === 0) return command
  return {
    ...(command === null ? {} : { command }),
    ...(extractor === null ? {} : { extractor }),
    ...(mapper === null ? {} : { mapper }),
    ...rest
  }
}

function retentionValue(retention: Retention): ArgValue {
  if (retention.kind === 'keep-all') return 'keep-all'
  if (retention.kind === 'max-count') return { 'max-count': retention.count }
  return { 'max-age': formatDuration(retention.ageMs) }
}

function arrowText(arrow: Arrow): string {
  const { dependencies } = arrow
  const head = keyLines('    ', [
    ['id', arrow.id],
    ['source-role', arrow.sourceRole],
    ['target-role', arrow.targetRole],
    ['producer-role', arrow.producerRole],
    ['context', arrow.context],
    ['stratum', arrow.stratum],
    ['severity-threshold', arrow.severityThreshold ?? undefined],
    ...extraEntries(arrow)
  ])
  return [
    `  - ${head.slice(4)}`,
    list(
      '    ',
      'clauses',
      arrow.clauses.map((clause) => flowItem('      ', clauseEntries(clause)))
    ),
    list(
      '    ',
      'requirements',
      arrow.requirements.map((requirement) =>
        flowItem('      ', [
          ['id', requirement.id],
          ['min-depth', requirement.minDepth],
          ['description', requirement.description],
          ...extraEntries(requirement)
        ])
      )
    ),
    // Absent is not the same as none (GATE-90).
    dependencies === null
      ? ''
      : list(
          '    ',
          'dependencies',
          dependencies.map((dependency) =>
            flowItem('      ', [
              ['artifact', dependency.artifact],
              ['granularity', dependency.granularity],
              ['on-change', dependency.onChange],
              ...extraEntries(dependency)
            ])
          )
        )
  ].join('')
}

function clauseEntries(clause: Clause): readonly YamlEntry[] {
  const isDeferred = clause.missing.length > 0
  return [
    ['id', clause.id],
    ['description', clause.description],
    ['layers', clause.layers],
    ['eval', clause.eval],
    ['depth', clause.depth],
    ['min-tier', clause.minTier],
    ['cost', clause.cost],
    ['source', clause.source],
    ['concept', clause.concept ?? undefined],
    ['args', Object.keys(clause.args).length === 0 ? undefined : clause.args],
    ['modified', clause.modified.length === 0 ? undefined : clause.modified],
    ['deferred', isDeferred || undefined],
    ['missing', isDeferred ? clause.missing : undefined],
    ...extraEntries(clause)
  ]
}

function extraEntries({ extra }: Extra): readonly YamlEntry[] {
  return Object.entries(extra ?? {})
}
