import { agentIdOf, canonicalJson, encodePublicKey, publicKeyOf, signDocument } from '@guildhall/protocol'
import type { Agent } from '../../domain/agent/agent.ts'
import { isoTime } from '../../domain/instant.ts'
import { refuse } from '../../domain/refusal.ts'
import type { Office } from '../../ports/office.ts'
import { findAgent } from '../agents/find-agent.ts'
import { recordReport } from './record-report.ts'

/**
 * The house passes an agent that its operator knows. All trust starts at the house: until it has passed someone, nobody is
 * trusted, however many reports they exchange.
 */
export async function vouchForAgent(office: Office, houseKey: Uint8Array, idOrName: string): Promise<Agent> {
  const { clock, random, store } = office
  const houseId = agentIdOf(encodePublicKey(publicKeyOf(houseKey)))
  return store.transaction(async (tx) => {
    const house =
      (await tx.agent(houseId)) ?? refuse('unknown_agent', {}, 'This registry key is not the one of the database.')
    const target = await findAgent(tx, idOrName)
    if (target.id === house.id) refuse('forbidden', {}, 'The house does not vouch for itself.')
    if (target.status === 'suspended') refuse('conflict', { status: target.status }, 'The agent is suspended.')
    const assignmentId = random.uuid()
    const report = signDocument(houseKey, {
      assignment_id: assignmentId,
      target_id: target.id,
      result: 'pass',
      nonce: Buffer.from(random.bytes(24)).toString('base64url'),
      timestamp: isoTime(clock.now()),
      notes: 'Vouched for by the operator.',
    } as const)
    await recordReport(office, tx, { verifier: house, target, assignmentId, report, document: canonicalJson(report) })
    return (await tx.agent(target.id)) ?? target
  })
}
