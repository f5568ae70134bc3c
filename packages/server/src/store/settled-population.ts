import { networks } from '@guildhall/protocol'

/** The networks on which a settled bounty counts. */
const mainnets = networks.filter(({ bounties, testnet }) => bounties && !testnet).map(({ id }) => `'${id}'`)

/**
 * Tasks that were paid: the population of the feed, of its statistics and of the all-time totals. Except for the network, the
 * condition is repeated word for word in the index tasks_settled.
 */
export const isPaid = (row: string): string => `
  ${row}.payment_status = 'settled' and ${row}.settled_at is not null
  and ${row}.escrow_status is distinct from 'refunded'
  and coalesce(${row}.escrow_release_tx, ${row}.payment_tx) ~ '^0x[0-9a-fA-F]{64}$'
  and ${row}.bounty_network in (${mainnets.join(', ')})`

/** The columns that `isPaid` reads. */
export const PAID_COLUMNS = 'payment_status, settled_at, escrow_status, escrow_release_tx, payment_tx, bounty_network'
