export {
  actionFor,
  type Bindings,
  bindKeys,
  checkKeys,
  keyLabel,
  labelOf
} from './bind.ts'
export { normalKeyName } from './codes.ts'
export {
  armsLeaving,
  decideEnter,
  decideEscape,
  decideInterrupt,
  decideTab,
  decideUp
} from './decide.ts'
export { createInputDecoder, type TerminalInput } from './decoder.ts'
export { focusTitles, type KeyAction, type KeyFocus, keyFocuses } from './focus.ts'
export { type ActionName, keyMap } from './map.ts'
