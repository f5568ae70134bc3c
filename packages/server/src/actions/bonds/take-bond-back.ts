import type { Transfer } from '../../domain/transfer/transfer.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { newId } from '../new-id.ts'

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
  let balance = agent.bondNetwork === network ? agent.bondBalance : 0n
  for (const withdrawal of unsent) {
    if (balance >= value) break
    await callOff(tx, withdrawal)
    await tx.adjustBond(agentId, network, withdrawal.authorization.value)
    balance += withdrawal.authorization.value
  }
  const taken = balance < value ? balance : value
  if (taken > 0n) await tx.adjustBond(agentId, network, -taken)
  if (taken < value) await standIn(world, tx, agentId, network, value - taken)
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

const standIn = (world: World, tx: Transaction, agentId: string, network: string, amount: bigint): Promise<void> =>
  tx.post({
    id: newId(world, 'jrn'),
    network,
    debit: 'house',
    credit: 'bonds',
    amount,
    reason: 'undone',
    transferId: null,
    taskId: null,
    agentId,
    txHash: null,
    createdAt: world.clock.now(),
  })
