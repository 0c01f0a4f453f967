import { keys } from '../../support/keys.ts'
import { residentMiB } from '../../support/process-stats.ts'
import { type Figure, median, percentile } from '../figure.ts'
import { settled, size, startProgram } from '../program.ts'
import { streamingRows } from './streaming.ts'

const linesAReply = 2000

/** TERM-72, TERM-73: the same with a long transcript behind it; resize, scrolling and memory then. */
export const history: Figure = {
  name: 'history',
  id: 'TERM-72',
  async measure(bench, options) {
    const program = await startProgram(await bench.fresh())
    const { terminal } = program
    try {
      for (let lines = 0; lines < options.historyLines; lines += linesAReply)
        await program.reply(`lines ${linesAReply}`)
      const loaded = residentMiB(terminal.pid)
      const behind = `, ${options.historyLines.toLocaleString('en')} lines behind`
      const rows = await streamingRows(program, options, behind)

      const resizes: number[] = []
      for (const cols of [120, size.cols, 70, size.cols, 140, size.cols]) {
        resizes.push(await settled(terminal, () => terminal.resize(cols, size.rows)))
      }
      const pages: number[] = []
      for (let page = 0; page < 20; page += 1) pages.push(await settled(terminal, () => terminal.write(keys.pageUp)))
      return [
        ...rows,
        { what: `resize${behind}`, value: median(resizes), unit: 'ms', target: 100, note: worst(resizes) },
        { what: `scroll a page${behind}`, value: median(pages), unit: 'ms', target: 16, note: worst(pages) },
        { what: `resident memory${behind}`, value: loaded, unit: 'MiB', target: 250 }
      ]
    } finally {
      await program.close()
    }
  }
}

const worst = (values: readonly number[]) => `worst ${percentile(values, 1).toFixed(1)} ms`
