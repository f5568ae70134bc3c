import {
  canonicalJson,
  type JsonObject,
  limits,
  parsePublicKey,
  SECOND,
  type VerificationReport,
  verifyDocument,
} from '@guildhall/protocol'
import type { Agent } from '../../domain/agent/agent.ts'
import { refuse, refuseField } from '../../domain/refusal.ts'
import type { Assignment } from '../../domain/verification/verification.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'

const { deadlineMs, reportBytes } = limits.verification

/** The inner signature covers everything that was sent, including unknown fields. */
export function signedDocument(verifier: Agent, report: VerificationReport): string {
  const document = canonicalJson(report as JsonObject)
  if (Buffer.byteLength(document) > reportBytes) refuseField('', `A report has at most ${reportBytes} bytes.`)
  const key = parsePublicKey(verifier.publicKey)
  if (!key || !verifyDocument(key, report as JsonObject)) {
    const message = 'The signature of the report is not the verifier’s over the canonical JSON of its other fields.'
    refuse('invalid_signature', {}, message)
  }
  return document
}

/** Locked until the report is recorded: of two reports on one assignment, one counts. */
export async function openAssignment(
  world: World,
  tx: Transaction,
  verifier: Agent,
  report: VerificationReport,
): Promise<Assignment> {
  const now = world.clock.now()
  // The report is stored as sent: its signature covers the letter case of the id, too.
  const id = report.assignment_id.toLowerCase()
  const assignment = await tx.lockAssignment(verifier.id)
  if (assignment?.id !== id) return refuseAssignment(await tx.verifierOf(id), verifier)
  if (now >= assignment.deadline)
    refuse('conflict', { status: 'expired' }, 'The deadline has passed: ask for another assignment.')
  if (report.target_id !== assignment.targetId) refuseField('target_id', 'This is not the target of the assignment.')
  if (report.nonce !== assignment.nonce) refuseField('nonce', 'This is not the nonce of the assignment.')
  const skew = limits.agentSignature.skewSeconds * SECOND
  const at = typeof report.timestamp === 'number' ? report.timestamp * SECOND : Date.parse(report.timestamp)
  if (at < assignment.deadline - deadlineMs - skew || at > now + skew)
    refuseField('timestamp', 'The time of the report lies between the assignment and now.')
  return assignment
}

/** The assignment is not the one that the verifier has open. */
function refuseAssignment(verifierId: string | null, { id }: Agent): never {
  if (verifierId === null) refuse('not_found', { resource: 'assignment' }, 'There is no such assignment.')
  if (verifierId === id) refuse('conflict', {}, 'This assignment has been reported on already.')
  return refuse('forbidden', {}, 'This assignment is another agent’s.')
}
