import type { PayoutsSwitch } from '../../ports/payout-store.ts'
import type { World } from '../../ports/world.ts'

export type PayoutsStanding = PayoutsSwitch & { readonly queued: { readonly count: number; readonly atomic: bigint } }

export async function payoutsStanding({ store }: Pick<World, 'store'>): Promise<PayoutsStanding> {
  const [standing, queued] = await Promise.all([store.payoutsPaused(), store.queuedPayouts()])
  return { ...standing, queued }
}

/** From now on no node starts to send a payout; queued ones stay queued. */
export const pausePayouts = ({ store }: Pick<World, 'store'>, reason: string): Promise<void> =>
  store.transaction((tx) => tx.pausePayouts(true, reason))

/** Resumes payouts and makes the queued ones due at once; returns their number. */
export const resumePayouts = ({ store, clock }: Pick<World, 'store' | 'clock'>): Promise<number> =>
  store.transaction(async (tx) => {
    await tx.pausePayouts(false, null)
    return tx.hastenPayouts(clock.now())
  })
