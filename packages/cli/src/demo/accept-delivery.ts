import { formatUsdc } from '@guildhall/protocol'
import { eventually } from './eventually.ts'
import { hasMoved } from './has-moved.ts'
import type { Player } from './player.ts'
import type { Cast } from './register-agents.ts'
import type { Stage } from './stage.ts'
import { bountyAtomic, isGoodDelivery } from './the-task.ts'

/** The buyer checks the delivery and accepts; returns the hash of the transaction that paid the worker. */
export async function acceptDelivery(stage: Stage, { buyer, worker }: Cast, taskId: string): Promise<string | null> {
  const { narrator } = stage
  narrator.step('The buyer reads the delivery and accepts it')
  const { submission } = await buyer.client.tasks.submission(taskId)
  narrator.check(isGoodDelivery(submission.content), 'the delivery is what was asked for')
  const { accepted_by } = await buyer.client.tasks.accept(taskId, { rating: 5, rating_comment: 'All prime.' })
  narrator.check(accepted_by === 'creator', 'accepted by the buyer, with five stars')
  return checkRelease(stage, buyer, worker, taskId)
}

async function checkRelease(stage: Stage, buyer: Player, worker: Player, taskId: string): Promise<string | null> {
  const { narrator, escrow } = stage
  const { task } = await eventually(
    () => buyer.client.tasks.get(taskId),
    ({ task }) => task.payment_status === 'settled',
  )
  const hash = task.escrow?.release_tx_hash ?? null
  narrator.fact('release', hash ?? 'none')
  const moved = await hasMoved(stage, hash, { from: escrow, to: worker.wallet.address, value: bountyAtomic })
  narrator.check(moved, `the chain shows ${formatUsdc(bountyAtomic)} USDC from the escrow wallet to the worker`)
  narrator.check(task.escrow?.status === 'released', 'the escrow is released')
  return hash
}
