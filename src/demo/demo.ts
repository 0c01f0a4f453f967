import { once } from 'node:events'
import { type ReceivedRequest, scriptedModels, startEndpoint } from './endpoint.ts'
import type { DemoHost } from './host.ts'
import { type DemoPlace, demoConfig, makeDemoPlace } from './sample.ts'
import { defaultScript } from './scenes/index.ts'
import { playTour } from './tour.ts'
import { tourSteps } from './tour-steps.ts'
import { watchSession } from './watch.ts'

export type DemoOptions = {
  readonly mode: 'screen' | 'auto' | 'serve'
  /** Port of the endpoint; 0 takes a free one. */
  readonly port: number
  readonly env: NodeJS.ProcessEnv
  readonly print: (line: string) => void
  /** Ends the demo from outside; what it made is removed all the same. */
  readonly signal: AbortSignal
}

/** The first thing a visitor has to know is what can be said here. */
const greeting =
  'a script answers here, no model; what it does is real, in a folder that goes away afterwards. ' +
  'Say "make the cart total include tax", or anything else for a list of what it can do. ' +
  'Its gates are declared: /list-arrows shows them, and r on an arrow runs it'

/** Longest wait for one event of the tour. */
const limitMs = 60_000

/**
 * `ghyll demo` (CLI-035). Resolves with the exit code: of the screen; of the tour, 0 only when every step did what it should;
 * 130 when ended from outside. Rejects with `EndpointUnavailable` when the port is taken.
 */
export async function runDemo(options: DemoOptions, host: DemoHost): Promise<number> {
  const requests: ReceivedRequest[] = []
  const endpoint = await startEndpoint({
    script: defaultScript,
    port: options.port,
    speed: options.mode === 'auto' ? 5 : 1, // Nobody reads along.
    // Only the tour looks at them; a server left running would only grow.
    onRequest: (request) => options.mode === 'auto' && requests.push(request)
  })
  try {
    if (options.mode === 'serve') return await serve(endpoint.url, options)
    const place = await makeDemoPlace(endpoint.url, options.env, host.declareGates)
    try {
      return options.mode === 'auto'
        ? await tour(place, requests, options, host)
        : await host.openScreen(place, greeting)
    } finally {
      await place.remove()
    }
  } finally {
    await endpoint.close()
  }
}

async function serve(url: string, { print, signal }: DemoOptions): Promise<number> {
  print(
    `scripted endpoint (no model behind it) listening on ${url}; models ${scriptedModels.join(', ')}; Ctrl+C ends it`
  )
  print('')
  print(demoConfig(url).trimEnd())
  if (!signal.aborted) await once(signal, 'abort')
  return 130
}

async function tour(
  place: DemoPlace,
  requests: readonly ReceivedRequest[],
  { print, signal }: DemoOptions,
  host: DemoHost
): Promise<number> {
  print(`ghyll demo: a tour on the scripted endpoint (no model behind it), in ${place.project}`)
  const session = await host.openSession(place)
  const watch = watchSession(session, limitMs)
  const leave = () => session.dispatch({ kind: 'leave', reason: 'signal' })
  signal.addEventListener('abort', leave, { once: true })
  try {
    const held = await playTour(tourSteps, { place, session, watch, requests, command: host.command }, print)
    if (!held && !signal.aborted) leave()
    await session.ended
    return signal.aborted ? 130 : held ? 0 : 1
  } finally {
    watch.stop()
    signal.removeEventListener('abort', leave)
  }
}
