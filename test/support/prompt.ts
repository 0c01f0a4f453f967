import { setTimeout as sleep } from 'node:timers/promises'
import { keys } from './keys.ts'
import type { TerminalDriver } from './terminal.ts'

/** An Enter right behind other keys counts as part of a paste (TERM-43), so it has to keep this distance. */
export const afterBurstMs = 60

/** What stands in the prompt's first row behind its marker, or null while there is no prompt. */
export function draft(screen: TerminalDriver): string | null {
  for (const line of screen.lines()) {
    const found = /ghyll \[[^\]]+\].*?[▸>] ?(.*)$/.exec(line)
    if (found !== null) return (found[1] ?? '').replace(/[█▏│]/g, '').trim()
  }
  return null
}

/** Resolves with the time at which an empty prompt stands on the screen. */
export function promptShown(terminal: TerminalDriver): Promise<number> {
  return terminal.until((screen) => draft(screen) === '', 'the prompt')
}

/** Types text into an empty prompt and waits until all of it is there. */
async function typeText(terminal: TerminalDriver, text: string): Promise<void> {
  terminal.write(text)
  // A narrow window shows the end of it on further rows; the beginning is what tells that it arrived.
  await terminal.until((screen) => draft(screen)?.startsWith(text.slice(0, 8)) === true, `"${text}" in the prompt`)
  await sleep(afterBurstMs)
}

/** Types a line and sends it with Enter, or with another key (Tab queues). */
export async function send(terminal: TerminalDriver, text: string, key: string = keys.enter): Promise<void> {
  await typeText(terminal, text)
  terminal.write(key)
  await terminal.until((screen) => draft(screen) === '', 'the prompt to be empty again')
}
