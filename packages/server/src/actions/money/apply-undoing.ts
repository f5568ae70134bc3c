import { DAY } from '@guildhall/protocol'
import { postingOf, reversed } from '../../domain/journal/posting-of.ts'
import { afterUndoing } from '../../domain/transfer/task-after.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { takeBondBack } from '../bonds/take-bond-back.ts'
import { newId } from '../new-id.ts'
import { notePaymentEvent } from './note-payment-event.ts'
import { postponed } from './postpone.ts'
import type { TransferCase } from './transfer-case.ts'

/** The transfer was reorged away: everything that depended on it is undone, and the transfer is tried again. */
export async function applyUndoing(world: World, tx: Transaction, { transfer, task }: TransferCase): Promise<void> {
  const posting = postingOf(transfer)
  if (posting) {
    await tx.post({ ...reversed(posting), id: newId(world, 'jrn'), createdAt: world.clock.now() })
    await tx.forgetMovement(transfer.id)
  }
  const open = {
    ...transfer,
    state: 'intended',
    txHash: null,
    blockNumber: null,
    mature: false,
    settledAt: null,
    attempts: 1,
  } as const
  await tx.saveTransfer(postponed(world, open, 'the chain took the transaction back'))
  if (transfer.purpose === 'bond') await takeBondBack(world, tx, transfer)
  if (task) {
    await tx.saveTask(afterUndoing(task, transfer))
    if (task.settledAt !== null) await tx.giveUpDay(Math.floor(task.settledAt / DAY))
    const details = { purpose: transfer.purpose, tx_hash: transfer.txHash }
    await notePaymentEvent(world, tx, { taskId: task.id, type: 'settlement_undone', details })
  }
  world.log.alarm('the chain took a settled transfer back', {
    transfer: transfer.id,
    purpose: transfer.purpose,
    task: transfer.taskId,
  })
}
