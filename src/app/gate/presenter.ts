import {
  announceCapped,
  carryOutAnswer,
  factsFor,
  type Gates,
  nextInDrain,
  type PromptEffect,
  type PromptFacts,
  type QueueItem,
  recordedLine,
  startDrain,
  type VerdictQueue,
  withdrawnLine
} from '../../gate/runner/index.ts'
import { letBugsThrough } from '../../lib/assert.ts'
import { messageOf } from '../../lib/error.ts'

export type Place = { readonly at: number; readonly of: number }

/** Where questions are shown. It shows one at a time and answers with the item's key. */
export interface Surface {
  show(item: QueueItem, facts: PromptFacts, place: Place): void
  closed(item: string, how: 'recorded' | 'skipped' | 'withdrawn', notice: string): void
  /** The answer could not be recorded; the question stays (OPUI-405). */
  refused(item: string, text: string): void
}

/** What the operator said to a question, once it is complete. */
export type PromptReply =
  | Omit<Extract<PromptEffect, { kind: 'answer' }>, 'opId'>
  | Exclude<PromptEffect, { kind: 'answer' | 'op-id' }>

/** One question at a time before the operator (OPUI-403…405); how it is shown is the surface's matter. */
export interface Presenter {
  /** Presents what waits, each item once per round; resolves when nothing is left to ask now. A second call joins the first. */
  drain(signal?: AbortSignal): Promise<void>
  /** The operator wants to see what waits, even what was put off for this turn. */
  drainNow(): Promise<void>
  /** Presents one item alone. */
  present(key: string): Promise<void>
  /** Nothing of the queue is asked before the next turn is over (OPUI-731). */
  skipAll(): void
  turnEnded(): void
  answer(key: string, reply: PromptReply): void
  /** Does something that asks by itself while no question of the queue is open; none opens before its end. null: interrupted meanwhile. */
  alone<Result>(work: () => Promise<Result | null>, signal: AbortSignal): Promise<Result | null>
}

export type PresenterOptions = {
  readonly gates: Gates
  readonly queue: VerdictQueue
  readonly opId: () => string
  /** null: nobody is there to be asked, and everything stays in the queue. */
  readonly surface: Surface | null
  readonly print: (lines: readonly string[]) => void
  /** A settlement under way: the session does not end before it. */
  readonly settling: (work: Promise<unknown>) => void
}

type Ended = 'next' | 'stop'

/** A presenter that shows nothing before it is asked to (OPUI-403). */
export function createPresenter({ gates, queue, opId, surface, print, settling }: PresenterOptions): Presenter {
  let current: { readonly item: QueueItem; end(how: Ended): void } | null = null
  let running: Promise<void> | null = null
  /** A question that is none of the queue's. */
  let other: Promise<unknown> | null = null
  let isQuiet = false

  const drain: Presenter['drain'] = async (signal) => {
    if (surface === null) return
    while (other !== null) await other
    if (isQuiet || signal?.aborted === true) return
    running ??= drainAll(surface).finally(() => {
      running = null
    })
    signal?.addEventListener('abort', cancel, { once: true })
    await running
    signal?.removeEventListener('abort', cancel)
  }

  return {
    drain,
    drainNow() {
      isQuiet = false
      return drain()
    },
    async present(key) {
      while (running !== null || other !== null) await (running ?? other)
      const item = queue.get(key)
      if (item === null || surface === null) return
      running = ask(surface, item, { at: 1, of: 1 }).then(() => {
        running = null
      })
      await running
    },
    skipAll() {
      isQuiet = true
      cancel()
    },
    turnEnded() {
      isQuiet = false
    },
    async alone(work, signal) {
      const interrupted = aborted(signal)
      while ((running !== null || other !== null) && !signal.aborted)
        await Promise.race([running ?? other, interrupted])
      if (signal.aborted) return null
      const done = work()
      const settled = done.then(
        () => undefined,
        () => undefined
      )
      other = settled
      void settled.then(() => {
        other = null
      })
      return done
    },
    answer(key, reply) {
      if (surface === null) return
      if (current?.item.key !== key) surface.refused(key, 'this question is no longer open')
      else if (reply.kind === 'cancel') cancel()
      else if (reply.kind === 'answer') record(surface, current, reply)
      else {
        const { item } = current
        close(surface, current, 'skipped', 'next')
        queue.skip(item)
      }
    }
  }

  async function drainAll(to: Surface): Promise<void> {
    try {
      queue.refill()
      let state = startDrain(queue)
      for (;;) {
        const step = nextInDrain(state, queue)
        if (step.kind === 'done') return
        if (step.kind === 'capped') return announceCapped(gates.bus, step.left)
        state = step.drain
        if ((await ask(to, step.item, { at: step.place, of: state.size })) === 'stop') return
      }
    } catch (thrown) {
      letBugsThrough(thrown)
      // What was not answered is in the queue still, and whoever waits for the drain goes on (OPUI-404).
      print([`⚠ modal error: ${messageOf(thrown)}`])
    }
  }

  function ask(to: Surface, item: QueueItem, place: Place): Promise<Ended> {
    return new Promise((resolve) => {
      const stopWatching = queue.observe(() => {
        if (current?.item !== item || queue.get(item.key)?.seq === item.seq) return
        close(to, current, 'withdrawn', 'next', withdrawalOf(item))
      })
      current = {
        item,
        end(how) {
          current = null
          stopWatching()
          resolve(how)
        }
      }
      to.show(item, factsFor(gates, item), place)
    })
  }

  /** Nothing to say when another way brought the answer. */
  function withdrawalOf({ passId, arrowId }: QueueItem): string {
    const reason = gates.history.latest(arrowId)?.closeReason ?? ''
    return gates.passes.get(passId) === null ? withdrawnLine(passId, reason) : ''
  }

  /** A round of the cycle waits for the answer to a risk, so that leaving is an answer there: the finding stays open (RUN-633). */
  function cancel(): void {
    if (current !== null && surface !== null) close(surface, current, 'skipped', 'stop')
    for (const item of queue.items()) if (item.type === 'risk') queue.skip(item)
  }

  function close(
    to: Surface,
    { item, end }: NonNullable<typeof current>,
    how: Parameters<Surface['closed']>[1],
    next: Ended,
    notice = ''
  ): void {
    end(next)
    to.closed(item.key, how, notice)
  }

  function record(
    to: Surface,
    open: NonNullable<typeof current>,
    reply: Extract<PromptReply, { kind: 'answer' }>
  ): void {
    // The queue drops an answered item by itself, which is no withdrawal.
    current = null
    const outcome = carryOutAnswer(gates, queue, open.item, { ...reply, opId: opId() })
    current = open
    if (outcome.kind === 'refused') {
      to.refused(open.item.key, outcome.refusal.text)
      return
    }
    settling(outcome.settling)
    if (outcome.record !== null) print([recordedLine(outcome.record)])
    close(to, open, 'recorded', 'next')
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
