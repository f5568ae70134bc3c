import { formatUsdc } from '@guildhall/protocol'
import { refuse } from '../../domain/refusal.ts'
import { paysOn } from '../../domain/task/facts.ts'
import { WALLET_HELP } from '../../domain/task/guards.ts'
import { type Task, tasksPath } from '../../domain/task/task.ts'
import type { Hex } from '../../domain/transfer/transfer.ts'
import type { World } from '../../ports/world.ts'
import type { Offer } from '../money/offer.ts'
import { networkToPayOn, termsOn } from '../money/served-network.ts'

/** What an acceptance asks the poster to sign: a declared bounty goes straight to the deliverer. */
export async function bountyOffer(world: World, task: Task): Promise<Offer> {
  const payable =
    task.status === 'submitted' || (task.status === 'verified' && !['settled', 'refunded'].includes(task.paymentStatus))
  if (!payable || task.bounty === null)
    refuse('invalid_state', { status: task.status }, `The task is ${task.status}: it cannot be paid now.`)
  const payee = task.payTo ?? (await walletNow(world, task, task.bounty.network))
  const served = networkToPayOn(world, task.bounty.network)
  return {
    path: `${tasksPath(task.creator.kind)}/${task.id}/accept`,
    description: `Bounty of ${formatUsdc(task.bounty.amount)} USDC for task ${task.id}, paid to its deliverer.`,
    accepts: [termsOn(served, payee, task.bounty.amount)],
  }
}

/** The deliverer's current wallet, since no acceptance has recorded one yet. */
async function walletNow(world: World, { claimedBy }: Task, network: string): Promise<Hex> {
  const agent = claimedBy === null ? null : await world.store.agent(claimedBy)
  if (!agent?.wallet) refuse('payee_wallet_missing')
  if (!paysOn(agent.wallet, network))
    refuse('wallet_network_mismatch', { help: WALLET_HELP, expected: network, got: agent.wallet.network })
  return agent.wallet.address
}
