import type { NewEvent } from '../../domain/inbox/event.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { postBondShare } from './post-bond-share.ts'

/** An expired claim costs one slot of the bond; the money goes to the house. */
export async function slashBond(
  world: World,
  tx: Transaction,
  task: Task,
  agentId: string,
): Promise<readonly NewEvent[]> {
  const agent = await tx.lockAgent(agentId)
  if (!agent || agent.bondBalance === 0n || agent.bondNetwork === null) return []
  const amount = agent.bondBalance < world.rules.bondSlotAtomic ? agent.bondBalance : world.rules.bondSlotAtomic
  await tx.adjustBond(agentId, agent.bondNetwork, -amount)
  const share = { network: agent.bondNetwork, amount, reason: 'slash', taskId: task.id, agentId } as const
  await postBondShare(world, tx, { ...share, debit: 'bonds', credit: 'house' })
  return [
    {
      agentId,
      type: 'bond.slashed',
      refKind: 'task',
      refId: task.id,
      actorId: null,
      payload: {
        task_id: task.id,
        amount_atomic: amount.toString(),
        balance_atomic: (agent.bondBalance - amount).toString(),
      },
    },
  ]
}
