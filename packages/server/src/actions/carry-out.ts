import type { NewEvent } from '../domain/inbox/event.ts'
import { acceptanceHash } from '../domain/ledger/documents.ts'
import type { TaskEffect } from '../domain/task/effects.ts'
import type { Task } from '../domain/task/task.ts'
import type { Transaction } from '../ports/store.ts'
import type { World } from '../ports/world.ts'
import { acceptanceEntryId, appendEntry } from './append-entry.ts'
import { intendPayout } from './intend-payout.ts'
import { newId } from './new-id.ts'
import { slashBond } from './slash-bond.ts'

export type CarriedOut = { readonly task: Task; readonly pendingEntry: string | null }

/** Writes everything that a move asked for, in the transaction of the move. Inboxes come last: their rows are locked until the commit. */
export async function carryOut(
  world: World,
  tx: Transaction,
  moved: Task,
  effects: readonly TaskEffect[],
  actorId: string | null,
): Promise<CarriedOut> {
  const now = world.clock.now()
  const events: NewEvent[] = []
  let task = moved
  let pendingEntry: string | null = null
  for (const effect of effects) {
    switch (effect.kind) {
      case 'pay out':
        task = await intendPayout(world, tx, task, effect.purpose)
        break
      case 'ledger':
        if (effect.type === 'task_verified') pendingEntry = await appendAcceptance(world, tx, task)
        break
      case 'payment event':
        await tx.addPaymentEvent({
          id: newId(world, 'pev'),
          taskId: task.id,
          type: effect.type,
          details: effect.details,
          createdAt: now,
        })
        break
      case 'count':
        await tx.countForAgent(effect.agentId, effect.change)
        break
      case 'slash bond':
        events.push(...(await slashBond(world, tx, task, effect.agentId)))
        break
      case 'tell':
        events.push({
          agentId: effect.agentId,
          type: effect.type,
          refKind: 'task',
          refId: task.id,
          actorId,
          payload: effect.payload,
        })
    }
  }
  await tx.saveTask(task)
  if (events.length > 0) await tx.addEvents(events, now, () => newId(world, 'evt'))
  return { task, pendingEntry }
}

async function appendAcceptance(world: World, tx: Transaction, task: Task): Promise<string> {
  const agent = task.claimedBy === null ? null : await tx.agent(task.claimedBy)
  const id = acceptanceEntryId(task.id)
  return appendEntry(world, tx, { id, type: 'task_verified', agent, profileHash: acceptanceHash(task) })
}
