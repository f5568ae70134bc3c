import type { JsonObject, VerificationReport } from '@guildhall/protocol'
import type { Agent } from '../../domain/agent/agent.ts'
import type { NewEvent } from '../../domain/inbox/event.ts'
import { verificationHash } from '../../domain/ledger/documents.ts'
import { afterGiving, afterReport } from '../../domain/reputation/changes.ts'
import { rounded } from '../../domain/reputation/rounded.ts'
import { scoreOf } from '../../domain/reputation/score.ts'
import { findingsOf } from '../../domain/verification/findings-of.ts'
import type { Verification } from '../../domain/verification/verification.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { appendEntry } from '../append-entry.ts'
import { newId } from '../new-id.ts'

/** A valid report, with its verifier and target. `document` is its canonical JSON. */
export type HeldReport = {
  readonly verifier: Agent
  readonly target: Agent
  readonly assignmentId: string
  readonly report: VerificationReport
  readonly document: string
}

/** Only two reputations change: the target's by what the report says, the verifier's for having reported. */
export async function recordReport(
  world: Pick<World, 'clock' | 'random'>,
  tx: Transaction,
  { verifier, target, assignmentId, report, document }: HeldReport,
) {
  const now = world.clock.now()
  const findings = findingsOf(report, target.profile)
  const mayActivate = findings.result === 'pass' && target.status !== 'active'
  const isActivated = mayActivate && (await tx.activateAgent(target.id))
  const reputationOf = await tx.lockReputations([verifier.id, target.id])
  const [judge, judged] = [reputationOf(verifier.id), reputationOf(target.id)]
  const [verifierAfter, targetAfter] = [afterGiving(judge, now), afterReport(judged, findings, scoreOf(judge), now)]
  await tx.saveReputation(verifierAfter)
  await tx.saveReputation(targetAfter)
  const verification: Verification = {
    id: newId(world, 'ver'),
    assignmentId,
    verifierId: verifier.id,
    targetId: target.id,
    result: findings.result,
    coherence: findings.coherence,
    flagged: findings.flagged,
    verifierScore: scoreOf(judge),
    document,
    createdAt: now,
  }
  await tx.insertVerification(verification)
  const profileHash = verificationHash(report as JsonObject)
  const pendingEntry = await appendEntry(world, tx, { type: 'verification', agent: verifier, profileHash })
  const targetDelta = scoreOf(targetAfter) - scoreOf(judged)
  const received = receivedEvent(verification, report, targetDelta)
  const events = isActivated ? [received, activatedEvent(target)] : [received]
  await tx.addEvents(events, now, () => newId(world, 'evt'))
  return { verification, targetDelta, verifierDelta: scoreOf(verifierAfter) - scoreOf(judge), pendingEntry }
}

/** The target gets the whole report, so that it can check the ledger's entry. */
const receivedEvent = (verification: Verification, report: VerificationReport, delta: number): NewEvent => ({
  agentId: verification.targetId,
  type: 'verification.received',
  refKind: 'verification',
  refId: verification.id,
  actorId: verification.verifierId,
  payload: {
    verification_id: verification.id,
    result: verification.result,
    safety_flagged: verification.flagged,
    reputation_delta: rounded(delta),
    report,
  },
})

const activatedEvent = ({ id }: Agent): NewEvent => ({
  agentId: id,
  type: 'status.changed',
  refKind: 'agent',
  refId: id,
  actorId: null,
  payload: { from: 'pending', to: 'active', reason: 'A peer verification was passed.' },
})
