import { exitNonce } from '@guildhall/protocol'
import type { Task } from '../../domain/task/task.ts'
import { intendedTransfer } from '../../domain/transfer/intended-transfer.ts'
import type { Hex, Transfer } from '../../domain/transfer/transfer.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { newId } from '../new-id.ts'

/**
 * Records the payout of a deposit, in the transaction of the move that asks for it. Release and refund share one nonce derived
 * from the deposit, so the token accepts only one of them.
 */
export async function intendPayout(
  world: World,
  tx: Transaction,
  task: Task,
  purpose: 'release' | 'refund',
): Promise<Task> {
  const { escrow } = task
  const deposit = escrow === null ? null : await tx.transfer(escrow.depositId)
  if (escrow === null || deposit === null) throw new Error(`task ${task.id} has no deposit to ${purpose}`)
  const payout = payoutOf(world, task, deposit, purpose, purpose === 'release' ? payeeOf(task) : escrow.payer)
  if (!(await tx.insertTransfer(payout))) throw new Error(`deposit ${deposit.id} has a payout already`)
  return { ...task, escrow: { ...escrow, exitId: payout.id } }
}

function payeeOf(task: Task): Hex {
  if (task.payTo === null) throw new Error(`task ${task.id} was accepted without a wallet to pay to`)
  return task.payTo
}

function payoutOf(world: World, task: Task, deposit: Transfer, purpose: 'release' | 'refund', to: Hex): Transfer {
  const { network, asset, to: escrowWallet, value } = deposit.authorization
  const intent = {
    id: newId(world, 'tr'),
    purpose,
    authorization: {
      network,
      asset,
      from: escrowWallet,
      to,
      value,
      validAfter: 0n,
      validBefore: 0n,
      nonce: exitNonce(deposit.authorization),
    },
    taskId: task.id,
    agentId: task.claimedBy,
    depositId: deposit.id,
    fromBlock: deposit.blockNumber ?? deposit.fromBlock,
  }
  return intendedTransfer(intent, world.clock.now())
}
