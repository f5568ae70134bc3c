import type { Transfer } from '../../domain/transfer/transfer.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { postBondShare } from './post-bond-share.ts'

/**
 * A bond was reorged away, so the agent has that much less. If the balance does not cover it, unsigned withdrawals are called
 * off. The rest was slashed or has been withdrawn: the house stands in for it until the agent is credited again, or it would be
 * paid with the money of others.
 */
export async function takeBondBack(world: World, tx: Transaction, { agentId, authorization }: Transfer): Promise<void> {
  if (agentId === null) return
  const { network, value } = authorization
  // Locking agent before transfer cannot deadlock: nobody who holds an unsigned withdrawal locks an agent. It keeps new
  // withdrawals out.
  const agent = await tx.lockAgent(agentId)
  if (!agent) return
  const unsent = await lockUnsent(tx, agentId, network)
  // A bond that had left completely may have been followed by one on another network.
  const held = agent.bondNetwork === network ? agent.bondBalance : 0n
  let calledOff = 0n
  for (const withdrawal of unsent) {
    if (held + calledOff >= value) break
    await callOff(tx, withdrawal)
    calledOff += withdrawal.authorization.value
  }
  const covered = held + calledOff
  const taken = covered < value ? covered : value
  if (calledOff !== taken) await tx.adjustBond(agentId, network, calledOff - taken)
  if (taken === value) return
  const share = { network, amount: value - taken, reason: 'undone', taskId: null, agentId } as const
  await postBondShare(world, tx, { ...share, debit: 'house', credit: 'bonds' })
}

async function lockUnsent(tx: Transaction, agentId: string, network: string): Promise<readonly Transfer[]> {
  const unsent: Transfer[] = []
  for (const id of await tx.unsentWithdrawals(agentId)) {
    const withdrawal = await tx.lockTransfer(id)
    const isUnsent = withdrawal?.state === 'intended' && withdrawal.signature === null
    if (isUnsent && withdrawal.authorization.network === network) unsent.push(withdrawal)
  }
  return unsent
}

const callOff = (tx: Transaction, withdrawal: Transfer): Promise<void> =>
  tx.saveTransfer({
    ...withdrawal,
    state: 'dead',
    lastError: 'the chain took the bond back',
    nextAttemptAt: null,
    leaseUntil: null,
  })
