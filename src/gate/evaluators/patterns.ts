import { Worker } from 'node:worker_threads'
import { messageOf } from '../../lib/error.ts'
import type { EvaluationContext } from '../../protocol/evaluation.ts'
import { type PatternAnswer, type PatternRequest, patternWorker } from './pattern-worker.ts'
import { stopIfCancelled, Undecided, undecidedByCancel } from './result.ts'

/** Time all patterns of one clause get together (CONC-33), in milliseconds. */
export const patternBudgetMs = 10_000

/** Searches lines with the patterns of one clause. */
export interface Patterns {
  /** Rejects with `Undecided`: `evaluator-timeout` over the budget, `evaluator-cancelled`, `evaluator-error`. */
  search(request: PatternRequest): Promise<PatternAnswer>
}

/**
 * Lends `use` a thread for the patterns of one clause, started at the first search and ended with it (CONC-33). `budgetMs` is the time
 * all searches get together; what lies between them does not count.
 */
export async function withPatterns<Result>(
  { signal }: Pick<EvaluationContext, 'signal'>,
  use: (patterns: Patterns) => Promise<Result>,
  budgetMs = patternBudgetMs
): Promise<Result> {
  let worker: Worker | null = null
  let leftMs = budgetMs
  const search = async (request: PatternRequest) => {
    stopIfCancelled({ signal })
    worker ??= await startWorker()
    const startedAt = performance.now()
    try {
      return await ask(worker, request, leftMs, budgetMs, signal)
    } finally {
      leftMs = Math.max(0, leftMs - (performance.now() - startedAt))
    }
  }
  try {
    return await use({ search })
  } finally {
    await (worker as Worker | null)?.terminate()
  }
}

/** Compiles a pattern as it will be run, or stops with what is wrong with it (CONC-33). */
export function compilePattern(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u')
  } catch (thrown) {
    throw new Undecided('evaluator-error', `invalid pattern: ${messageOf(thrown)}`)
  }
}

/** As `compilePattern`, for where counting or capturing would make no sense of empty matches (CONC-33). */
export function compileNonEmpty(pattern: string): RegExp {
  const expression = compilePattern(pattern)
  if (expression.test('')) throw new Undecided('evaluator-error', 'pattern matches the empty string')
  return expression
}

/** Number of capture groups of a pattern that compiles (CONC-72). */
export function captureCount(pattern: string): number {
  // With an empty alternative behind it the pattern matches the empty text, and the match lists every group.
  return (new RegExp(`${pattern}|`, 'u').exec('')?.length ?? 1) - 1
}

async function startWorker(): Promise<Worker> {
  const code = `(${patternWorker.toString()})(require('node:worker_threads').parentPort)`
  const worker = new Worker(code, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 256 } })
  await new Promise<void>((resolve, reject) => worker.once('online', resolve).once('error', reject))
  return worker
}

function ask(
  worker: Worker,
  request: PatternRequest,
  leftMs: number,
  budgetMs: number,
  signal: AbortSignal
): Promise<PatternAnswer> {
  return new Promise((resolve, reject) => {
    const finish = (act: () => void) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', cancel)
      worker.off('message', answer)
      worker.off('error', fail)
      act()
    }
    const stop = (undecided: Undecided) =>
      finish(() => {
        reject(undecided)
        void worker.terminate()
      })
    const answer = (found: PatternAnswer) => finish(() => resolve(found))
    const fail = (thrown: unknown) => stop(new Undecided('evaluator-error', `pattern: ${messageOf(thrown)}`))
    const cancel = () => stop(undecidedByCancel())
    const expire = () =>
      stop(new Undecided('evaluator-timeout', 'evaluator-timeout', { 'timed-out-after': `${budgetMs / 1000}s` }))
    const timer = setTimeout(expire, leftMs)
    signal.addEventListener('abort', cancel, { once: true })
    worker.once('message', answer)
    worker.once('error', fail)
    worker.postMessage(request)
  })
}
