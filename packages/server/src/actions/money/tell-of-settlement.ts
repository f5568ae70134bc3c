import type { EventType } from '@guildhall/protocol'
import type { NewEvent } from '../../domain/inbox/event.ts'
import { type PaymentEntry, paymentHash } from '../../domain/ledger/documents.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Transfer, TransferPurpose } from '../../domain/transfer/transfer.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { appendEntry, settlementEntryId } from '../append-entry.ts'
import { mailPoster } from '../mail/mail-poster.ts'
import { newId } from '../new-id.ts'
import { notePaymentEvent } from './note-payment-event.ts'

type Telling = {
  readonly note: string
  readonly event: EventType
  readonly to: readonly ('creator' | 'deliverer')[]
  readonly entry: PaymentEntry | null
}

const settled: Telling = {
  note: 'settled',
  event: 'task.payment_settled',
  to: ['deliverer', 'creator'],
  entry: 'task_payment_settled',
}

const tellings: Readonly<Partial<Record<TransferPurpose, Telling>>> = {
  deposit: { note: 'escrow_funded', event: 'task.escrow_funded', to: ['creator'], entry: null },
  release: settled,
  bounty: settled,
  refund: { note: 'escrow_refunded', event: 'task.escrow_refunded', to: ['creator'], entry: 'task_payment_refunded' },
}

/** Records in payment history, ledger and inboxes that money of a task has moved. */
export async function tellOfSettlement(world: World, tx: Transaction, task: Task, transfer: Transfer): Promise<void> {
  const telling = tellings[transfer.purpose]
  if (!telling) return
  const facts = {
    tx_hash: transfer.txHash,
    network: transfer.authorization.network,
    amount_atomic: transfer.authorization.value.toString(),
  }
  await notePaymentEvent(world, tx, { taskId: task.id, type: telling.note, details: facts })
  if (transfer.purpose === 'refund') await mailPoster(world, tx, task, 'task.escrow_refunded')
  if (telling.entry !== null) await append(world, tx, task, transfer, telling.entry)
  const events = telling.to.flatMap((party): NewEvent[] => {
    const agentId = partyOf(task, party)
    const payload = { task_id: task.id, title: task.title, ...facts }
    return agentId === null
      ? []
      : [{ agentId, type: telling.event, refKind: 'task', refId: task.id, actorId: null, payload }]
  })
  await tx.addEvents(events, world.clock.now(), () => newId(world, 'evt'))
}

async function append(
  world: World,
  tx: Transaction,
  task: Task,
  transfer: Transfer,
  type: PaymentEntry,
): Promise<void> {
  const id = settlementEntryId(transfer.id)
  // After a reorg the transfer may settle a second time: the ledger records it once.
  if (await tx.seal(id)) return
  const agentId = partyOf(task, type === 'task_payment_settled' ? 'deliverer' : 'creator')
  const agent = agentId === null ? null : await tx.agent(agentId)
  await appendEntry(world, tx, { id, type, agent, profileHash: paymentHash(type, task, transfer) })
}

const partyOf = ({ creator, claimedBy }: Task, party: 'creator' | 'deliverer'): string | null =>
  party === 'deliverer' ? claimedBy : creator.kind === 'agent' ? creator.id : null
