import { isOurOwn } from '../../domain/custody/is-our-own.ts'
import { paysOn } from '../../domain/task/facts.ts'
import type { Hex, TransferState } from '../../domain/transfer/transfer.ts'
import type { World } from '../../ports/world.ts'

export type RedirectOutcome =
  | { readonly kind: 'redirected'; readonly to: Hex }
  | { readonly kind: 'unknown' }
  /** Refunds go to whoever paid; a withdrawal that cannot be paid is credited back to the bond. */
  | { readonly kind: 'no release' }
  | { readonly kind: 'not waiting'; readonly state: TransferState }
  /** The deliverer has proven no wallet that could be paid there, or none but the old one. */
  | { readonly kind: 'no other wallet' }

/**
 * Records that a waiting release is to go to the wallet that its deliverer has by now. The nodes carry it out when the present
 * authorization is over; the nonce stays, so the deposit leaves once.
 */
export const redirectPayout = ({ store }: Pick<World, 'store'>, transferId: string): Promise<RedirectOutcome> =>
  store.transaction(async (tx): Promise<RedirectOutcome> => {
    const transfer = await tx.lockTransfer(transferId)
    if (transfer === null) return { kind: 'unknown' }
    const { purpose, state, agentId, authorization } = transfer
    if (purpose !== 'release') return { kind: 'no release' }
    if (state !== 'intended') return { kind: 'not waiting', state }
    const wallet = agentId === null ? null : ((await tx.agent(agentId))?.wallet ?? null)
    const known = (await tx.watches()).flatMap((watch) => [watch.wallet, watch.asset])
    const isOther =
      wallet !== null &&
      wallet.address.toLowerCase() !== authorization.to.toLowerCase() &&
      paysOn(wallet, authorization.network) &&
      !isOurOwn(wallet.address, known)
    if (!isOther) return { kind: 'no other wallet' }
    await tx.saveTransfer({ ...transfer, redirectTo: wallet.address })
    return { kind: 'redirected', to: wallet.address }
  })
