import { type JsonObject, signDocument, type VerificationReport } from '@guildhall/protocol'
import type { Answer, Call, CallOptions } from './call-types.ts'
import type { Identity } from './identity.ts'
import type { ServerClock } from './server-clock.ts'

export type PeerAssignment = Answer<'getAssignment'>

/** A verifier's findings about its target; the assignment's fields are filled in. */
export type PeerFindings = Pick<
  VerificationReport,
  'result' | 'response_time_ms' | 'coherence_score' | 'notes' | 'structured_report'
>

type Context = { readonly call: Call; readonly identity: () => Identity; readonly clock: ServerClock }

/** Asks for an assignment, has it judged, and submits the signed report. */
export async function verifyPeer(
  { call, identity, clock }: Context,
  judge: (assignment: PeerAssignment) => PeerFindings | Promise<PeerFindings>,
  options?: CallOptions,
): Promise<Answer<'submitVerification'> & { readonly assignment: PeerAssignment }> {
  const assignment = await call('getAssignment', options)
  const findings = asSent(await judge(assignment))
  const report = signDocument(identity().secretKey, {
    ...findings,
    assignment_id: assignment.assignment_id,
    target_id: assignment.target.agent_id,
    nonce: assignment.nonce,
    timestamp: new Date(clock.nowMs()).toISOString(),
  })
  const answer = await call('submitVerification', { body: report as unknown as VerificationReport, ...options })
  return { ...answer, assignment }
}

/** As JSON: undefined fields are not sent, and so must not be signed. */
const asSent = (findings: PeerFindings): JsonObject => JSON.parse(JSON.stringify(findings)) as JsonObject
