export { type Confirmed, type DeclareOutcome, type DeclarePorts, type Defined, declareOnTheSpot } from './declare.ts'
export { eligibleRoles } from './roles.ts'
export { type Suspended, type Suspension, suspendTransition } from './suspend.ts'
export { declareText } from './texts.ts'
