export {
  type Corrections,
  correctionFor,
  noCorrections,
  observeRejection,
  observeUsage
} from './correction.ts'
export { dialectFor } from './families.ts'
export { type FinishedReply, newReplyReader, type ReplyShow, readReply } from './reply.ts'
export { evaluate, type RoutingDecision, type RoutingInputs, routingDetail } from './router.ts'
export { noteText } from './sanitise.ts'
export type { CallOrigin, Dialect, SegmentEvent } from './types.ts'
