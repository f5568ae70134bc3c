import type { PaymentStatus } from '@guildhall/protocol'

/** What happens to a bounty signed at acceptance. `proven`, `dead` and `undone` are reported by the chain. */
export type PaymentTrigger = 'authorize' | 'attempt failed' | 'proven' | 'undone' | 'dead' | 'void'

/** Section 3.3 of the specification; while an authorization is valid, `failed` is temporary. */
export const paymentLifecycle: Readonly<
  Record<PaymentStatus, Readonly<Partial<Record<PaymentTrigger, PaymentStatus>>>>
> = {
  none: {},
  pending: { authorize: 'authorized', void: 'expired' },
  authorized: { 'attempt failed': 'failed', proven: 'settled', dead: 'expired' },
  settling: { 'attempt failed': 'failed', proven: 'settled', dead: 'expired' },
  failed: { 'attempt failed': 'failed', proven: 'settled', dead: 'expired' },
  settled: { undone: 'settling' },
  expired: { authorize: 'authorized' },
  refunded: {},
}

/** The next status; an impossible trigger is our bug, not the caller's mistake. */
export function paymentAfter(status: PaymentStatus, trigger: PaymentTrigger): PaymentStatus {
  const next = paymentLifecycle[status][trigger]
  if (next === undefined) throw new Error(`payment is ${status}: '${trigger}' cannot happen`)
  return next
}
