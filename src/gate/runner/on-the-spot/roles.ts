import { roles } from '../../../protocol/grid.ts'
import { type Refusal, refusal } from '../refusal.ts'

// Who may confirm a declaration on the spot: never one of its endpoints (ATT-344, RUN-801).

export type RoleRefusal = Refusal<
  | 'attestation-role-empty'
  | 'attestation-role-unknown'
  | 'on-the-spot-self-certification-refused'
  | 'self-cert-impossible'
>

/** Identities that may attest in this product; the one every interactive verdict carries comes first. */
const workflowRoles: readonly string[] = ['operator', ...roles]

/** Roles outside the pair, the preferred one first; empty when nobody is left (ATT-344). */
export function eligibleRoles(source: string, target: string, workflow = workflowRoles): readonly string[] {
  return workflow.filter((role) => fold(role) !== fold(source) && fold(role) !== fold(target))
}

/** The role to record, or why this one may not attest (ATT-344, RUN-801). */
export function attestingRole(
  role: string,
  source: string,
  target: string,
  workflow = workflowRoles
): { readonly role: string } | { readonly refused: RoleRefusal } {
  if (fold(role) === '') return { refused: refusal('attestation-role-empty') }
  const eligible = eligibleRoles(source, target, workflow)
  if (fold(role) === fold(source) || fold(role) === fold(target)) {
    if (eligible.length === 0) return { refused: refusal('self-cert-impossible') }
    const text = `on-the-spot-self-certification-refused: "${role.trim()}" is an endpoint; one of ${eligible.join(', ')} may attest`
    return { refused: refusal('on-the-spot-self-certification-refused', text) }
  }
  const known = eligible.find((each) => fold(each) === fold(role))
  if (known !== undefined) return { role: known }
  const text = `attestation-role-unknown: "${role.trim()}"; one of ${eligible.join(', ')} may attest`
  return { refused: refusal('attestation-role-unknown', text) }
}

/** Whether it was refused because an endpoint would judge its own hand-off (ATT-344). */
export function isSelfCertification({ code }: RoleRefusal): boolean {
  return code === 'on-the-spot-self-certification-refused' || code === 'self-cert-impossible'
}

function fold(role: string): string {
  return role.trim().toLowerCase()
}
