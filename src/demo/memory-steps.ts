import { memoryRows, prove, run } from './proof.ts'
import type { TourContext, TourStep } from './step.ts'

// The stations of the memory: what the session remembers while it runs, and what is left of it afterwards.

/** What was done is kept in signed checkpoints, and words find them (CLI-035). */
export const remembers: TourStep = {
  title: 'what it did is kept in signed checkpoints, and words find them',
  async play({ place, command }) {
    const titles = memoryRows(place, 'SELECT summary FROM checkpoints ORDER BY ts').map(({ summary }) =>
      titleOf(summary)
    )
    for (const reason of ['turns', 'model switch: scripted-fast → scripted-deep', 'compaction at turn'])
      prove(
        titles.some((title) => title.startsWith(reason)),
        `no checkpoint "${reason}" among: ${titles.join('; ')}`
      )
    const found = await command(place, ['memory', 'search', 'receipts'])
    const hashes = found.out.split('\n').flatMap((line) => /^[0-9a-f]{12}(?= )/.exec(line) ?? [])
    const summaries = hashes.flatMap((hash) =>
      memoryRows(place, 'SELECT summary FROM checkpoints WHERE hash LIKE ?', `${hash}%`)
    )
    prove(summaries.length > 0, `"memory search receipts" found: ${found.out.trim()}`)
    const strays = summaries.filter(({ summary }) => !/receipt/i.test(String(summary)))
    prove(strays.length === 0, `found without the word: ${strays.map(({ summary }) => titleOf(summary)).join('; ')}`)
    return `${titles.length} checkpoints in memory.db; "ghyll memory search receipts" finds ${summaries.length} whose text has the word`
  }
}

/** What was remembered outlives the session, verified, on a branch of its own (CLI-035). */
export const staysBehind: TourStep = {
  title: 'what was remembered outlives the session, verified, on a branch of its own',
  async play({ place, command }: TourContext) {
    const rows = memoryRows(place, 'SELECT hash, summary FROM checkpoints ORDER BY ts')
    const last = titleOf(rows.at(-1)?.summary)
    prove(last === 'session ended', `the last checkpoint is "${last}"`)
    const log = await command(place, ['memory', 'log', '--verify'])
    const verified = log.out.split('\n').filter((line) => /^[0-9a-f]{12} {2}verified /.test(line))
    prove(log.code === 0 && verified.length === rows.length, `memory log --verify says: ${log.out.trim()}`)
    const { stdout: tree } = await run(place, 'git', ['ls-tree', '-r', '--name-only', 'ghyll/memory'])
    const missing = rows.filter(({ hash }) => !tree.includes(`/checkpoints/${hash}.json`))
    prove(missing.length === 0, `${missing.length} of ${rows.length} checkpoints are not on the branch`)
    const { exitCode } = await run(place, 'git', ['merge-base', 'main', 'ghyll/memory'])
    prove(exitCode === 1, 'the memory branch has a commit in common with main')
    return `${rows.length} of ${rows.length} verify, and ghyll/memory holds every one beside your branches`
  }
}

const titleOf = (summary: unknown) => String(summary).split('\n', 1)[0] ?? ''
