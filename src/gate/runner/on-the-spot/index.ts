export { type Confirmed, type DeclarePorts, type Defined, declareOnTheSpot } from './declare.ts'
export { eligibleRoles } from './roles.ts'
export { type Suspension, suspendTransition } from './suspend.ts'
export { declareText } from './texts.ts'
