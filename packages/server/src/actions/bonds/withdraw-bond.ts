import { formatUsdc, withdrawalNonce } from '@guildhall/protocol'
import type { Agent, PayoutWallet } from '../../domain/agent/agent.ts'
import type { Caller } from '../../domain/caller.ts'
import { claimBudget } from '../../domain/claim-budget/claim-budget.ts'
import { refuse, refuseField } from '../../domain/refusal.ts'
import { paysOn } from '../../domain/task/facts.ts'
import { WALLET_HELP } from '../../domain/task/guards.ts'
import { intendedTransfer } from '../../domain/transfer/intended-transfer.ts'
import type { Hex, Transfer } from '../../domain/transfer/transfer.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { afterChange } from '../after-change.ts'
import { servedNetwork } from '../money/served-network.ts'
import { attemptWithin } from '../money/settle-soon.ts'
import { newId } from '../new-id.ts'
import { signedChange } from '../signed-change.ts'
import { lapseClaims } from './lapse-claims.ts'

const NO_WALLET = 'A bond is paid out to a wallet: prove one first with PATCH /v1/agents/{id}/wallet.'

/** Debits the bond and records its payout, in one transaction; the payout is sent at once or by the jobs. */
export async function withdrawBond(world: World, caller: Caller, amount: bigint): Promise<Transfer> {
  await lapseClaims(world, caller.agent.id)
  const withdrawal = await signedChange(world, caller, async (tx) => {
    const agent = (await tx.lockAgent(caller.agent.id)) ?? refuse('unknown_agent')
    const wallet = agent.wallet ?? refuse('wallet_required', { help: WALLET_HELP }, NO_WALLET)
    const free = await freeBond(world, tx, agent)
    if (amount > free || agent.bondNetwork === null)
      refuse('insufficient_bond', {
        bond_balance_atomic: agent.bondBalance.toString(),
        withdrawable_atomic: free.toString(),
      })
    refuseTooMuch(world, amount)
    if (!paysOn(wallet, agent.bondNetwork)) {
      refuse('wallet_network_mismatch', { help: WALLET_HELP, expected: agent.bondNetwork, got: wallet.network })
    }
    const payout = payoutOf(world, {
      agentId: agent.id,
      network: agent.bondNetwork,
      wallet,
      amount,
      nonce: withdrawalNonce(agent.id, (await tx.countWithdrawals(agent.id)) + 1),
      // Known here, and not only when it is signed: on an older copy of the database it may have left before that.
      fromBlock: (await tx.watch(agent.bondNetwork))?.proven?.number ?? 0n,
    })
    await tx.adjustBond(agent.id, agent.bondNetwork, -amount)
    if (!(await tx.insertTransfer(payout))) throw new Error(`withdrawal ${payout.id} is on record already`)
    return payout
  })
  await attemptWithin(world, withdrawal.id)
  return (await afterChange(world.store.transfer(withdrawal.id))) ?? withdrawal
}

/** The escrow key would never sign more, and the debited bond would be stuck. */
function refuseTooMuch({ rules: { maxPayoutAtomic } }: World, amount: bigint): void {
  if (amount > maxPayoutAtomic)
    refuseField('amount_atomic', `At most ${formatUsdc(maxPayoutAtomic)} USDC are paid out at once: withdraw in parts.`)
}

/** The part of the bond that does not cover the agent's current claims. */
async function freeBond(world: World, tx: Transaction, agent: Agent): Promise<bigint> {
  const { claimBudget: rules, bondSlotAtomic } = world.rules
  const without = claimBudget({ ...agent, bondBalance: 0n }, rules, bondSlotAtomic).budget
  const covered = BigInt(Math.max(0, (await tx.activeClaims(agent.id)) - without)) * bondSlotAtomic
  return agent.bondBalance > covered ? agent.bondBalance - covered : 0n
}

type Withdrawal = Pick<Transfer, 'fromBlock'> & {
  readonly agentId: string
  readonly network: string
  readonly wallet: PayoutWallet
  readonly amount: bigint
  readonly nonce: Hex
}

function payoutOf(world: World, { agentId, network, wallet, amount, nonce, fromBlock }: Withdrawal): Transfer {
  const served = servedNetwork(world.rules, network)
  if (!world.escrow || !served) refuse('escrow_unavailable')
  const intent = {
    id: newId(world, 'bwd'),
    purpose: 'withdrawal' as const,
    authorization: {
      network,
      asset: served.usdc,
      from: world.escrow.address,
      to: wallet.address,
      value: amount,
      validAfter: 0n,
      validBefore: 0n,
      nonce,
    },
    agentId,
    fromBlock,
  }
  return intendedTransfer(intent, world.clock.now())
}
