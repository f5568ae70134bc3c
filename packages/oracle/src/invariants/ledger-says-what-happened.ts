import { hashDocument, type JsonValue, payloadHash, receiptHash } from '@guildhall/protocol'
import { countBy } from '../books/count-by.ts'
import type { Books } from '../books/read-books.ts'
import type { ReceiptRow, TransferRow } from '../books/rows.ts'
import { deliveredPayload, signedReceipt } from '../books/signed-receipt.ts'
import type { Invariant } from '../invariant.ts'

/** I4: agents, deliveries, acceptances and payments are in the ledger, once each. */
export const ledgerSaysWhatHappened: Invariant = {
  name: 'I4 the ledger says what happened',
  *broken({ books }) {
    const sealed = new Set(books.entries.map(({ profile_hash }) => profile_hash))
    for (const receipt of books.receipts) yield* wrongReceipt(books, receipt, sealed)
    yield* wrongCommitments(books)
    const all = books.receiptsOnRecord[0]?.count ?? 0n
    const submissions = books.submissionsOnRecord[0]?.count ?? 0n
    if (all !== BigInt(books.receipts.length) || all !== submissions) {
      yield `there are ${all} receipts for ${submissions} submissions, and ${books.receipts.length} of them match`
    }
  },
}

function* wrongReceipt({ entries }: Books, row: ReceiptRow, sealed: ReadonlySet<string>): Iterable<string> {
  const hash = receiptHash(signedReceipt(row))
  if (payloadHash(deliveredPayload(row)) !== row.payload_hash) yield `receipt ${row.id} does not fit its delivery`
  if (row.chain_sequence === null) {
    if (sealed.has(hash)) yield `receipt ${row.id} is sealed, and does not say where`
    return
  }
  const entry = entries[Number(row.chain_sequence) - 1]
  const named = entry?.entry_hash === row.chain_entry_hash && entry.profile_hash === hash
  if (!named) yield `receipt ${row.id} is not in entry ${row.chain_sequence}, which it names`
}

type Said = { readonly type: string; readonly profile_hash: string }

/** Compares entries, sealed or pending, with the documents that they must commit to. */
function* wrongCommitments(books: Books): Iterable<string> {
  const said = [...books.entries, ...books.pending]
  yield* compare('task_delivered', said, books.receipts.map(signedReceipt).map(receiptHash))
  yield* compare('task_verified', said, acceptances(books))
  yield* comparePayments('task_payment_settled', said, books, { noted: 'settled', by: ['release', 'bounty'] })
  yield* comparePayments('task_payment_refunded', said, books, { noted: 'escrow_refunded', by: ['refund'] })
  const registered = countBy(
    said.filter(({ type }) => type === 'registration'),
    ({ agent_id }) => agent_id,
  )
  for (const { id } of books.agents) {
    const times = registered.get(id) ?? 0
    if (times !== 1) yield `agent ${id} is registered ${times} times in the ledger`
  }
}

const acceptances = ({ tasks }: Books): readonly string[] =>
  tasks
    .filter(({ status }) => status === 'verified')
    .map(({ id, claimed_by, accepted_by, verified_at }) =>
      hashDocument({
        task_id: id,
        agent_id: claimed_by,
        accepted_by,
        verified_at: verified_at === null ? null : new Date(verified_at).toISOString(),
      }),
    )

/** The name of a payment in the history, and the purposes of the transfers that make it. */
type Payment = { readonly noted: string; readonly by: readonly string[] }

/**
 * The payment history names the transaction that was written to the ledger in the same database transaction. A payment that was
 * reorged and settled again is in the ledger once, under one of its transactions; a bounty that was reorged away for good is paid
 * by another transfer, and each is in the ledger. What never moved money is not.
 */
function* comparePayments(type: string, said: readonly Said[], books: Books, { noted, by }: Payment): Iterable<string> {
  const entries = said.filter((one) => one.type === type)
  const times = countBy(entries, ({ profile_hash }) => profile_hash)
  const history = books.paymentEvents.filter((event) => event.type === noted)
  const transfers = Map.groupBy(
    books.transfers.filter(({ purpose }) => by.includes(purpose)),
    ({ task_id }) => task_id,
  )
  const moved = movedMoney(books)
  const known = new Set<string>()
  for (const [taskId, events] of Map.groupBy(history, ({ task_id }) => task_id)) {
    const hashes = new Set(events.map(({ details }) => hashDocument(documentOf(taskId, details))))
    for (const hash of hashes) known.add(hash)
    const found = [...hashes].reduce((sum, hash) => sum + (times.get(hash) ?? 0), 0)
    const own = transfers.get(taskId) ?? []
    const [least, most] = [own.filter(moved.surely).length, own.filter(moved.perhaps).length]
    if (found < least || found > most || found === 0)
      yield `the ${type} of task ${taskId} is in the ledger ${found} times, for ${most} transfers`
  }
  for (const { profile_hash } of entries) {
    if (!known.has(profile_hash)) yield `${type} ${profile_hash} is in the ledger, but matches nothing on record`
  }
}

/** A payment outside of our wallet has no posting: once it has ended, only the history shows that it was settled before. */
function movedMoney({ postings, paymentEvents }: Books) {
  const posted = new Set(postings.map(({ transfer_id }) => transfer_id))
  const undone = new Set(paymentEvents.filter(({ type }) => type === 'settlement_undone').map(({ task_id }) => task_id))
  const surely = ({ id, state }: TransferRow): boolean => state === 'settled' || posted.has(id)
  const perhaps = (one: TransferRow): boolean =>
    surely(one) || (one.purpose === 'bounty' && undone.has(one.task_id ?? ''))
  return { surely, perhaps }
}

const documentOf = (
  taskId: string,
  { network, amount_atomic, tx_hash }: Readonly<Record<string, unknown>>,
): JsonValue => ({ task_id: taskId, network, amount_atomic, tx_hash }) as JsonValue

function* compare(type: string, said: readonly Said[], expected: readonly string[]): Iterable<string> {
  const found = Map.groupBy(
    said.filter((one) => one.type === type),
    ({ profile_hash }) => profile_hash,
  )
  for (const [hash, several] of Map.groupBy(expected, (one) => one)) {
    const times = found.get(hash)?.length ?? 0
    if (times !== several.length) yield `${type} ${hash} is in the ledger ${times} times instead of ${several.length}`
    found.delete(hash)
  }
  for (const hash of found.keys()) yield `${type} ${hash} is in the ledger, but matches nothing on record`
}
