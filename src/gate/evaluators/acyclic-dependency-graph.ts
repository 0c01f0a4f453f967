import type { EvaluationResult } from '../../protocol/gate.ts'
import type { Binding } from '../../protocol/grid.ts'
import { textArg } from './args.ts'
import { notRunnable, reportOf } from './binding-report.ts'
import { type BindingRun, runBinding } from './binding-run.ts'
import { commandOf, protocolOf, scopeOf } from './bound-check.ts'
import { findCycles } from './cycles.ts'
import type { Machine } from './machine.ts'
import { recordedText } from './mask.ts'
import { type Details, evaluator, failed, listed, unevaluated } from './result.ts'
import { conclude } from './scan.ts'

type Graph = { readonly fails: boolean; readonly isEmpty: boolean; readonly details: Details }

/** The dependencies form no cycle; with a list of edges the cycles are found here (CONC-61). */
export const acyclicDependencyGraph = (machine: Machine, binding: Binding) =>
  evaluator(async (context) => {
    const kind = textArg(context.args, 'kind')
    const scan = await scopeOf(context)
    const protocol = protocolOf(binding, ['auto', 'json', 'edges'])
    const run = await runBinding(machine, context, {
      command: commandOf(binding),
      binding,
      timeoutMs: binding.timeoutMs
    })
    const isJson =
      protocol === 'json' || (protocol === 'auto' && 'stdout' in run && run.stdout.trimStart().startsWith('{'))
    const graph = isJson ? fromReport(run) : fromEdges(run, kind)
    if ('status' in graph) return { ...graph, details: { 'files-in-scope': scan.fileCount, ...graph.details } }
    return conclude(scan, {
      fails: graph.fails,
      vacuous: graph.isEmpty && scan.fileCount === 0,
      details: graph.details
    })
  })

function fromReport(run: BindingRun): Graph | EvaluationResult {
  const report = reportOf(run, 'json')
  if ('status' in report) return report
  const { cycles } = report.details
  if (cycles !== undefined && !Array.isArray(cycles))
    return failed({ error: 'evaluator-output-malformed', detail: 'cycles is a list' })
  return { fails: !report.pass || (cycles?.length ?? 0) > 0, isEmpty: true, details: report.details }
}

function fromEdges(run: BindingRun, kind: string): Graph | EvaluationResult {
  if ('settled' in run) return run.settled
  const { code, stdout, stderr } = run
  const kept = stderr === '' ? {} : { stderr: recordedText(stderr) }
  if (code !== 0)
    return unevaluated('evaluator-error', {
      error: 'evaluator-error',
      detail: notRunnable(code) ?? 'the extractor failed',
      'exit-code': code,
      ...kept
    })
  const edges: (readonly [string, string])[] = []
  for (const [index, line] of stdout.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue
    const [from, to, ...more] = line.trim().split(/\s+/)
    if (from === undefined || to === undefined || more.length > 0)
      return failed({ error: 'evaluator-output-malformed', line: index + 1, output: recordedText(line), ...kept })
    edges.push([from, to])
  }
  const cycles = findCycles(edges).map((path) => ({ path, kind }))
  return {
    fails: cycles.length > 0,
    isEmpty: edges.length === 0,
    details: { 'edge-count': edges.length, ...listed('cycles', cycles), ...kept }
  }
}
