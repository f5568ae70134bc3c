import type { Stray } from '../../domain/custody/stray.ts'
import type { Office } from '../../ports/office.ts'
import { unbookStray } from './book-stray.ts'

export type CoverOutcome =
  | { readonly kind: 'covered'; readonly stray: Stray; readonly stillMissing: bigint }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'returned'; readonly stray: Stray }
  /** Less is missing than the stray would cover. */
  | { readonly kind: 'not missing'; readonly stray: Stray; readonly missing: bigint }

/**
 * Uses money that was sent for this purpose to cover missing money: it is then owed to nobody. What is left of it pays what the
 * house stands in for.
 */
export const coverLoss = (office: Office, strayId: string): Promise<CoverOutcome> =>
  office.store.transaction(async (tx): Promise<CoverOutcome> => {
    const stray = await tx.lockStray(strayId)
    const watch = stray && (await tx.lockWatch(stray.network))
    if (!stray || !watch) return { kind: 'unknown' }
    if (stray.returned) return { kind: 'returned', stray }
    const { house } = await tx.custodyPosition(stray.network, watch.proven?.number ?? 0n)
    const [gone, owed] = [shortOf(watch.difference), shortOf(house)]
    const stillMissing = gone + owed - stray.amount
    if (stillMissing < 0n) return { kind: 'not missing', stray, missing: gone + owed }
    const covered = gone < stray.amount ? gone : stray.amount
    await tx.coverLoss(stray.id)
    if (covered > 0n) await unbookStray(office, tx, { ...stray, amount: covered })
    if (covered < stray.amount) await unbookStray(office, tx, { ...stray, amount: stray.amount - covered }, 'house')
    await tx.saveWatch({ ...watch, difference: watch.difference + covered, lookAt: office.clock.now() })
    return { kind: 'covered', stray, stillMissing }
  })

const shortOf = (balance: bigint): bigint => (balance < 0n ? -balance : 0n)
