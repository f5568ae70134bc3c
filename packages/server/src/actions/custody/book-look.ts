import type { Movement } from '../../domain/custody/movement.ts'
import { differenceOf, type Position } from '../../domain/custody/reconcile.ts'
import { isMovementOf } from '../../domain/custody/settled-movement.ts'
import { type Trouble, troubleOf } from '../../domain/custody/trouble.ts'
import type { Watch } from '../../domain/custody/watch.ts'
import type { Transfer } from '../../domain/transfer/transfer.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { bookStray, explainOpening, forgetStray, OPENING } from './book-stray.ts'
import { nextLook } from './next-look.ts'
import { keyOf, type SeenWallet } from './seen-wallet.ts'

/** A movement was forgotten between reading and booking, as after a reorg: only another look can say whose it is. */
export class OutdatedLookError extends Error {
  constructor(movement: Movement) {
    super(`the movement ${keyOf(movement)} came up while it was written down`)
    this.name = 'OutdatedLookError'
  }
}

/**
 * Books what a look at the wallet found and compares it with the journal, in one transaction. The cursor moves only over blocks
 * whose movements explain the balance; missing money pauses payouts in the same transaction.
 */
export async function bookLook(world: World, leased: Watch, seen: SeenWallet): Promise<void> {
  await world.store.transaction(async (tx) => {
    const watch = await tx.lockWatch(leased.network)
    // If another look has begun since, that one books, and raises the alarms.
    if (watch?.fence !== leased.fence) return
    const isComplete = seen.unexplained === 0n
    const strangeOutflows = isComplete ? await bookMovements(world, tx, watch, seen) : []
    const proven = isComplete ? seen.upTo : watch.proven
    const { number, balance } = proven ?? seen.since
    const position = await explainedPosition(world, tx, watch, seen, number)
    const difference = differenceOf(balance, position) + seen.unexplained
    const trouble = troubleOf({
      network: watch.network,
      difference,
      house: position.house,
      unexplained: seen.unexplained,
      underWay: position.underWay,
      strangeOutflows,
    })
    if (trouble?.stopsPayouts && !(await tx.lockPayouts()).paused) await tx.pausePayouts(true, trouble.text)
    const now = world.clock.now()
    const more = isComplete && seen.upTo.number < seen.final
    await tx.saveWatch({
      ...watch,
      firstBlock: proven === null ? null : (watch.firstBlock ?? seen.since.number),
      proven,
      difference,
      transactions: seen.transactions,
      missed: 0,
      trouble: trouble?.text ?? null,
      lookAt: more ? now : nextLook(now, watch.network, world.rules),
      provenAt: now,
    })
    raiseAlarms(world, watch, trouble, seen.transactions)
  })
}

/** Before the commit: an alarm after it would be lost with the answer to it, and no later look would raise it. */
function raiseAlarms({ log }: World, watch: Watch, trouble: Trouble | null, transactions: bigint): void {
  const { network } = watch
  if (trouble && trouble.text !== watch.trouble) log.alarm(trouble.alarm, { network, what: trouble.text })
  if (transactions > watch.transactions) {
    log.alarm('the escrow wallet has sent a transaction by itself', { network, count: Number(transactions) })
  }
}

/** Returns the movements out of the wallet without a payout on record. */
async function bookMovements(
  world: World,
  tx: Transaction,
  watch: Watch,
  seen: SeenWallet,
): Promise<readonly Movement[]> {
  const { network, proven } = watch
  const now = world.clock.now()
  if (proven === null && seen.since.balance > 0n) await bookStray(world, tx, network, openingOf(seen))
  const staying = seen.movements.filter(({ blockNumber }) => blockNumber <= seen.upTo.number)
  await tx.proveMovements(network, staying, now)
  const strange: Movement[] = []
  for (const movement of await tx.unknownMovements(network, seen.movements)) {
    const stays = movement.blockNumber <= seen.upTo.number
    if (movement.incoming && !stays) continue
    const transfer = await transferOf(tx, watch, seen, movement)
    if (transfer && stays) await tx.assignMovement(network, movement, transfer.id, transfer.state === 'settled')
    else if (!transfer && movement.incoming) await bookStray(world, tx, network, movement)
    else if (!transfer) strange.push(movement)
  }
  // Everything up to there is proven by now: what is not was taken back by the chain, and is owed to nobody.
  for (const stray of await tx.lockUnprovenStrays(network, seen.upTo.number)) await forgetStray(world, tx, stray)
  return strange
}

/** A payment may be booked at any moment: what the position counts as one must be a stray no more, or it counts twice. */
async function explainedPosition(
  world: World,
  tx: Transaction,
  watch: Watch,
  seen: SeenWallet,
  block: bigint,
): Promise<Position> {
  for (;;) {
    const position = await tx.custodyPosition(watch.network, block)
    if (!(await explainOpenings(world, tx, watch, seen))) return position
  }
}

/** Whether there were payments that explain some of the balance from before the first look. */
async function explainOpenings(world: World, tx: Transaction, watch: Watch, { since }: SeenWallet): Promise<boolean> {
  let explained = false
  for (const payment of await tx.lockUnseenPayments(watch.network, watch.firstBlock ?? since.number))
    explained = (await explainOpening(world, tx, watch.network, payment)) || explained
  return explained
}

/** The balance from before the first look, as a movement from an unknown sender. */
const openingOf = ({ since }: SeenWallet): Movement => ({
  ...OPENING,
  blockNumber: since.number,
  incoming: true,
  counterparty: `0x${'0'.repeat(40)}`,
  amount: since.balance,
})

async function transferOf(
  tx: Transaction,
  { network, asset, wallet }: Watch,
  { carriedOut }: SeenWallet,
  movement: Movement,
): Promise<Transfer | null> {
  const found = carriedOut.get(keyOf(movement))
  if (!found) throw new OutdatedLookError(movement)
  if (found.kind === 'plain') return null
  const transfer = await tx.transferByAuthorization({ network, asset, ...found })
  return transfer && isMovementOf(movement, transfer, wallet) ? transfer : null
}
