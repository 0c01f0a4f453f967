import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makePlace, type Place, twoModels } from '../support/place.ts'

/** Where the figures are taken: the endpoint's address, and places whose program points at it. */
export type BenchPlace = {
  readonly endpointUrl: string
  /** A new home and project; its first start is a cold one, as the compile cache is inside it too. */
  fresh(): Promise<Place>
  close(): Promise<void>
}

/** Starts the endpoint's process. */
export async function openBenchPlace(): Promise<BenchPlace> {
  const endpoint = fork(fileURLToPath(new URL('endpoint.ts', import.meta.url)), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc']
  })
  const [{ url }] = (await once(endpoint, 'message')) as [{ url: string }]
  const made: Place[] = []
  return {
    endpointUrl: url,
    async fresh() {
      // Routing is off: a switch of models in the middle would be measured as well.
      const config = twoModels(url).replace('[routing]\n', '[routing]\nenable_auto_routing = false\n')
      const place = await makePlace({ config })
      made.push(place)
      const temporary = join(place.root, 'tmp')
      await mkdir(temporary)
      place.env.TMPDIR = temporary
      return place
    },
    async close() {
      endpoint.disconnect()
      await Promise.all(made.map((place) => place.remove()))
    }
  }
}
