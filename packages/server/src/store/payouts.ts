import { isoTime } from '../domain/instant.ts'
import type { PayoutReads, PayoutsSwitch, PayoutWrites } from '../ports/payout-store.ts'
import type { Connection } from './connection.ts'

type SwitchRow = { readonly is_off: boolean; readonly reason: string | null }

const select = `select is_off, reason from switches where name = 'payouts'`
/** Equals the condition of the index transfers_payouts_alive. */
export const IS_PAYOUT = `purpose in ('release', 'refund', 'withdrawal', 'return')`

/** Without the row the operator's wish is unknown: payouts are paused. */
const readSwitch = async (connection: Connection, text: string): Promise<PayoutsSwitch> => {
  const row = await connection.first<SwitchRow>(text)
  return { paused: row?.is_off ?? true, reason: row?.reason ?? null }
}

export const payoutReads = (connection: Connection): PayoutReads => ({
  payoutsPaused: () => readSwitch(connection, select),
  async queuedPayouts() {
    const text = `select count(*)::int as count, coalesce(sum(amount), 0) as atomic from transfers where state = 'intended' and ${IS_PAYOUT}`
    const row = await connection.first<{ count: number; atomic: bigint }>(text)
    return row ?? { count: 0, atomic: 0n }
  },
})

export const payoutWrites = (connection: Connection): PayoutWrites => ({
  async pausePayouts(paused, reason) {
    await connection.change(`update switches set is_off = $1, reason = $2 where name = 'payouts'`, [paused, reason])
  },
  lockPayouts: () => readSwitch(connection, `${select} for no key update`),
  async atomicPaidOut(validAfterSecond, exceptTransferId) {
    const text = `select coalesce(sum(amount), 0) as atomic from transfers where valid_before > $1 and ${IS_PAYOUT} and id <> $2`
    const row = await connection.first<{ atomic: bigint }>(text, [validAfterSecond, exceptTransferId])
    return row?.atomic ?? 0n
  },
  hastenPayouts: (now) =>
    connection.change(`update transfers set next_attempt_at = $1 where state = 'intended' and ${IS_PAYOUT}`, [
      isoTime(now),
    ]),
})
