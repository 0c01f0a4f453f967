import { type ReceivedRequest, startEndpoint } from '../../src/demo/endpoint.ts'
import { defaultScript } from '../../src/demo/scenes/index.ts'
import type { Reply, Scene, Script } from '../../src/demo/script.ts'

/** The scripted endpoint for a test: replies in a given order, and what was asked. Wire faults are its `raw` ending. */
export type ModelServer = {
  /** Value of a model's `endpoint`. */
  readonly url: string
  readonly port: number
  /** Every chat request so far. */
  readonly requests: readonly ReceivedRequest[]
  /** These answer the next requests, one each, before the script is asked again. */
  reply(...replies: readonly Reply[]): void
  /** Resolves with request number `count` (from 1), at once when it is there. */
  request(count: number): Promise<ReceivedRequest>
  close(): Promise<void>
}

/** Starts it on a free port; without queued replies it plays the demo's script, or the one given. */
export async function startModelServer(script: Script = defaultScript): Promise<ModelServer> {
  const requests: ReceivedRequest[] = []
  const queue: Reply[] = []
  const waiting = new Set<() => void>()
  const queued: Scene = { name: 'queued', play: () => queue.shift() ?? null }
  const endpoint = await startEndpoint({
    script: { ...script, scenes: [queued, ...script.scenes] },
    onRequest(request) {
      requests.push(request)
      for (const look of [...waiting]) look()
    }
  })
  return {
    url: endpoint.url,
    port: endpoint.port,
    requests,
    reply: (...replies) => queue.push(...replies),
    request(count) {
      return new Promise((resolve) => {
        const look = () => {
          const request = requests[count - 1]
          if (request === undefined) return
          waiting.delete(look)
          resolve(request)
        }
        waiting.add(look)
        look()
      })
    },
    close: endpoint.close
  }
}

/** Bytes as the whole answer of a request, for what no orderly server sends. */
export function rawReply(
  body: Iterable<string | Uint8Array>,
  { status = 200, type = 'text/event-stream', cut = false, headers = {} } = {}
): Reply {
  return { ending: { kind: 'raw', status, headers: { 'content-type': type, ...headers }, body, cut } }
}
