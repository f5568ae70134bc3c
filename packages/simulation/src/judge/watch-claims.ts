import { claimBudget, type Task } from '@guildhall/server/parts'
import type { Day } from '../day.ts'

/** I5: an agent that claims has budget left at the moment of the commit. A claim given back by a revision is not checked. */
export function watchClaims({ database, rules, surprises }: Day): void {
  const { tasks, agents } = database.tables
  database.onCommit.push((own) => {
    for (const [id, row] of own.written.get(tasks as Map<string, unknown>) ?? []) {
      const after = row as Task
      if (after.status !== 'claimed' || tasks.get(id)?.status !== 'open') continue
      const agent = after.claimedBy === null ? null : own.get(agents, after.claimedBy)
      if (agent === null) continue
      const held = [...own.all(tasks)].filter((task) => isFreshClaim(task, agent.id)).length
      const { budget } = claimBudget(agent, rules.claimBudget, rules.bondSlotAtomic)
      if (held > budget) surprises.push(`${agent.id} has claimed ${held} tasks with a budget of ${budget}`)
    }
  })
}

const isFreshClaim = ({ status, claimedBy, revisionRequestedAt }: Task, agentId: string): boolean =>
  status === 'claimed' && claimedBy === agentId && revisionRequestedAt === null
