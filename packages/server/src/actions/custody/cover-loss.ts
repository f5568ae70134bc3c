import type { Stray } from '../../domain/custody/stray.ts'
import type { Office } from '../../ports/office.ts'
import { unbookStray } from './book-stray.ts'

export type CoverOutcome =
  | { readonly kind: 'covered'; readonly stray: Stray; readonly stillMissing: bigint }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'returned'; readonly stray: Stray }
  /** Less is missing than the stray would cover. */
  | { readonly kind: 'not missing'; readonly stray: Stray; readonly missing: bigint }

/** Uses money that was sent for this purpose to cover missing money: it is then owed to nobody. */
export const coverLoss = (office: Office, strayId: string): Promise<CoverOutcome> =>
  office.store.transaction(async (tx): Promise<CoverOutcome> => {
    const stray = await tx.lockStray(strayId)
    const watch = stray && (await tx.lockWatch(stray.network))
    if (!stray || !watch) return { kind: 'unknown' }
    if (stray.returned) return { kind: 'returned', stray }
    const stillMissing = -watch.difference - stray.amount
    if (stillMissing < 0n)
      return { kind: 'not missing', stray, missing: watch.difference < 0n ? -watch.difference : 0n }
    await tx.coverLoss(stray.id)
    await unbookStray(office, tx, stray)
    await tx.saveWatch({ ...watch, difference: -stillMissing, lookAt: office.clock.now() })
    return { kind: 'covered', stray, stillMissing }
  })
