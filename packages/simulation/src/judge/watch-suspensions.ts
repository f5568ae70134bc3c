import { MINUTE } from '@guildhall/protocol'
import type { Agent, Task, Transfer } from '@guildhall/server/parts'
import type { Day } from '../day.ts'

/** Longer than any transaction. */
const A_WHILE = MINUTE

/** Who has been suspended for a while posts and claims nothing, and pays for nothing that it would not get. */
export function watchSuspensions({ database: { tables, onCommit }, scheduler, surprises }: Day): void {
  const { agents, tasks, transfers } = tables
  const suspendedAt = new Map<string, number>()
  onCommit.push((own) => {
    for (const [id, row] of own.written.get(agents as Map<string, unknown>) ?? []) {
      if ((row as Agent).status !== 'suspended') suspendedAt.delete(id)
      else if (!suspendedAt.has(id)) suspendedAt.set(id, scheduler.now())
    }
    const note = (agentId: string | null, what: string) => {
      const since = suspendedAt.get(agentId ?? '') ?? scheduler.now()
      const isSuspended = own.get(agents, agentId ?? '')?.status === 'suspended'
      if (isSuspended && scheduler.now() - since > A_WHILE) surprises.push(`${agentId} is suspended, and ${what}`)
    }
    for (const [id, row] of own.written.get(tasks as Map<string, unknown>) ?? []) {
      const { creator, status, claimedBy } = row as Task
      if (!tasks.has(id)) note(creator.id, `posts ${id}`)
      if (status === 'claimed' && tasks.get(id)?.status === 'open') note(claimedBy, `claims ${id}`)
    }
    for (const [id, row] of own.written.get(transfers as Map<string, unknown>) ?? []) {
      const { purpose, agentId, taskId } = row as Transfer
      if (transfers.has(id)) continue
      if (purpose === 'bond') note(agentId, `pays the bond ${id}`)
      if (purpose === 'deposit') note(own.get(tasks, taskId ?? '')?.creator.id ?? null, `pays the deposit ${id}`)
    }
  })
}
