import { setTimeout as sleep } from 'node:timers/promises'
import { cpuSeconds, residentMiB } from '../../support/process-stats.ts'
import type { Figure } from '../figure.ts'
import { startProgram } from '../program.ts'

/** TERM-73 and TERM-13: memory ten seconds after the first frame, and what ten idle seconds cost after that. */
export const idle: Figure = {
  name: 'idle',
  id: 'TERM-73',
  async measure(bench) {
    const program = await startProgram(await bench.fresh())
    const { pid } = program.terminal
    try {
      await sleep(10_000)
      const resident = residentMiB(pid)
      const bytes = program.terminal.byteCount()
      const cpu = cpuSeconds(pid)
      await sleep(10_000)
      return [
        { what: 'resident memory, idle', value: resident, unit: 'MiB', target: 150 },
        { what: 'written in 10 idle seconds', value: program.terminal.byteCount() - bytes, unit: 'bytes', target: 0 },
        { what: 'processor in 10 idle seconds', value: (cpuSeconds(pid) - cpu) * 1000, unit: 'ms', target: 50 }
      ]
    } finally {
      await program.close()
    }
  }
}
