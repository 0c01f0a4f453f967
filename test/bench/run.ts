import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { type BenchPlace, openBenchPlace } from './bench-place.ts'
import type { BenchOptions, Figure, Row } from './figure.ts'
import { figures } from './figures/index.ts'

// `npm run bench`: prints every figure the product promises beside its target, taken as TERM-74 says. It asserts nothing, and a
// figure that cannot be taken is said and passed over. `--quick` takes each once with a short history; names pick figures.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false } }
})
const unknown = positionals.filter((name) => !figures.some((figure) => figure.name === name))
if (unknown.length > 0) {
  process.stderr.write(
    `no figure ${unknown.join(', ')}; there are ${figures.map((figure) => figure.name).join(', ')}\n`
  )
  process.exit(2)
}
const chosen = figures.filter((figure) => positionals.length === 0 || positionals.includes(figure.name))
const options: BenchOptions = values.quick
  ? { runs: 1, historyLines: 10_000, checkpoints: 10_000, evaluations: 10_000, arrows: 1_000 }
  : { runs: 5, historyLines: 100_000, checkpoints: 100_000, evaluations: 100_000, arrows: 1_000 }

const { length, 0: cpu } = cpus()
print(`${length} cores (${cpu?.model.trim()}), Node ${process.version}, median of ${options.runs}`)
const bench = await openBenchPlace()
try {
  for (const figure of chosen) await report(figure, bench)
} finally {
  await bench.close()
}

async function report(figure: Figure, place: BenchPlace): Promise<void> {
  print(`\n${figure.name} (${figure.id})`)
  try {
    for (const row of await figure.measure(place, options)) print(`  ${format(row)}`)
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown)
    print(`  not taken: ${message.replaceAll('\n', '\n    ')}`)
  }
}

function format({ what, value, unit, target, note }: Row): string {
  const shown = `${value.toFixed(unit === 's' ? 2 : unit === 'bytes' ? 0 : 1)} ${unit}`
  const promise = target === undefined ? '' : `  target ${target} ${unit}, ${value <= target ? 'reached' : 'missed'}`
  return `${what.padEnd(62)}${shown.padStart(12)}${promise.padEnd(30)}${note === undefined ? '' : `  ${note}`}`.trimEnd()
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
