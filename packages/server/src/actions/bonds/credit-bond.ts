import type { Transfer } from '../../domain/transfer/transfer.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { postBondShare } from './post-bond-share.ts'

/** Adds a bond, or a withdrawal that never left, to the balance. What the house stands in for is paid back from it first. */
export async function creditBond(
  world: World,
  tx: Transaction,
  { agentId, authorization: { network, value } }: Transfer,
): Promise<void> {
  if (agentId === null) return
  await tx.lockAgent(agentId)
  const debt = await tx.bondDebt(agentId, network)
  const paidBack = debt < value ? debt : value
  if (paidBack < value) await tx.adjustBond(agentId, network, value - paidBack)
  if (paidBack === 0n) return
  const share = { network, amount: paidBack, reason: 'undone', taskId: null, agentId } as const
  await postBondShare(world, tx, { ...share, debit: 'bonds', credit: 'house' })
}
