import { type CustodyWrites, isPayout, type Reader } from '@guildhall/server/parts'
import { signed } from './movements.ts'
import type { View } from './overlay.ts'
import type { Ask, Statements } from './statements.ts'
import type { Tables } from './tables.ts'

const COMING_IN = new Set<string>(['deposit', 'bond'])

/** What the journal says that the wallet holds. */
function journalOf({ postings }: Tables, view: View, network: string): bigint {
  let held = 0n
  for (const posting of view.all(postings)) {
    if (posting.network !== network) continue
    if (posting.debit === 'wallet') held += posting.amount
    if (posting.credit === 'wallet') held -= posting.amount
  }
  return held
}

/** What of it is the house's. */
export function houseOf({ postings }: Tables, view: View, network: string): bigint {
  let balance = 0n
  for (const posting of view.all(postings)) {
    if (posting.network !== network) continue
    if (posting.credit === 'house') balance += posting.amount
    if (posting.debit === 'house') balance -= posting.amount
  }
  return balance
}

/** What the wallet must hold as of a block, when every payout but this one may have left. */
export function leastHeldOf(tables: Tables, view: View, network: string, block: bigint, exceptId: string): bigint {
  const house = houseOf(tables, view, network)
  let least = journalOf(tables, view, network) - (house < 0n ? house : 0n)
  for (const row of view.all(tables.movements)) {
    if (row.network === network && row.booked && !row.proven && row.blockNumber > block) least -= signed(row)
  }
  for (const { id, state, purpose, authorization } of view.all(tables.transfers)) {
    const mayHaveLeft = state === 'intended' && isPayout(purpose) && authorization.validBefore > 0n
    if (authorization.network === network && mayHaveLeft && id !== exceptId) least -= authorization.value
  }
  return least
}

export const positionReads = (tables: Tables, ask: Ask) =>
  ({
    leastHeld: (network, block, exceptTransferId) =>
      ask('leastHeld', (view) => leastHeldOf(tables, view, network, block, exceptTransferId)),
  }) satisfies Partial<Reader>

export const positionWrites = (tables: Tables, { change }: Statements) =>
  ({
    custodyPosition: (network, block) =>
      change('custodyPosition', [], (own) => {
        let [notBooked, notProven, underWay] = [0n, 0n, 0n]
        for (const row of own.all(tables.movements)) {
          if (row.network !== network || (row.booked && row.proven)) continue
          if (row.proven && !row.booked && row.transferId !== null) notBooked += signed(row)
          const isFinal = row.transferId === null ? null : own.get(tables.transfers, row.transferId)?.final
          const mayPass = row.blockNumber > block || isFinal === false
          if (row.booked && !row.proven && mayPass) notProven += signed(row)
        }
        for (const { state, purpose, authorization } of own.all(tables.transfers)) {
          const isComing = state === 'intended' && COMING_IN.has(purpose)
          if (authorization.network === network && isComing) underWay += authorization.value
        }
        const [journal, house] = [journalOf(tables, own, network), houseOf(tables, own, network)]
        return { journal, house, notBooked, notProven, underWay }
      }),
  }) satisfies Partial<CustodyWrites>
