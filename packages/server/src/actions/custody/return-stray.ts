import { strayReturnNonce } from '@guildhall/protocol'
import { isOurOwn } from '../../domain/custody/is-our-own.ts'
import type { Stray } from '../../domain/custody/stray.ts'
import type { Watch } from '../../domain/custody/watch.ts'
import { intendedTransfer } from '../../domain/transfer/intended-transfer.ts'
import type { Hex, Transfer } from '../../domain/transfer/transfer.ts'
import type { Office } from '../../ports/office.ts'
import { newId } from '../new-id.ts'

export type ReturnOutcome =
  | { readonly kind: 'intended'; readonly stray: Stray; readonly transfer: Transfer }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'returned'; readonly stray: Stray }
  /** The sender is unknown: the operator must name the address. */
  | { readonly kind: 'no sender'; readonly stray: Stray }
  /** The payout would never arrive, and its nonce would be taken. */
  | { readonly kind: 'our own address'; readonly stray: Stray; readonly payee: Hex }

const NOBODY = /^0x0{40}$/

/**
 * Records a payout of unrequested money back to its sender; the nodes carry it out. It can happen only once: the nonce is derived
 * from the stray.
 */
export const returnStray = (office: Office, strayId: string, to: Hex | null): Promise<ReturnOutcome> =>
  office.store.transaction(async (tx): Promise<ReturnOutcome> => {
    const stray = await tx.lockStray(strayId)
    const watch = stray && (await tx.watch(stray.network))
    if (!stray || !watch) return { kind: 'unknown' }
    if (stray.returned) return { kind: 'returned', stray }
    const payee = to ?? stray.counterparty
    if (NOBODY.test(payee)) return { kind: 'no sender', stray }
    const known = (await tx.watches()).flatMap(({ wallet, asset }) => [wallet, asset])
    if (isOurOwn(payee, known)) return { kind: 'our own address', stray, payee }
    const transfer = payoutOf(office, stray, watch, payee)
    if (!(await tx.insertTransfer(transfer))) return { kind: 'returned', stray }
    await tx.returnStray(stray.id, transfer.id)
    return { kind: 'intended', stray, transfer }
  })

function payoutOf(office: Office, stray: Stray, { wallet, asset }: Watch, to: Hex): Transfer {
  const intent = {
    id: newId(office, 'tr'),
    purpose: 'return' as const,
    authorization: {
      network: stray.network,
      asset,
      from: wallet,
      to: to.toLowerCase() as Hex,
      value: stray.amount,
      validAfter: 0n,
      validBefore: 0n,
      nonce: strayReturnNonce(stray),
    },
    fromBlock: stray.blockNumber,
  }
  return intendedTransfer(intent, office.clock.now())
}
