import { setTimeout as sleep } from 'node:timers/promises'
import { type BenchOptions, type Figure, median, percentile, type Row } from '../figure.ts'
import { type Cost, type Program, startProgram } from '../program.ts'

/** TERM-71: a reply of 5,000 tokens at 500 a second with keys meanwhile, and 60,000 tokens as fast as they are read. */
export const streaming: Figure = {
  name: 'streaming',
  id: 'TERM-71',
  async measure(bench, options) {
    const place = await bench.fresh()
    const warmUp = await startProgram(place)
    await warmUp.reply('bench 500 500')
    await warmUp.close()
    const program = await startProgram(place)
    try {
      return await streamingRows(program, options, '')
    } finally {
      await program.close()
    }
  }
}

/** The rows of TERM-71 in a program that is already open; `behind` says what lies behind it. */
export async function streamingRows(program: Program, { runs }: BenchOptions, behind: string): Promise<Row[]> {
  const steady: Cost[] = []
  const keyTimes: number[] = []
  for (let run = 0; run < runs; run += 1) {
    const cost = await program.reply('bench 5000 500', async () => {
      keyTimes.push(await program.key())
      await sleep(250)
    })
    steady.push(cost)
  }
  const burst: Cost[] = []
  for (let run = 0; run < runs; run += 1) burst.push(await program.reply('bench 60000 0'))
  const of = (costs: readonly Cost[], part: keyof Cost) => median(costs.map((cost) => cost[part]))
  return [
    { what: `5,000 tokens at 500/s${behind}: processor`, value: of(steady, 'cpuSeconds'), unit: 's', target: 2 },
    { what: `5,000 tokens at 500/s${behind}: output`, value: of(steady, 'bytes') / 1000, unit: 'kB', target: 300 },
    {
      what: `key meanwhile${behind}, 95th percentile`,
      value: percentile(keyTimes, 0.95),
      unit: 'ms',
      target: 33,
      note: `${keyTimes.length} keys, median ${median(keyTimes).toFixed(1)} ms`
    },
    { what: `60,000 tokens at once${behind}: on screen`, value: of(burst, 'ms') / 1000, unit: 's', target: 4 },
    { what: `60,000 tokens at once${behind}: processor`, value: of(burst, 'cpuSeconds'), unit: 's', target: 3 }
  ]
}
