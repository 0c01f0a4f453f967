import { expect, test } from 'vitest'
import { armsLeaving, decideEnter, decideEscape, decideInterrupt, decideTab, decideUp } from '../../../ui/keys/index.ts'

const quiet = { isOverlayArmed: false, isListOpen: false, isPanelFocused: false, isBusy: false }
const all = { isOverlayArmed: true, isListOpen: true, isPanelFocused: true, isBusy: true }

test.each([
  [all, 'close-overlay'],
  [{ ...all, isOverlayArmed: false }, 'close-list'],
  [{ ...all, isOverlayArmed: false, isListOpen: false }, 'leave-panel'],
  [{ ...quiet, isBusy: true }, 'interrupt'],
  [quiet, 'nothing']
] as const)('Esc %j: %s (TERM-45a)', (facts, decision) => {
  expect(decideEscape(facts)).toBe(decision)
})

test.each([
  [{ ...all, isDraftEmpty: false, sinceFirstMs: 2_000 }, 'leave'],
  [{ ...all, isDraftEmpty: false, sinceFirstMs: 2_001 }, 'close-overlay'],
  [{ ...all, isOverlayArmed: false, isDraftEmpty: false, sinceFirstMs: null }, 'interrupt'],
  [{ ...quiet, isListOpen: true, isPanelFocused: true, isDraftEmpty: false, sinceFirstMs: null }, 'close-list'],
  [{ ...quiet, isPanelFocused: true, isDraftEmpty: false, sinceFirstMs: null }, 'leave-panel'],
  [{ ...quiet, isDraftEmpty: false, sinceFirstMs: null }, 'clear-draft'],
  [{ ...quiet, isDraftEmpty: true, sinceFirstMs: null }, 'ask-leave']
] as const)('Ctrl+C %j: %s (TERM-45a, SESS-013)', (facts, decision) => {
  expect(decideInterrupt(facts)).toBe(decision)
})

test('only a Ctrl+C that interrupted, cancelled an overlay or asked arms the second one (SESS-013)', () => {
  expect(armsLeaving('interrupt')).toBe(true)
  expect(armsLeaving('close-overlay')).toBe(true)
  expect(armsLeaving('ask-leave')).toBe(true)
  expect(armsLeaving('clear-draft')).toBe(false)
  expect(armsLeaving('close-list')).toBe(false)
})

test.each([
  [{ isListOpen: true, isDraftEmpty: true, isBusy: true }, 'accept'],
  [{ isListOpen: false, isDraftEmpty: true, isBusy: true }, 'next-focus'],
  [{ isListOpen: false, isDraftEmpty: false, isBusy: true }, 'queue'],
  [{ isListOpen: false, isDraftEmpty: false, isBusy: false }, 'open-list']
] as const)('Tab %j: %s (TERM-46)', (facts, decision) => {
  expect(decideTab(facts)).toBe(decision)
})

const plain = { isBurst: false, isEscaped: false, isCompleting: false, isDraftEmpty: false, hasHeld: true }
test.each([
  [{ ...plain, isBurst: true, isCompleting: true, isEscaped: true }, 'newline'],
  [{ ...plain, isCompleting: true, isEscaped: true }, 'accept'],
  [{ ...plain, isEscaped: true }, 'escaped-newline'],
  [plain, 'submit'],
  [{ ...plain, isDraftEmpty: true }, 'take-up'],
  [{ ...plain, isDraftEmpty: true, hasHeld: false }, 'nothing']
] as const)('Enter %j: %s (TERM-40, TERM-43, TERM-46)', (facts, decision) => {
  expect(decideEnter(facts)).toBe(decision)
})

test.each([
  [{ isFirstRow: true, isDraftEmpty: true, hasChips: true, isRecalled: false }, 'take-back'],
  [{ isFirstRow: true, isDraftEmpty: true, hasChips: false, isRecalled: false }, 'history'],
  [{ isFirstRow: true, isDraftEmpty: false, hasChips: true, isRecalled: false }, 'history'],
  [{ isFirstRow: false, isDraftEmpty: false, hasChips: true, isRecalled: true }, 'row']
] as const)('↑ %j: %s (TERM-41, TERM-46)', (facts, decision) => {
  expect(decideUp(facts)).toBe(decision)
})
