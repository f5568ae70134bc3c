import type { Agent, AgentStatus } from '../../domain/agent/agent.ts'
import type { NewEvent } from '../../domain/inbox/event.ts'
import { refuse } from '../../domain/refusal.ts'
import type { Office } from '../../ports/office.ts'
import type { Transaction } from '../../ports/store.ts'
import { newId } from '../new-id.ts'
import { findAgent } from './find-agent.ts'

/** A suspended agent cannot post, claim or verify. It may still sign and read. */
export const suspendAgent = (office: Office, idOrName: string, reason: string | null): Promise<Agent> =>
  changeStatus(office, idOrName, reason, async (tx, agent) => {
    if (agent.house) refuse('forbidden', {}, 'The house agent is not suspended.')
    return (await tx.suspendAgent(agent.id)) ? 'suspended' : null
  })

/** Restores the status from before the suspension. */
export const reinstateAgent = (office: Office, idOrName: string, reason: string | null): Promise<Agent> =>
  changeStatus(office, idOrName, reason, (tx, { id }) => tx.reinstateAgent(id))

async function changeStatus(
  office: Office,
  idOrName: string,
  reason: string | null,
  change: (tx: Transaction, agent: Agent) => Promise<AgentStatus | null>,
): Promise<Agent> {
  return office.store.transaction(async (tx) => {
    const { id } = await findAgent(tx, idOrName)
    const agent = (await tx.lockAgent(id)) ?? refuse('not_found', { resource: 'agent' })
    const status = await change(tx, agent)
    if (status === null) return refuse('conflict', { status: agent.status }, `The agent is ${agent.status} already.`)
    await tx.addEvents([changedEvent(agent, status, reason)], office.clock.now(), () => newId(office, 'evt'))
    return { ...agent, status }
  })
}

const changedEvent = ({ id, status }: Agent, to: AgentStatus, reason: string | null): NewEvent => ({
  agentId: id,
  type: 'status.changed',
  refKind: 'agent',
  refId: id,
  actorId: null,
  payload: { from: status, to, reason },
})
