import type { Movement } from '../../domain/custody/movement.ts'
import type { Stray } from '../../domain/custody/stray.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { newId } from '../new-id.ts'

/** Unrequested money is booked at once as owed to its sender. */
export async function bookStray(world: World, tx: Transaction, network: string, movement: Movement): Promise<void> {
  const now = world.clock.now()
  await tx.bookStray(network, movement, newId(world, 'str'), now)
  await tx.post({
    ...ABOUT_NOBODY,
    id: newId(world, 'jrn'),
    network,
    debit: 'wallet',
    credit: 'suspense',
    amount: movement.amount,
    reason: 'stray',
    txHash: movement.txHash,
    createdAt: now,
  })
}

/**
 * A movement was booked as a stray before the payment it belongs to was recorded: the stray is removed from the books. False when
 * it, and so the payment, is already on its way back to the sender.
 */
export async function explainStray(
  world: World,
  tx: Transaction,
  network: string,
  movement: Movement,
  transferId: string,
): Promise<boolean> {
  const stray = await tx.lockStrayAt(network, movement)
  if (!stray || stray.returned) return false
  await tx.explainStray(stray.id, transferId)
  await unbookStray(world, tx, stray)
  return true
}

/** The place of the balance from before the first look; no transaction has this hash. */
export const OPENING = { txHash: `0x${'0'.repeat(64)}`, logIndex: 0 } as const

/**
 * A payment that was in the wallet at the first look, and was recorded only after it, is a part of the balance that was booked as a
 * stray then. False when that has left: then the payment is missing.
 */
export async function explainOpening(
  world: World,
  tx: Transaction,
  network: string,
  payment: Movement,
): Promise<boolean> {
  const opening = await tx.lockStrayAt(network, OPENING)
  if (!opening || opening.returned || opening.amount < payment.amount) return false
  if (opening.amount > payment.amount) await tx.reduceStray(opening.id, payment.amount)
  else await tx.forgetStray(opening.id)
  await unbookStray(world, tx, { ...opening, amount: payment.amount })
  await tx.proveMovements(network, [payment], world.clock.now())
  return true
}

/** A stray that the chain took back is not in the wallet, and may come again in another place. */
export async function forgetStray(world: World, tx: Transaction, stray: Stray): Promise<void> {
  await tx.forgetStray(stray.id)
  await unbookStray(world, tx, stray)
}

/** Removes the debt to the stray's sender; the money is the house's then, or nobody's. */
export const unbookStray = (
  world: Pick<World, 'clock' | 'random'>,
  tx: Transaction,
  { network, amount, txHash }: Stray,
  credit: 'wallet' | 'house' = 'wallet',
): Promise<void> =>
  tx.post({
    ...ABOUT_NOBODY,
    id: newId(world, 'jrn'),
    network,
    debit: 'suspense',
    credit,
    amount,
    reason: 'undone',
    txHash,
    createdAt: world.clock.now(),
  })

const ABOUT_NOBODY = { transferId: null, taskId: null, agentId: null } as const
