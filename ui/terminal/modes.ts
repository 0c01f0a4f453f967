/** Modes of the terminal beyond the alternate screen, which is Ink's. Undone in the reverse order (TERM-5). */
export type TerminalModes = {
  enter(): void
  leave(): void
  setMouse(isOn: boolean): void
  /** The terminal speaks the kitty keyboard protocol. */
  adoptKitty(): void
  /** It does not, but may know how to report modified keys otherwise. */
  adoptModifiedKeys(): void
}

const BRACKETED_PASTE = 2004
const FOCUS = 1004
const MOUSE = [1000, 1006]

/** Tell keys apart (1) and report the key's place on a Latin layout (4): what TERM-49 needs, and no releases. */
const KITTY_FLAGS = 5

/** What is asked when the screen opens. Every terminal answers the last one, so its answer ends the waiting (TERM-17). */
export const queries = '\x1b[?u\x1b[?2026$p\x1b[c'

/** Keeps track of what is on, so that leaving and coming back (Ctrl+Z, pager, editor) are exact. */
export function createModes(send: (sequence: string) => void, initial: { readonly hasMouse: boolean }): TerminalModes {
  let isIn = false
  let hasMouse = initial.hasMouse
  let keyboard: 'plain' | 'kitty' | 'modified' = 'plain'

  const set = (mode: number, isOn: boolean) => send(`\x1b[?${mode}${isOn ? 'h' : 'l'}`)
  const mouse = (isOn: boolean) => {
    for (const mode of isOn ? MOUSE : MOUSE.toReversed()) set(mode, isOn)
  }
  const keyboardOn = () => {
    if (keyboard === 'kitty') send(`\x1b[>${KITTY_FLAGS}u`)
    if (keyboard === 'modified') send('\x1b[>4;1m')
  }
  const keyboardOff = () => {
    if (keyboard === 'kitty') send('\x1b[<u')
    if (keyboard === 'modified') send('\x1b[>4;0m')
  }
  const change = (to: typeof keyboard) => {
    if (keyboard !== 'plain') return
    keyboard = to
    if (isIn) keyboardOn()
  }

  return {
    enter() {
      if (isIn) return
      isIn = true
      set(BRACKETED_PASTE, true)
      set(FOCUS, true)
      if (hasMouse) mouse(true)
      keyboardOn()
    },
    leave() {
      if (!isIn) return
      isIn = false
      keyboardOff()
      if (hasMouse) mouse(false)
      set(FOCUS, false)
      set(BRACKETED_PASTE, false)
    },
    setMouse(isOn) {
      if (isOn === hasMouse) return
      hasMouse = isOn
      if (isIn) mouse(isOn)
    },
    adoptKitty: () => change('kitty'),
    adoptModifiedKeys: () => change('modified')
  }
}
