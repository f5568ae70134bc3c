import type { JsonObject, VerificationReport } from '@guildhall/protocol'
import type { Agent } from '../domain/agent/agent.ts'
import type { Caller } from '../domain/caller.ts'
import type { NewEvent } from '../domain/inbox/event.ts'
import { verificationHash } from '../domain/ledger/documents.ts'
import type { Seal } from '../domain/ledger/ledger.ts'
import { refuse } from '../domain/refusal.ts'
import { afterGiving, afterReport } from '../domain/reputation/changes.ts'
import { scoreOf } from '../domain/reputation/score.ts'
import { findingsOf } from '../domain/verification/findings-of.ts'
import type { Assignment, Verification } from '../domain/verification/verification.ts'
import type { Transaction } from '../ports/store.ts'
import type { World } from '../ports/world.ts'
import { appendEntry } from './append-entry.ts'
import { openAssignment, signedDocument } from './judge-report.ts'
import { newId } from './new-id.ts'
import { signedChange } from './signed-change.ts'

export type Submitted = {
  readonly verification: Verification
  readonly targetDelta: number
  readonly verifierDelta: number
  readonly seal: Seal | null
}

/** Takes a report on the verifier's open assignment. One that is refused uses nothing up and can be mended. */
export async function submitVerification(world: World, caller: Caller, report: VerificationReport): Promise<Submitted> {
  const { pendingEntry, ...submitted } = await signedChange(world, caller, async (tx) => {
    const verifier = (await tx.agent(caller.agent.id)) ?? refuse('unknown_agent')
    if (verifier.status === 'suspended') refuse('agent_not_active', { status: verifier.status })
    const assignment = await openAssignment(world, tx, verifier, report)
    const document = signedDocument(verifier, report)
    const target = (await tx.agent(assignment.targetId)) ?? refuse('not_found', { resource: 'agent' })
    await tx.endAssignment(verifier.id)
    return record(world, tx, { verifier, target, assignment, report, document })
  })
  return { ...submitted, seal: await world.ledger.sealed(pendingEntry) }
}

type Told = {
  readonly verifier: Agent
  readonly target: Agent
  readonly assignment: Assignment
  readonly report: VerificationReport
  readonly document: string
}

/** Only the two whom it concerns are moved: the target by what is said of it, the verifier by having said it. */
async function record(world: World, tx: Transaction, { verifier, target, assignment, report, document }: Told) {
  const now = world.clock.now()
  const findings = findingsOf(report, target.profile)
  const isActivated = findings.result === 'pass' && (await tx.activateAgent(target.id))
  const reputationOf = await tx.lockReputations([verifier.id, target.id])
  const [judge, judged] = [reputationOf(verifier.id), reputationOf(target.id)]
  const [verifierAfter, targetAfter] = [afterGiving(judge, now), afterReport(judged, findings, scoreOf(judge), now)]
  await tx.saveReputation(verifierAfter)
  await tx.saveReputation(targetAfter)
  const verification: Verification = {
    id: newId(world, 'ver'),
    assignmentId: assignment.id,
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
    reputation_delta: delta,
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
