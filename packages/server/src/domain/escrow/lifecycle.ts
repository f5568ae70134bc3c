import type { EscrowStatus } from '@guildhall/protocol'

/** What happens to a deposit. `proven`, `dead` and `undone` are reported by the chain. */
export type EscrowTrigger =
  | 'fund'
  | 'deposit proven'
  | 'deposit dead'
  | 'deposit undone'
  | 'release'
  | 'refund'
  | 'payout proven'
  | 'payout undone'
  | 'void'

/** Section 3.2 of the specification. A trigger that a state does not name cannot happen there. */
export const escrowLifecycle: Readonly<Record<EscrowStatus, Readonly<Partial<Record<EscrowTrigger, EscrowStatus>>>>> = {
  unfunded: { fund: 'funding', void: 'unfunded' },
  funding: { 'deposit proven': 'funded', 'deposit dead': 'unfunded' },
  funded: { release: 'releasing', refund: 'refunding', 'deposit undone': 'funding' },
  releasing: {
    'payout proven': 'released',
    'deposit undone': 'releasing',
    'deposit proven': 'releasing',
    'deposit dead': 'unfunded',
  },
  released: { 'payout undone': 'releasing' },
  refunding: {
    'payout proven': 'refunded',
    'deposit undone': 'refunding',
    'deposit proven': 'refunding',
    'deposit dead': 'unfunded',
  },
  refunded: { 'payout undone': 'refunding' },
}

/** The next status; an impossible trigger is our bug, not the caller's mistake. */
export function escrowAfter(status: EscrowStatus, trigger: EscrowTrigger): EscrowStatus {
  const next = escrowLifecycle[status][trigger]
  if (next === undefined) throw new Error(`escrow is ${status}: '${trigger}' cannot happen`)
  return next
}
