export { type Asked, ask } from './ask.ts'
export { createCycle } from './cycle.ts'
export type {
  Adversary,
  AttackPacket,
  Claim,
  FixAsk,
  FixFinding,
  HintAsk,
  HookAnswer,
  HookBundle,
  HookCall,
  PacketFile
} from './hooks.ts'
export type { ArtifactFile, ArtifactReader, CyclePorts, RiskPrompt } from './ports.ts'
export { type Read, readReply } from './reply.ts'
export type { CycleRecord } from './report.ts'
export { nobodyToAsk, riskPrompt } from './risk.ts'
