export {
  actionFor,
  type Bindings,
  bindKeys,
  checkKeys,
  type KeyOverrides,
  type KeyProblem,
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
export { createInputDecoder, type InputDecoder, type TerminalInput } from './decoder.ts'
export { type ActionName, type KeyAction, type KeyFocus, keyMap } from './map.ts'
