import { HOUR, SECOND } from '@guildhall/protocol'
import { unixSeconds } from '../../domain/instant.ts'
import type { Transfer } from '../../domain/transfer/transfer.ts'
import type { World } from '../../ports/world.ts'
import { pauseReason } from './pause-reason.ts'

/** A payout's signature is valid for an hour: what was signed within the last hour is what has not expired. */
const LIFE_SECONDS = BigInt(HOUR / SECOND)

export type Reservation =
  | { readonly kind: 'reserved'; readonly transfer: Transfer }
  | { readonly kind: 'waits'; readonly why: string }
  | { readonly kind: 'taken' }

/**
 * Reserves a payout's share of the hourly allowance before it is signed. All nodes do so one after the other, under the lock of
 * the payouts switch: together they never sign more than the cap, and nothing once payouts are paused. A payout counts once,
 * however often it is signed again.
 */
export const reservePayout = (world: World, leased: Transfer, fromBlock: bigint): Promise<Reservation> =>
  world.store.transaction(async (tx): Promise<Reservation> => {
    const current = await tx.lockTransfer(leased.id)
    if (current?.fence !== leased.fence || current.state !== 'intended') return { kind: 'taken' }
    const paused = pauseReason(await tx.lockPayouts())
    if (paused !== null) return { kind: 'waits', why: paused }
    const now = BigInt(unixSeconds(world.clock.now()))
    const { maxHourlyPayoutAtomic: cap } = world.rules
    const { value } = current.authorization
    if ((await tx.atomicPaidOut(now, current.id)) + value > cap) {
      return { kind: 'waits', why: 'the hourly cap on payouts is reached' }
    }
    const authorization = { ...current.authorization, validBefore: now + LIFE_SECONDS }
    const transfer = { ...current, fromBlock, authorization, signature: null }
    await tx.saveTransfer(transfer)
    return { kind: 'reserved', transfer }
  })
