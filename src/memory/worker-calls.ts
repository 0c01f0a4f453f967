import { once } from 'node:events'
import { parentPort, Worker } from 'node:worker_threads'
import { assert } from '../lib/assert.ts'

// Questions and answers between a thread and its worker, one message each way. A worker answers in the order it was asked, ends by
// itself once it is told to, and does not keep the process alive while nobody waits for it.

type Request<Ask> = { readonly id: number; readonly ask: Ask } | { readonly close: true }
type Reply<Answer> =
  | { readonly id: number; readonly answer: Answer }
  | { readonly id: number; readonly trouble: string }

/** What went wrong in the worker, or with it; `timed-out` leaves it running. */
export class WorkerTrouble extends Error {
  readonly kind: 'refused' | 'timed-out' | 'gone'
  constructor(kind: WorkerTrouble['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}

export interface WorkerCalls<Ask, Answer> {
  /** Rejects with `WorkerTrouble`; an answer that comes after `timeoutMs` is dropped. */
  call(ask: Ask, timeoutMs: number): Promise<Answer>
  /** Lets the worker answer what it was asked, clean up and end; after `graceMs` it is ended. */
  close(graceMs?: number): Promise<void>
}

type Waiting<Answer> = {
  resolve(answer: Answer): void
  reject(trouble: WorkerTrouble): void
}

/** Starts the worker of `entry` at the first call, and again at the next one after it died; `data` is its `workerData` (MEM-116). */
export function createWorkerCalls<Ask, Answer>(entry: URL, data: unknown): WorkerCalls<Ask, Answer> {
  const waiting = new Map<number, Waiting<Answer>>()
  let worker: Worker | null = null
  let closed = false
  let nextId = 1

  const settle = (id: number): Waiting<Answer> | undefined => {
    const found = waiting.get(id)
    waiting.delete(id)
    if (waiting.size === 0) worker?.unref()
    return found
  }
  const start = (): Worker => {
    // What a library prints must not land on the screen.
    const started = new Worker(entry, { workerData: data, stdout: true, stderr: true })
    started.stdout.resume()
    started.stderr.resume()
    let reason = 'the worker has ended'
    started.on('message', (reply: Reply<Answer>) => {
      const asked = settle(reply.id)
      if ('answer' in reply) asked?.resolve(reply.answer)
      else asked?.reject(new WorkerTrouble('refused', reply.trouble))
    })
    started.on('error', (error) => {
      reason = error instanceof Error ? error.message : String(error)
    })
    started.on('exit', () => {
      worker = null
      for (const id of [...waiting.keys()]) settle(id)?.reject(new WorkerTrouble('gone', reason))
    })
    return started
  }

  return {
    call(ask, timeoutMs) {
      if (closed) return Promise.reject(new WorkerTrouble('gone', 'the worker has ended'))
      worker ??= start()
      worker.ref()
      const id = nextId++
      worker.postMessage({ id, ask } satisfies Request<Ask>)
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          settle(id)?.reject(new WorkerTrouble('timed-out', `no answer within ${timeoutMs} ms`))
        }, timeoutMs)
        const done =
          <T>(then: (value: T) => void) =>
          (value: T) => {
            clearTimeout(timer)
            then(value)
          }
        waiting.set(id, { resolve: done(resolve), reject: done(reject) })
      })
    },
    async close(graceMs = 2000) {
      closed = true
      const running = worker
      if (running === null) return
      const ended = once(running, 'exit')
      running.ref()
      running.postMessage({ close: true } satisfies Request<Ask>)
      const timer = setTimeout(() => void running.terminate(), graceMs)
      await ended
      clearTimeout(timer)
    }
  }
}

/** The worker's side: answers one question after the other with `answer`, and calls `close` before it ends (MEM-116). */
export function serveCalls<Ask, Answer>(
  answer: (ask: Ask) => Answer | Promise<Answer>,
  close: () => void | Promise<void>
): void {
  const port = parentPort
  assert(port !== null, 'serveCalls runs in a worker')
  let last: Promise<void> = Promise.resolve()
  port.on('message', (request: Request<Ask>) => {
    last = last.then(async () => {
      if ('close' in request) {
        await close()
        port.close()
        return
      }
      port.postMessage(await replyTo(request, answer))
    })
  })
}

async function replyTo<Ask, Answer>(
  { id, ask }: { readonly id: number; readonly ask: Ask },
  answer: (ask: Ask) => Answer | Promise<Answer>
): Promise<Reply<Answer>> {
  try {
    return { id, answer: await answer(ask) }
  } catch (error) {
    return { id, trouble: error instanceof Error ? error.message : String(error) }
  }
}
