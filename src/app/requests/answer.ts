import { unreachable } from '../../lib/assert.ts'
import { messageOf } from '../../lib/error.ts'
import type { ScreenRequest } from '../../protocol/command.ts'
import type { HistoryEntry } from '../../protocol/entry.ts'
import type { ScreenAnswer } from '../../protocol/screen-answer.ts'
import { copyWithProgram } from './clipboard.ts'
import { editInEditor, type Surroundings, showInPager } from './external.ts'
import type { PathFinder } from './paths.ts'
import type { PromptStore } from './prompt-store.ts'

/** What the answers are made from. */
export type RequestSources = Surroundings & {
  readonly prompts: PromptStore
  readonly paths: PathFinder
  /** Entries before `entry`, oldest first, and whether these are the first ones there are. */
  older(entry: string, limit: number): { readonly entries: readonly HistoryEntry[]; readonly complete: boolean }
  /** Writes `text` to a file of the state folder that only the operator can read; its path. */
  keepCopy(text: string): Promise<string>
  log(text: string): void
}

/** Answers one question of the screen; null for those that only ask to remember something. Never rejects. */
export async function answerRequest(ask: ScreenRequest, sources: RequestSources): Promise<ScreenAnswer | null> {
  try {
    return await answer(ask, sources)
  } catch (thrown) {
    sources.log(`${ask.kind}: ${messageOf(thrown)}`)
    return failed(ask, messageOf(thrown))
  }
}

async function answer(ask: ScreenRequest, sources: RequestSources): Promise<ScreenAnswer | null> {
  switch (ask.kind) {
    case 'complete-path':
      return { kind: 'paths-found', request: ask.request, paths: await sources.paths.find(ask.prefix) }
    case 'load-prompt-history':
      return { kind: 'prompt-history-loaded', request: ask.request, ...(await sources.prompts.load()) }
    case 'remember-prompt':
      await sources.prompts.remember(ask.text)
      return null
    case 'save-draft':
      await sources.prompts.saveDraft(ask.text)
      return null
    case 'load-older':
      return { kind: 'older-loaded', request: ask.request, ...sources.older(ask.before, ask.limit) }
    case 'copy': {
      const program = await copyWithProgram(ask.text, sources.env)
      if (program !== null) return { kind: 'copied', request: ask.request, how: 'clipboard', detail: program }
      return { kind: 'copied', request: ask.request, how: 'file', detail: await sources.keepCopy(ask.text) }
    }
    case 'open-pager': {
      const text = `${await earlierText(ask.before, sources)}${ask.text}`
      return { kind: 'pager-closed', request: ask.request, error: await showInPager(text, sources) }
    }
    case 'open-editor':
      return { kind: 'editor-closed', request: ask.request, ...(await editInEditor(ask.text, sources)) }
    case 'report-screen-error':
      sources.log(`screen: ${ask.message}`)
      return null
    default:
      return unreachable(ask)
  }
}

/** What the screen no longer holds of the transcript, in the words in which it shows the rest (TERM-15, TERM-24). */
async function earlierText(before: string | null, { older }: RequestSources): Promise<string> {
  const entries = before === null ? [] : older(before, Number.MAX_SAFE_INTEGER - 1).entries
  if (entries.length === 0) return ''
  const [{ transcriptText }, { olderRows }] = await Promise.all([
    import('../../../ui/store/pager.ts'),
    import('../../../ui/transcript/entries.ts')
  ])
  return `${transcriptText(olderRows(entries))}\n`
}

/** The answer of a request that went wrong: whoever waits for it must not wait for ever. */
function failed(ask: ScreenRequest, error: string): ScreenAnswer | null {
  switch (ask.kind) {
    case 'complete-path':
      return { kind: 'paths-found', request: ask.request, paths: [] }
    case 'load-prompt-history':
      return { kind: 'prompt-history-loaded', request: ask.request, prompts: [], draft: '' }
    case 'load-older':
      return { kind: 'older-loaded', request: ask.request, entries: [], complete: true }
    case 'copy':
      return { kind: 'copied', request: ask.request, how: 'failed', detail: error }
    case 'open-pager':
      return { kind: 'pager-closed', request: ask.request, error }
    case 'open-editor':
      return { kind: 'editor-closed', request: ask.request, text: null, error }
    case 'remember-prompt':
    case 'save-draft':
    case 'report-screen-error':
      return null
    default:
      return unreachable(ask)
  }
}
