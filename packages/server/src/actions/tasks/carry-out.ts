import type { NewEvent } from '../../domain/inbox/event.ts'
import type { Instant } from '../../domain/instant.ts'
import { acceptanceHash } from '../../domain/ledger/documents.ts'
import { afterOutcome, type Outcome } from '../../domain/reputation/changes.ts'
import type { TaskEffect } from '../../domain/task/effects.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { acceptanceEntryId, appendEntry } from '../append-entry.ts'
import { slashBond } from '../bonds/slash-bond.ts'
import { mailPoster } from '../mail/mail-poster.ts'
import { intendPayout } from '../money/intend-payout.ts'
import { notePaymentEvent } from '../money/note-payment-event.ts'
import { newId } from '../new-id.ts'
import { appendReceipt, type HandedIn } from './append-receipt.ts'

type Consequences = {
  readonly effects: readonly TaskEffect[]
  readonly actorId: string | null
  readonly handedIn: HandedIn | null
}

export type CarriedOut = { readonly task: Task; readonly pendingEntry: string | null }

/** Writes all effects of a move in its transaction. Inboxes come last, because their rows stay locked until the commit. */
export async function carryOut(
  world: World,
  tx: Transaction,
  moved: Task,
  { effects, actorId, handedIn }: Consequences,
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
        pendingEntry = await appendToLedger(effect.type)
        break
      case 'payment event':
        await notePaymentEvent(world, tx, { taskId: task.id, type: effect.type, details: effect.details })
        break
      case 'count':
        await tx.countForAgent(effect.agentId, effect.change)
        break
      case 'outcome':
        await judgeOutcome(tx, effect.agentId, effect.outcome, now)
        break
      case 'slash bond':
        events.push(...(await slashBond(world, tx, task, effect.agentId)))
        break
      case 'mail':
        await mailPoster(world, tx, task, effect.about)
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

  function appendToLedger(type: 'task_delivered' | 'task_verified'): Promise<string> {
    if (type === 'task_verified') return appendAcceptance(world, tx, task)
    if (handedIn === null) throw new Error(`Nothing was handed in with the delivery of ${task.id}.`)
    return appendReceipt(world, tx, handedIn)
  }
}

async function judgeOutcome(tx: Transaction, agentId: string, outcome: Outcome, now: Instant): Promise<void> {
  const reputationOf = await tx.lockReputations([agentId])
  await tx.saveReputation(afterOutcome(reputationOf(agentId), outcome, now))
}

async function appendAcceptance(world: World, tx: Transaction, task: Task): Promise<string> {
  const agent = task.claimedBy === null ? null : await tx.agent(task.claimedBy)
  const id = acceptanceEntryId(task.id)
  return appendEntry(world, tx, { id, type: 'task_verified', agent, profileHash: acceptanceHash(task) })
}
