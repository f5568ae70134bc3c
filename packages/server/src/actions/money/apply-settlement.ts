import { settledMovement } from '../../domain/custody/settled-movement.ts'
import type { Instant } from '../../domain/instant.ts'
import { postingOf } from '../../domain/journal/posting-of.ts'
import { afterSettlement, withHashOf } from '../../domain/transfer/task-after.ts'
import type { Transfer } from '../../domain/transfer/transfer.ts'
import type { Evidence } from '../../ports/chain.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { creditBond } from '../bonds/credit-bond.ts'
import { explainStray } from '../custody/book-stray.ts'
import { newId } from '../new-id.ts'
import { announceAtOnce } from '../tasks/announce-at-once.ts'
import { applyDeath } from './apply-death.ts'
import { postponed } from './postpone.ts'
import { tellOfSettlement } from './tell-of-settlement.ts'
import type { TransferCase } from './transfer-case.ts'

type Settled = Evidence & { readonly kind: 'settled' }

/** The chain shows the transfer: journal, task, ledger and inboxes are updated in one transaction. */
export async function applySettlement(
  world: World,
  tx: Transaction,
  seen: TransferCase,
  evidence: Settled,
  { mature, final }: Pick<Transfer, 'mature' | 'final'>,
): Promise<void> {
  const { transfer: before, task } = seen
  const now = world.clock.now()
  const known = { txHash: evidence.txHash, blockNumber: evidence.blockNumber, mature, final, lastError: null }
  const settledAt = before.settledAt ?? now
  const transfer: Transfer = {
    ...before,
    ...nextLook(world, before, { mature, final }, settledAt),
    ...known,
    state: 'settled',
    settledAt,
  }
  const posting = postingOf(transfer)
  if (posting && !(await bookMovement(world, tx, transfer, evidence))) {
    return applyDeath(world, tx, seen, 'the money came before its authorization was shown, and went back to its sender')
  }
  await tx.saveTransfer(transfer)
  if (before.state === 'settled') {
    if (task && before.txHash !== transfer.txHash) await tx.saveTask(withHashOf(task, transfer))
    return
  }
  if (posting) await tx.post({ ...posting, id: newId(world, 'jrn'), createdAt: now })
  if (transfer.purpose === 'bond') await creditBond(world, tx, transfer)
  if (task) {
    const paid = afterSettlement(task, transfer, now)
    await tx.saveTask(paid)
    await tellOfSettlement(world, tx, paid, transfer)
    await announceAtOnce(world, tx, paid)
  }
}

/** Payouts wait for an immature transfer, so it is checked often; a mature one is checked less and less often. */
function nextLook(
  world: World,
  transfer: Transfer,
  { mature, final }: Pick<Transfer, 'mature' | 'final'>,
  settledAt: Instant,
): Partial<Transfer> {
  if (final) return { leaseUntil: null, nextAttemptAt: null }
  return postponed(world, { ...transfer, settledAt }, null, mature ? undefined : 1)
}

/** Each log of the chain is booked once. False when the money is already on its way back to its sender. */
async function bookMovement(world: World, tx: Transaction, transfer: Transfer, evidence: Settled): Promise<boolean> {
  const { network } = transfer.authorization
  const movement = settledMovement(transfer, evidence)
  if (await tx.bookMovement(network, movement, transfer.id, world.clock.now())) return true
  return explainStray(world, tx, network, movement, transfer.id)
}
