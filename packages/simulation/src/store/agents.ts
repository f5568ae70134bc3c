import type { Agent, Reader, Transaction } from '@guildhall/server/parts'
import type { Ask, Statements } from './statements.ts'
import type { Tables } from './tables.ts'

export const agentReads = (tables: Tables, ask: Ask) =>
  ({
    agent: (id) => ask('agent', (view) => view.get(tables.agents, id)),
    activeClaims: (agentId) =>
      ask('activeClaims', (view) => {
        let count = 0
        for (const { claimedBy, status } of view.all(tables.tasks)) {
          if (claimedBy === agentId && status === 'claimed') count++
        }
        return count
      }),
    lapsedClaims: (agentId, now) =>
      ask('lapsedClaims', (view) => {
        const ids: string[] = []
        for (const { id, claimedBy, status, claimExpiresAt } of view.all(tables.tasks)) {
          const isLapsed = status === 'claimed' && claimExpiresAt !== null && claimExpiresAt <= now
          if (claimedBy === agentId && isLapsed) ids.push(id)
        }
        return ids
      }),
  }) satisfies Partial<Reader>

export function agentWrites(tables: Tables, { change, isFree }: Statements) {
  const updateAgent = (id: string, what: string, update: (agent: Agent) => Agent) =>
    change(what, [`agent ${id}`], (own) => {
      const agent = own.get(tables.agents, id)
      if (agent) own.put(tables.agents, id, update(agent))
    })

  const setStatus = (id: string, from: Agent['status'], to: Agent['status']) =>
    change('setStatus', [`agent ${id}`], (own) => {
      const agent = own.get(tables.agents, id)
      if (agent?.status !== from) return null
      own.put(tables.agents, id, { ...agent, status: to })
      return to
    })

  return {
    insertAgent: (agent, nameKey) =>
      change('insertAgent', [`agent ${agent.id}`, `name ${nameKey}`], (own) => {
        if (own.get(tables.agents, agent.id) !== null) return 'id_taken'
        if (own.get(tables.names, nameKey) !== null) return 'name_taken'
        own.put(tables.agents, agent.id, agent)
        own.put(tables.names, nameKey, agent.id)
        own.put(tables.inboxes, agent.id, { agentId: agent.id, lastPosition: 0, unread: 0 })
        return 'inserted'
      }),
    lockAgent: (id) => change('lockAgent', [`agent ${id}`], (own) => own.get(tables.agents, id)),
    suspendAgent: (id) => setStatus(id, 'active', 'suspended').then((status) => status !== null),
    reinstateAgent: (id) => setStatus(id, 'suspended', 'active'),
    setWallet: (id, wallet) => updateAgent(id, 'setWallet', (agent) => ({ ...agent, wallet })),
    countForAgent: (id, counts) =>
      updateAgent(id, 'countForAgent', (agent) => {
        const track: Record<string, number> = { ...agent.track }
        for (const [name, number] of Object.entries(counts)) track[name] = (track[name] ?? 0) + (number ?? 0)
        return { ...agent, track: track as Agent['track'] }
      }),
    async noteSeen(id, at) {
      if (isFree(`agent ${id}`)) await updateAgent(id, 'noteSeen', (agent) => ({ ...agent, lastSeenAt: at }))
    },
  } satisfies Partial<Transaction>
}
