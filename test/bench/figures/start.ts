import { execa } from 'execa'
import { ghyllPath } from '../../support/ghyll.ts'
import { type Figure, median } from '../figure.ts'
import { startProgram } from '../program.ts'

/** TERM-70: start to the first frame that takes keys; cold beside it; and what a bare Node costs here, to judge the machine by. */
export const start: Figure = {
  name: 'start',
  id: 'TERM-70',
  async measure(bench, { runs }) {
    const place = await bench.fresh()
    const firstFrame: number[] = []
    const echo: number[] = []
    for (let run = 0; run <= runs; run += 1) {
      const program = await startProgram(place)
      firstFrame.push(program.firstFrameMs)
      echo.push(await program.key())
      await program.close()
    }
    const [cold = Number.NaN, ...warm] = firstFrame
    const [, ...warmEcho] = echo
    const version = await timed(runs, ghyllPath, ['version'])
    const bare = await timed(runs, process.execPath, ['--eval', 'console.log("word")'])
    return [
      { what: 'start to first frame, warm', value: median(warm), unit: 'ms', target: 400 },
      { what: 'start to first frame, cold', value: cold, unit: 'ms' },
      { what: 'key written at that moment', value: median(warmEcho), unit: 'ms', target: 33 },
      { what: 'ghyll version', value: version, unit: 'ms' },
      { what: 'bare Node that prints a word', value: bare, unit: 'ms', note: 'for comparison' }
    ]
  }
}

async function timed(runs: number, command: string, args: readonly string[]): Promise<number> {
  const took: number[] = []
  for (let run = 0; run <= runs; run += 1) {
    const began = performance.now()
    await execa(command, args)
    took.push(performance.now() - began)
  }
  return median(took.slice(1))
}
