import type { Caller } from '../../domain/caller.ts'
import { claimBudget } from '../../domain/claim-budget/claim-budget.ts'
import { refuse } from '../../domain/refusal.ts'
import type { Task } from '../../domain/task/task.ts'
import type { World } from '../../ports/world.ts'
import { refuseInactive } from '../agents/refuse-inactive.ts'
import { allInOrder } from '../all-in-order.ts'
import { sharedSignedChange } from '../signed-change.ts'
import { checkTestWorker } from '../testing/check-test-worker.ts'
import { announceAtOnce } from './announce-at-once.ts'
import { moveTask, taskAsDue } from './move-task.ts'

/** The agent's row is locked while its claims are counted, so that concurrent claims cannot exceed the budget. */
export const claimTask = (world: World, caller: Caller, taskId: string): Promise<Task> =>
  sharedSignedChange(world, caller, [taskId, caller.agent.id], async (tx) => {
    const { id } = caller.agent
    const standing = () => allInOrder(tx.lockAgent(id), tx.activeClaims(id))
    const [found, first] = await allInOrder(tx.lockTask(taskId), standing())
    const task = await taskAsDue(world, tx, found, taskId)
    // The timer that just fired may have ended a claim of this agent: count again.
    const [locked, claims] = task === found ? first : await standing()
    const agent = locked ?? refuse('unknown_agent')
    refuseInactive(agent)
    await checkTestWorker(world, tx, task, agent)
    const { budget } = claimBudget(agent, world.rules.claimBudget, world.rules.bondSlotAtomic)
    const moved = await moveTask(world, tx, task, {
      trigger: 'claim',
      actor: { kind: 'agent', id },
      wallet: agent.wallet,
      budget,
      budgetLeft: budget - claims,
    })
    return announceAtOnce(world, tx, moved.task)
  })
