import {
  announceCapped,
  carryOutAnswer,
  type DispatchResult,
  factsFor,
  type Gates,
  nextInDrain,
  type QueueItem,
  recordedLine,
  startDrain,
  type VerdictQueue,
  withdrawnLine
} from '../../gate/runner/index.ts'
import { messageOf } from '../../lib/error.ts'
import type { GatePrompt, PromptAnswer } from '../../protocol/gate-prompt.ts'
import { promptOf } from './prompt-view.ts'

/** One question at a time before the operator (OPUI-403…405); how it is shown is the surface's matter. */
export interface Presenter {
  /** Presents what waits, each item once per round; resolves when nothing is left to ask now. A second call joins the first. */
  drain(signal?: AbortSignal): Promise<void>
  /** Presents one item alone. */
  present(key: string): Promise<void>
  /** Nothing of the queue is asked before the next turn is over (OPUI-731). */
  skipAll(): void
  turnEnded(): void
  answer(answer: PromptAnswer): void
}

export type PresenterOptions = {
  readonly gates: Gates
  readonly queue: VerdictQueue
  readonly opId: () => string
  /** The surface. Without one nothing is asked: everything stays in the queue. */
  readonly show: ((prompt: GatePrompt, place: { readonly at: number; readonly of: number }) => void) | null
  readonly closed: (item: string, how: 'recorded' | 'skipped' | 'withdrawn', notice: string) => void
  readonly refused: (item: string, text: string) => void
  readonly print: (lines: readonly string[]) => void
  /** A parked pass came to its end (OPUI-324). */
  readonly settled: (result: DispatchResult) => void
}

type Ended = 'next' | 'stop'

export function createPresenter(options: PresenterOptions): Presenter {
  const { gates, queue, opId, show, closed, refused, print, settled } = options
  let current: { readonly item: QueueItem; end(how: Ended): void } | null = null
  let running: Promise<void> | null = null
  let isQuiet = false

  return {
    drain(signal) {
      if (show === null || isQuiet) return Promise.resolve()
      running ??= drainAll(signal).finally(() => {
        running = null
      })
      return running
    },
    async present(key) {
      await running
      const item = queue.get(key)
      if (item !== null && show !== null) await ask(item, { at: 1, of: 1 }, undefined)
    },
    skipAll() {
      isQuiet = true
      current?.end('stop')
    },
    turnEnded() {
      isQuiet = false
    },
    answer: take
  }

  async function drainAll(signal: AbortSignal | undefined): Promise<void> {
    queue.refill()
    let drain = startDrain(queue)
    for (;;) {
      const step = nextInDrain(drain, queue)
      if (step.kind === 'done') return
      if (step.kind === 'capped') return announceCapped(gates.bus, step.left)
      drain = step.drain
      const how = await ask(step.item, { at: step.place, of: step.drain.size }, signal)
      if (how === 'stop') return
    }
  }

  function ask(item: QueueItem, place: { readonly at: number; readonly of: number }, signal: AbortSignal | undefined) {
    return new Promise<Ended>((resolve) => {
      const end = (how: Ended) => {
        if (current?.item !== item) return
        current = null
        stopWatching()
        signal?.removeEventListener('abort', cancel)
        resolve(how)
      }
      const cancel = () => {
        closed(item.key, 'skipped', '')
        end('stop')
      }
      const stopWatching = queue.observe(() => {
        if (current?.item !== item || queue.get(item.key)?.seq === item.seq) return
        const reason = gates.history.latest(item.arrowId)?.closeReason ?? ''
        const isOver = gates.passes.get(item.passId) === null
        closed(item.key, 'withdrawn', isOver ? withdrawnLine(item.passId, reason) : '')
        end('next')
      })
      current = { item, end }
      signal?.addEventListener('abort', cancel, { once: true })
      show?.(promptOf(gates, item, factsFor(gates, item)), place)
    })
  }

  function take(answer: PromptAnswer): void {
    const open = current
    if (open === null || answer.item !== open.item.key) {
      refused(answer.item, 'this question is no longer open')
      return
    }
    const { item, end } = open
    switch (answer.kind) {
      case 'skip-prompt':
        queue.skip(item)
        closed(item.key, 'skipped', '')
        end('next')
        break
      case 'cancel-prompt':
        closed(item.key, 'skipped', '')
        end('stop')
        break
      case 'attest':
        record(item, answer.verdict, answer.text, end)
        break
      case 'answer-escalation':
        record(item, answer.choice, answer.text, end)
        break
      case 'answer-risk':
        record(item, answer.accepted ? 'accept' : 'reject', answer.rationale, end)
        break
      default:
        refused(answer.item, 'this question takes no such answer')
    }
  }

  function record(
    item: QueueItem,
    choice: Parameters<typeof carryOutAnswer>[3]['choice'],
    text: string,
    end: (how: Ended) => void
  ): void {
    // The queue drops an answered item by itself; until then nothing may take that for a withdrawal.
    current = null
    const outcome = carryOutAnswer(gates, queue, item, { kind: 'answer', choice, text, opId: opId() })
    current = { item, end }
    if (outcome.kind === 'refused') {
      refused(item.key, outcome.refusal.text)
      return
    }
    if (outcome.record !== null) print([recordedLine(outcome.record)])
    closed(item.key, 'recorded', '')
    end('next')
    outcome.settling.then(
      (result) => result !== null && settled(result),
      (thrown) => print([`✗ ${messageOf(thrown)}`])
    )
  }
}
