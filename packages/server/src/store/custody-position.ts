import type { Account } from '../domain/journal/posting.ts'
import type { CustodyReads, CustodyWrites } from '../ports/custody-store.ts'
import type { Connection } from './connection.ts'
import { IS_PAYOUT } from './payouts.ts'

/** The balance of an account from the tallies. */
const balanceOf = (account: Account): string => `(
    select coalesce(sum(amount), 0) from (
      select amount from tallies where topic = 'balance' and item = $1 || ' ${account}'
      union all
      select change from tally_changes where topic = 'balance' and item = $1 || ' ${account}'
    ) parts
  )`

/** In the same snapshot as the open movements. */
const position = `
select
  ${balanceOf('wallet')} as journal,
  ${balanceOf('house')} as house,
  (
    select coalesce(sum(amount), 0) from transfers
    where network = $1 and state = 'intended' and purpose in ('deposit', 'bond')
  ) as under_way,
  coalesce(sum(signed) filter (where proven and not booked and transfer_id is not null), 0) as not_booked,
  coalesce(sum(signed) filter (where booked and not proven and (block_number > $2 or is_final is false)), 0) as not_proven
from (
  select m.booked, m.proven, m.transfer_id, m.block_number, t.is_final,
    case when m.incoming then m.amount else -m.amount end as signed
  from wallet_movements m
  left join transfers t on t.id = m.transfer_id
  where m.network = $1 and not (m.booked and m.proven)
) open`

/** Of the transfers only those that are open are searched: any other condition might draw in an index of all. */
export const leastHeld = `
select
  ${balanceOf('wallet')} + greatest(0, -${balanceOf('house')})
  - (
    select coalesce(sum(case when incoming then amount else -amount end), 0) from wallet_movements
    where network = $1 and booked and not proven and block_number > $2
  )
  - (
    select coalesce(sum(amount) filter (where network = $1 and ${IS_PAYOUT} and valid_before > 0 and id <> $3), 0)
    from transfers where state = 'intended'
  ) as atomic`

type PositionRow = Readonly<Record<'journal' | 'house' | 'not_booked' | 'not_proven' | 'under_way', bigint>>

export const positionReads = (connection: Connection): Pick<CustodyReads, 'leastHeld'> => ({
  async leastHeld(network, block, exceptTransferId) {
    const row = await connection.first<{ atomic: bigint }>(leastHeld, [network, block, exceptTransferId])
    return row?.atomic ?? 0n
  },
})

export const positionWrites = (connection: Connection): Pick<CustodyWrites, 'custodyPosition'> => ({
  async custodyPosition(network, block) {
    const row = await connection.first<PositionRow>(position, [network, block])
    if (row === null) throw new Error('PostgreSQL added up nothing.')
    const { journal, house, not_booked: notBooked, not_proven: notProven, under_way: underWay } = row
    return { journal, house, notBooked, notProven, underWay }
  },
})
