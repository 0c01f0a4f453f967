export { statusLines } from './commands.ts'
export { type ConversationEnd, type ConversationHost, type HeldConversation, holdConversation } from './conversation.ts'
export { type Fact, type Item, notice } from './facts.ts'
export type { ModelFacts, Rules, SessionOptions } from './options.ts'
export type {
  CheckpointPort,
  DriftPort,
  GatePort,
  IdPort,
  Ports,
  Predecessor,
  SessionStorePort,
  WorkflowPort
} from './ports.ts'
export { createSession, type Origin, type Session, type SessionEnd } from './session.ts'
export { busyText, type CommandContext, output, type SlashCommand } from './slash.ts'
export type { SessionState } from './state.ts'
