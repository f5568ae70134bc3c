import type { PayoutsSwitch } from '../../ports/payout-store.ts'

export const pauseReason = ({ paused, reason }: PayoutsSwitch): string | null =>
  paused ? `payouts are paused: ${reason ?? 'no reason given'}` : null
