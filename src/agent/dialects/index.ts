export {
  type Corrections,
  correctionFor,
  noCorrections,
  observeRejection,
  observeUsage
} from './correction.ts'
export { dialectFor } from './families.ts'
export { type FinishedReply, newReplyReader, type ReplyReader, type ReplyShow, readReply } from './reply.ts'
export {
  evaluate,
  type RoutingAction,
  type RoutingDecision,
  type RoutingInputs,
  type RoutingReason,
  routingDetail
} from './router.ts'
export { noteText } from './sanitise.ts'
export type {
  BuiltMessages,
  CallOrigin,
  Countable,
  Dialect,
  HandoffCheckpoint,
  ParsedCalls,
  ParseRefusal,
  SegmentEvent,
  Segmenter
} from './types.ts'
