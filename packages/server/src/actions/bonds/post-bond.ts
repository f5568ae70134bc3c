import { BASE, formatUsdc } from '@guildhall/protocol'
import type { Agent } from '../../domain/agent/agent.ts'
import type { Caller } from '../../domain/caller.ts'
import { refuse } from '../../domain/refusal.ts'
import type { Transfer } from '../../domain/transfer/transfer.ts'
import type { Reader, Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { afterChange } from '../after-change.ts'
import { refuseInactive } from '../agents/refuse-inactive.ts'
import type { Offer } from '../money/offer.ts'
import { paidChange } from '../money/paid-change.ts'
import { recordPayment } from '../money/record-payment.ts'
import { servedNetwork, termsOn } from '../money/served-network.ts'
import { attemptWithin } from '../money/settle-soon.ts'
import { takePayment } from '../money/take-payment.ts'
import { agentAsPoster } from '../poster.ts'

/** Pays a bond. It is credited once the chain shows it, by this call or later; returns the payment in its current state. */
export async function postBond(world: World, caller: Caller, slots: number, payment: string | null): Promise<Transfer> {
  const { agent } = caller
  refuseInactive(agent)
  const taken = await takePayment(world, payment, () => bondOffer(world, agent, BigInt(slots)))
  const recorded = await paidChange(world, agentAsPoster(caller), taken, async (tx) => {
    await settleOn(tx, agent.id, taken.authorization.network)
    return recordPayment(world, tx, taken, { purpose: 'bond', taskId: null, agentId: agent.id })
  })
  await attemptWithin(world, recorded.id)
  return (await afterChange(world.store.transfer(recorded.id))) ?? recorded
}

/**
 * The network is fixed when a bond is recorded, not when it settles: a second bond on another network could settle first. An
 * operator may have suspended the agent while its payment was checked.
 */
async function settleOn(tx: Transaction, agentId: string, network: string): Promise<void> {
  const agent = (await tx.lockAgent(agentId)) ?? refuse('unknown_agent')
  refuseInactive(agent)
  const bound = await boundTo(tx, agent)
  if (bound !== null && bound !== network)
    refuse('conflict', {}, `The bond is on ${bound} by now: ask for the price again. Nothing was charged.`)
  await tx.adjustBond(agentId, network, 0n)
}

/**
 * The network of the bond, or of a bond or withdrawal in flight; null when there is neither, so that the next bond may be on
 * another one.
 */
async function boundTo(reader: Reader, { id, bondNetwork, bondBalance }: Agent): Promise<string | null> {
  return bondBalance > 0n || (bondNetwork !== null && (await reader.hasOpenBond(id))) ? bondNetwork : null
}

/** A bond stays on one network: where it already is, else the network of the agent's wallet, else Base. */
async function bondOffer(world: World, agent: Agent, slots: bigint): Promise<Offer> {
  if (!world.rules.paymentsEnabled) refuse('payments_unavailable')
  if (!world.escrow) refuse('escrow_unavailable')
  const { rules } = world
  const bound = await boundTo(world.store, agent)
  const served = bound
    ? servedNetwork(rules, bound)
    : (servedNetwork(rules, agent.wallet?.network ?? BASE.id) ?? servedNetwork(rules, BASE.id))
  if (bound !== null && !served)
    refuse('conflict', {}, `The bond is on ${bound}, which is not served: it has to leave there first.`)
  if (!served) refuse('bounty_unsupported_network', { networks: rules.networks.map(({ network }) => network) })
  const amount = slots * world.rules.bondSlotAtomic
  return {
    path: '/v1/agents/me/claim-bond',
    description: `Claim bond of ${formatUsdc(amount)} USDC on ${world.rules.serviceName}.`,
    accepts: [termsOn(served, world.escrow.address, amount)],
    payer: agent.wallet?.address ?? 'a verified payout wallet of the agent',
  }
}
