import type { Terminal } from '@xterm/headless'

const named: Readonly<Record<number, string>> = {
  1: 'application cursor keys',
  9: 'mouse (x10)',
  47: 'alternate buffer (47)',
  1000: 'mouse clicks',
  1002: 'mouse drag',
  1003: 'mouse motion',
  1004: 'focus reports',
  1005: 'mouse utf-8',
  1006: 'mouse sgr',
  1015: 'mouse urxvt',
  1016: 'mouse pixels',
  1047: 'alternate buffer (1047)',
  1049: 'alternate buffer',
  2004: 'bracketed paste',
  2026: 'synchronized output',
  2031: 'colour scheme reports',
  2048: 'resize reports'
}

/** What a program did to the terminal beyond drawing: modes it switched on and has not switched off, and clears. */
export type ModeWatch = {
  left(): string[]
  cursorHidden(): boolean
  clears(): { readonly screen: number; readonly scrollback: number }
}

/** Follows the sequences in the emulator's own parser, so that one split over two chunks is seen all the same. */
export function watchModes(terminal: Terminal): ModeWatch {
  const on = new Set<number>()
  let hidden = false
  let kittyDepth = 0
  let modifyOtherKeys = false
  const clears = { screen: 0, scrollback: 0 }
  const goOn = false // The emulator handles the sequence as well.

  const numbers = (params: readonly (number | number[])[]) => params.flat()
  terminal.parser.registerCsiHandler({ prefix: '?', final: 'h' }, (params) => {
    for (const mode of numbers(params)) {
      if (mode === 25) hidden = false
      else if (mode in named) on.add(mode)
    }
    return goOn
  })
  terminal.parser.registerCsiHandler({ prefix: '?', final: 'l' }, (params) => {
    for (const mode of numbers(params)) {
      if (mode === 25) hidden = true
      else on.delete(mode)
    }
    return goOn
  })
  terminal.parser.registerCsiHandler({ final: 'J' }, (params) => {
    if (params[0] === 2) clears.screen += 1
    if (params[0] === 3) clears.scrollback += 1
    return goOn
  })
  terminal.parser.registerCsiHandler({ prefix: '>', final: 'u' }, () => {
    kittyDepth += 1
    return goOn
  })
  terminal.parser.registerCsiHandler({ prefix: '<', final: 'u' }, (params) => {
    kittyDepth = Math.max(0, kittyDepth - Math.max(1, Number(params[0] ?? 1)))
    return goOn
  })
  terminal.parser.registerCsiHandler({ prefix: '>', final: 'm' }, (params) => {
    if (params[0] === 4) modifyOtherKeys = Number(params[1] ?? 0) > 0
    return goOn
  })

  return {
    left() {
      const left = [...on].map((mode) => named[mode] as string)
      if (hidden) left.push('hidden cursor')
      if (kittyDepth > 0) left.push('kitty keyboard')
      if (modifyOtherKeys) left.push('modified keys')
      return left.sort()
    },
    cursorHidden: () => hidden,
    clears: () => ({ ...clears })
  }
}
