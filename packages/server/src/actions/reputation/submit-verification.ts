import type { VerificationReport } from '@guildhall/protocol'
import type { Caller } from '../../domain/caller.ts'
import type { Seal } from '../../domain/ledger/ledger.ts'
import { refuse } from '../../domain/refusal.ts'
import type { Verification } from '../../domain/verification/verification.ts'
import type { World } from '../../ports/world.ts'
import { signedChange } from '../signed-change.ts'
import { openAssignment, signedDocument } from './judge-report.ts'
import { recordReport } from './record-report.ts'

export type Submitted = {
  readonly verification: Verification
  readonly targetDelta: number
  readonly verifierDelta: number
  readonly seal: Seal | null
}

/** Takes a report on the verifier's open assignment. A refused report uses nothing up and can be corrected. */
export async function submitVerification(world: World, caller: Caller, report: VerificationReport): Promise<Submitted> {
  const { pendingEntry, ...submitted } = await signedChange(world, caller, async (tx) => {
    const verifier = (await tx.agent(caller.agent.id)) ?? refuse('unknown_agent')
    if (verifier.status === 'suspended') refuse('agent_not_active', { status: verifier.status })
    const assignment = await openAssignment(world, tx, verifier, report)
    const document = signedDocument(verifier, report)
    const target = (await tx.agent(assignment.targetId)) ?? refuse('not_found', { resource: 'agent' })
    await tx.endAssignment(verifier.id)
    return recordReport(world, tx, { verifier, target, assignmentId: assignment.id, report, document })
  })
  return { ...submitted, seal: await world.ledger.sealed(pendingEntry) }
}
