import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { askingArrow, type GatePlaceOptions, makeGatePlace } from './gate-place.ts'
import { openGhyll, runGhyll } from './ghyll.ts'
import { keys } from './keys.ts'
import type { Place } from './place.ts'
import { afterBurstMs, promptShown, send } from './prompt.ts'
import type { TerminalDriver } from './terminal.ts'

// An operator at the gate of the built program, in a pseudo-terminal.

export type AtGate = { readonly place: Place; readonly terminal: TerminalDriver }

/** A place with a grid, removed with the test. */
export async function openGatePlace(options: GatePlaceOptions = {}): Promise<Place> {
  const place = await makeGatePlace(options)
  onTestFinished(place.remove)
  return place
}

/** A session on the place with an op-id, at a size. */
export async function openAtGate(place: Place, [cols, rows]: readonly [number, number] = [80, 24]): Promise<AtGate> {
  const terminal = openGhyll(place, { cols, rows })
  onTestFinished(() => terminal.close())
  await promptShown(terminal)
  await send(terminal, '/op-id alice')
  await terminal.untilText('op-id set: alice')
  return { place, terminal }
}

/** Types `/run-arrow` for the asking arrow, and does not wait for what comes of it. */
export async function runAskingArrow(terminal: TerminalDriver): Promise<void> {
  await send(terminal, `/run-arrow ${askingArrow.replace('→', '->')}`)
}

/** The overlay that asks about this clause takes keys. */
export function armedFor(terminal: TerminalDriver, clause: string): Promise<number> {
  return terminal.until((screen) => isArmedFor(screen, clause), `an armed overlay for ${clause}`)
}

/** Whether it takes keys now. */
export function isArmedFor(screen: TerminalDriver, clause: string): boolean {
  return new RegExp(`clause: +${clause}\\b`).test(screen.text()) && screen.text().includes('p pass')
}

/** A key by itself: what follows another at once counts as typed by no hand. */
export async function pressKey(terminal: TerminalDriver, key: string): Promise<void> {
  await sleep(afterBurstMs)
  terminal.write(key)
}

/**
 * Resolves when the program has taken every key written so far: help opens over whatever is in front, and closes again. What they did
 * not do by then they never will.
 */
export async function keysTaken(terminal: TerminalDriver): Promise<void> {
  const hasHelp = (screen: TerminalDriver) => /─ help ─/.test(screen.text())
  await pressKey(terminal, keys.f1)
  await terminal.until(hasHelp, 'the help')
  terminal.write(keys.escape)
  await terminal.until((screen) => !hasHelp(screen), 'the help closed')
}

/** Esc, and time enough that what follows is not taken for Alt with a letter. */
export async function pressEscape(terminal: TerminalDriver): Promise<void> {
  await pressKey(terminal, keys.escape)
  await sleep(200)
}

/** Fills the field that a choice has opened, and goes on to the confirmation. */
export async function fillField(terminal: TerminalDriver, label: string, text: string): Promise<void> {
  await terminal.until((screen) => screen.text().includes('Enter to the confirmation'), `the field for ${label}`)
  await pressKey(terminal, text)
  await terminal.untilText(text)
  await pressKey(terminal, keys.enter)
}

/** Says yes to the confirmation that holds `what`. */
export async function confirm(terminal: TerminalDriver, what: string): Promise<void> {
  await terminal.until((screen) => flat(screen).includes(what), `the confirmation "${what}"`)
  await pressKey(terminal, 'y')
}

/** The screen's words without what a narrow window makes of them. */
export function flat(screen: TerminalDriver): string {
  return screen
    .text()
    .replace(/[│╭╮╰╯├┤]/g, ' ')
    .replace(/\s+/g, ' ')
}

/** Verdicts on disk, as `<ref> <verdict>`. */
export function recordedIn(place: Place): readonly string[] {
  const path = place.at('.ghyll/attestations.jsonl')
  if (!existsSync(path)) return []
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
    .map(({ attestation_id, verdict }) => `${attestation_id} ${verdict}`)
}

/** Plays a session by typed lines, to get a place to where a test begins. */
export async function typeLines(place: Place, ...lines: readonly string[]): Promise<void> {
  const { code, stderr } = await runGhyll(place, ['run', '--no-tui'], {
    input: lines.map((line) => `${line}\n`).join('')
  })
  if (code !== 0) throw new Error(stderr)
}
