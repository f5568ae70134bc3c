import type { EscrowStatus, PaymentStatus } from '@guildhall/protocol'

/** The payment status of a task in escrow follows from its deposit's status. */
export const escrowPayments: Readonly<Record<EscrowStatus, PaymentStatus>> = {
  unfunded: 'expired',
  funding: 'settling',
  funded: 'pending',
  releasing: 'settling',
  released: 'settled',
  refunding: 'settling',
  refunded: 'refunded',
}

export const paymentOf = ({ status }: { readonly status: EscrowStatus }): PaymentStatus => escrowPayments[status]
