import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Item, notice, type SlashCommand } from '../agent/session/index.ts'
import { unreachable } from '../lib/assert.ts'
import { messageOf, systemCodeOf } from '../lib/error.ts'
import type { HistoryEntry } from '../protocol/entry.ts'

export type ExportPlace = {
  /** Where a relative name lies. */
  readonly workdir: string
  readonly home: string | undefined
  /** The file when nobody names one: out of the work tree's way, and written anew each time. */
  readonly unnamed: string
  /** The whole durable history of the session, in order. */
  entries(): readonly HistoryEntry[]
}

/**
 * `/export [file]` (TERM-23): the transcript as Markdown, or as JSON when the name ends in `.json`. It runs at any time (SESS-037),
 * replaces no file of the operator's, and what it writes only they can read.
 */
export function exportCommand(place: ExportPlace): SlashCommand {
  return {
    name: 'export',
    description: 'write the transcript to a file: Markdown, or JSON if its name ends in .json',
    when: 'always',
    run: async (args) => [await exported(args, place)]
  }
}

async function exported(name: string, { workdir, home, unnamed, entries }: ExportPlace): Promise<Item> {
  const isOwn = name === ''
  const named = home !== undefined && name.startsWith('~/') ? join(home, name.slice(2)) : resolve(workdir, name)
  const path = isOwn ? unnamed : named
  const all = entries()
  if (all.length === 0) return notice('info', 'nothing to export yet')
  const text = path.endsWith('.json') ? `${JSON.stringify(all, null, 2)}\n` : markdown(all)
  try {
    await writeFile(path, text, { flag: isOwn ? 'w' : 'wx', mode: 0o600 })
    return notice('success', `transcript written to ${path}`)
  } catch (thrown) {
    const why = systemCodeOf(thrown) === 'EEXIST' ? 'it exists already, name another file' : messageOf(thrown)
    return notice('error', `transcript not written to ${path}: ${why}`)
  }
}

/** The conversation for people: who said what, and what was run with what result. */
function markdown(entries: readonly HistoryEntry[]): string {
  return `${entries.flatMap(section).join('\n\n')}\n`
}

function section(entry: HistoryEntry): string[] {
  switch (entry.kind) {
    case 'user':
      return ['## You', entry.text]
    case 'assistant': {
      // What another attempt took the place of was never part of the conversation (SESS-051).
      if (entry.status === 'superseded') return []
      const reasoning = entry.reasoning === '' ? [] : [entry.reasoning.replace(/^/gm, '> ')]
      const text = entry.text === '' ? [] : [entry.text]
      return [`## ${entry.model}${entry.status === 'partial' ? ' (incomplete)' : ''}`, ...reasoning, ...text]
    }
    case 'tool':
      return [
        `### ${entry.call.name}: ${entry.status}, ${entry.durationMs} ms`,
        fenced(entry.call.arguments),
        ...(entry.text === '' ? [] : [fenced(entry.text)])
      ]
    case 'note':
      return [`## ${entry.sub}`, entry.text]
    case 'compaction':
    case 'handoff':
      return entry.notes.flatMap(section)
    default:
      return unreachable(entry)
  }
}

/** A code block whose fence is longer than any inside. */
function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text.replace(/\n$/, '')}\n${fence}`
}
