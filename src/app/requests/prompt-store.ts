import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileAtomic } from '../../platform/atomic-file.ts'

const maxEntries = 1000
/**
 * Characters of them all: the file is written whole after every prompt, and a thousand pasted files would make gigabytes of it. The
 * newest prompt stays whatever its size.
 */
const maxCharacters = 4 * 1024 * 1024

/** The prompt's memory of one repository: what was sent, and the draft that was not (TERM-41). */
export interface PromptStore {
  load(): Promise<{ readonly prompts: readonly string[]; readonly draft: string }>
  remember(text: string): Promise<void>
  saveDraft(text: string): Promise<void>
}

/** Keeps `history` (one JSON string per line, newest last) and `draft` in the state folder, mode 0600. */
export function openPromptStore(stateDir: string): PromptStore {
  const historyFile = join(stateDir, 'history')
  const draftFile = join(stateDir, 'draft')
  // Writes follow one another, so that the last one asked for is the one that stays.
  let tail: Promise<unknown> = Promise.resolve()
  let prompts: string[] | null = null

  const inOrder = <T>(work: () => Promise<T>): Promise<T> => {
    const result = tail.then(work)
    tail = result.catch(() => undefined) // the caller of `result` hears of the failure
    return result
  }
  const readPrompts = async () => {
    prompts ??= parse(await readOr(historyFile, ''))
    return prompts
  }

  return {
    load: () => inOrder(async () => ({ prompts: await readPrompts(), draft: await readOr(draftFile, '') })),
    remember: (text) =>
      inOrder(async () => {
        const known = await readPrompts()
        if (known.at(-1) === text) return
        prompts = newest([...known, text])
        await save(historyFile, prompts.map((each) => `${JSON.stringify(each)}\n`).join(''))
      }),
    saveDraft: (text) => inOrder(() => save(draftFile, text))
  }

  async function save(file: string, text: string) {
    await mkdir(stateDir, { recursive: true, mode: 0o700 })
    await writeFileAtomic(file, text, { mode: 0o600 })
  }
}

function parse(text: string): string[] {
  const prompts: string[] = []
  for (const line of text.split('\n')) {
    if (line === '') continue
    try {
      const value: unknown = JSON.parse(line)
      if (typeof value === 'string') prompts.push(value)
    } catch {
      // A torn or foreign line costs one remembered prompt, not the start.
    }
  }
  return newest(prompts)
}

/** The last ones within both bounds. */
function newest(prompts: readonly string[]): string[] {
  const kept = prompts.slice(-maxEntries)
  let room = maxCharacters
  const first = kept.findLastIndex((text, index) => {
    room -= text.length
    return room < 0 && index < kept.length - 1
  })
  return kept.slice(first + 1)
}

async function readOr(file: string, fallback: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch {
    return fallback // missing or unreadable: the prompt simply starts without a memory
  }
}
