import { type JsonObject, signDocument, type VerificationReport } from '@guildhall/protocol'
import type { Answer, Call, CallOptions } from './call-types.ts'
import type { Identity } from './identity.ts'
import type { ServerClock } from './server-clock.ts'

export type PeerAssignment = Answer<'getAssignment'>

/** What a verifier found out about its target; what the assignment says is filled in. */
export type PeerFindings = Pick<
  VerificationReport,
  'result' | 'response_time_ms' | 'coherence_score' | 'notes' | 'structured_report'
>

type Context = { readonly call: Call; readonly identity: () => Identity; readonly clock: ServerClock }

/** Asks whom to verify, has it judged, and hands in the signed report. */
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

/** As it arrives on the other side: what is undefined is not sent, and so is not signed. */
const asSent = (findings: PeerFindings): JsonObject => JSON.parse(JSON.stringify(findings)) as JsonObject
