import { OPENING } from '../books/opening.ts'
import type { Books } from '../books/read-books.ts'
import type { MovementRow, PostingRow } from '../books/rows.ts'
import type { ChainView, Movement } from '../chain/read-chain.ts'
import type { Evidence, Invariant } from '../invariant.ts'

/** I3: every movement of the wallet up to the proven block is recorded as on chain, and strays are owed to their senders. */
export const movementsAreKnown: Invariant = {
  name: 'I3 movements are known',
  *broken(evidence) {
    for (const chain of evidence.chains) yield* wrongRecord(evidence, chain)
    yield* wrongBookings(evidence.books)
    yield* wrongStrays(evidence.books)
  },
}

const keyOf = (network: string, txHash: string, logIndex: number): string => `${network} ${txHash} ${logIndex}`

function* wrongRecord({ books, escrowWallet }: Evidence, { network, movements }: ChainView): Iterable<string> {
  const { block = null, first_block = null } = books.watches.find((watch) => watch.network === network) ?? {}
  const isWatched = (number: bigint) => block !== null && number <= block && number > (first_block ?? -1n)
  const onChain = new Map(movements.map((one) => [keyOf(network, one.txHash, one.logIndex), one]))
  const rows = books.movements.filter((row) => row.network === network && row.tx_hash !== OPENING)
  const onRecord = new Map(rows.map((row) => [keyOf(network, row.tx_hash, row.log_index), row]))
  for (const [key, movement] of onChain) {
    if (movement.value === 0n || movement.from === movement.to) continue
    const row = onRecord.get(key)
    if (row ? !isSame(row, movement, escrowWallet) : isWatched(movement.blockNumber)) {
      yield `the movement ${key} of ${movement.value} is ${row ? 'another' : 'not'} on record`
    }
  }
  for (const [key, row] of onRecord) {
    if (row.proven && !onChain.has(key)) yield `the movement ${key} is on record as proven, the chain does not show it`
  }
}

function isSame(row: MovementRow, { from, to, value }: Movement, escrowWallet: string): boolean {
  const other = row.incoming ? from : to
  return row.incoming === (to === escrowWallet) && row.counterparty === other && row.amount === value
}

/** A transfer in custody has one booked movement when it is settled, and none otherwise. */
function* wrongBookings({ transfers, movements }: Books): Iterable<string> {
  const booked = Map.groupBy(
    movements.filter((row) => row.booked),
    ({ transfer_id }) => transfer_id,
  )
  for (const { id, state, purpose } of transfers) {
    const expected = state === 'settled' && purpose !== 'bounty' ? 1 : 0
    const found = booked.get(id)?.length ?? 0
    if (found !== expected) yield `the ${purpose} ${id} is ${state} and has ${found} movements in the books`
  }
}

/** Suspense holds the strays that were not returned. */
function* wrongStrays({ transfers, movements, postings }: Books): Iterable<string> {
  const states = new Map(transfers.map(({ id, state }) => [id, state]))
  const strays = movements.filter((row) => row.stray_id !== null && row.transfer_id === null && !row.covers_loss)
  const held = strays.filter(({ return_id }) => return_id === null || states.get(return_id) !== 'settled')
  for (const network of new Set(postings.map((posting) => posting.network))) {
    const owed = held.filter((row) => row.network === network).reduce((sum, { amount }) => sum + amount, 0n)
    const suspense = balanceOf(postings, network)
    if (owed !== suspense) yield `${network}: suspense is at ${suspense}, the strays in the wallet come to ${owed}`
  }
}

const balanceOf = (postings: readonly PostingRow[], wanted: string): bigint =>
  postings.reduce((sum, { network, debit, credit, amount }) => {
    if (network !== wanted) return sum
    if (credit === 'suspense') return sum + amount
    return debit === 'suspense' ? sum - amount : sum
  }, 0n)
