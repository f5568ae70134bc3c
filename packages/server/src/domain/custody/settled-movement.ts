import { type Hex, isPayout, type Transfer } from '../transfer/transfer.ts'
import type { Movement } from './movement.ts'

type Place = { readonly txHash: Hex; readonly logIndex: number; readonly blockNumber: bigint }

/** The wallet movement that a settled transfer causes. */
export function settledMovement({ purpose, authorization }: Transfer, place: Place): Movement {
  const { from, to, value } = authorization
  const incoming = !isPayout(purpose)
  const { txHash, logIndex, blockNumber } = place
  return { txHash, logIndex, blockNumber, incoming, counterparty: incoming ? from : to, amount: value }
}

/** Whether a movement is this transfer: the nonce alone is not enough, since two transfers can be signed with one. */
export function isMovementOf({ incoming, counterparty, amount }: Movement, transfer: Transfer, wallet: Hex): boolean {
  const { from, to, value } = transfer.authorization
  const other = incoming ? from : to
  const own = incoming ? to : from
  return own === wallet && other === counterparty && value === amount && transfer.state !== 'dead'
}
