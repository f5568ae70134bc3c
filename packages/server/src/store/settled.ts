import type { TaskCategory } from '@guildhall/protocol'
import { isoTime } from '../domain/instant.ts'
import type { Stage } from '../domain/settled/stage-times.ts'
import type { Hex } from '../domain/transfer/transfer.ts'
import type { SettledReads } from '../ports/settled-store.ts'
import type { Connection } from './connection.ts'
import { isPaid } from './settled-population.ts'

/** A cursor without a task id has an empty one, which sorts before every task of that moment. */
const page = `
select t.id, t.title, t.category, t.bounty_amount, t.bounty_network, t.created_at, t.claimed_at, t.first_submitted_at,
  t.settled_at, coalesce(t.escrow_release_tx, t.payment_tx) as tx_hash, t.claimed_by, deliverer.name as deliverer_name,
  coalesce(poster.house, false) as sponsored
from tasks t
join agents deliverer on deliverer.id = t.claimed_by
left join agents poster on poster.id = t.creator_id and t.creator_kind = 'agent'
where ${isPaid('t')} and (t.settled_at, t.id) < ($1::timestamptz, $2)
order by t.settled_at desc, t.id desc
limit $3`

const milliseconds = (from: string, to: string): string =>
  `array_agg((date_part('epoch', t.${to} - t.${from}) * 1000)::bigint) filter (where t.${to} >= t.${from})`

const samples = `
select floor(date_part('epoch', t.settled_at) / 86400)::int as day, count(*)::int as tasks,
  ${milliseconds('created_at', 'settled_at')}::text as paid,
  ${milliseconds('created_at', 'claimed_at')}::text as claim,
  ${milliseconds('claimed_at', 'first_submitted_at')}::text as delivery,
  ${milliseconds('first_submitted_at', 'verified_at')}::text as review
from tasks t
where ${isPaid('t')} and t.settled_at >= $1 and t.settled_at < $2
group by 1`

type SettledRow = {
  readonly id: string
  readonly title: string
  readonly category: TaskCategory | null
  readonly bounty_amount: bigint
  readonly bounty_network: string
  readonly created_at: number
  readonly claimed_at: number | null
  readonly first_submitted_at: number | null
  readonly settled_at: number
  readonly tx_hash: Hex
  readonly claimed_by: string
  readonly deliverer_name: string
  readonly sponsored: boolean
}

type SamplesRow = { readonly day: number; readonly tasks: number } & { readonly [S in Stage]: string | null }

const END_OF_TIME = '9999-12-31T23:59:59.999Z'

export const settledReads = (connection: Connection): SettledReads => ({
  async settledTasks(after, limit) {
    const place = after === null ? [END_OF_TIME, ''] : [isoTime(after.settledAt), after.taskId ?? '']
    const rows = await connection.rows<SettledRow>(page, [...place, limit])
    return rows.map((row) => ({
      id: row.id,
      title: row.title,
      category: row.category,
      bounty: { amount: row.bounty_amount, network: row.bounty_network },
      deliverer: { id: row.claimed_by, name: row.deliverer_name },
      sponsored: row.sponsored,
      createdAt: row.created_at,
      claimedAt: row.claimed_at,
      firstSubmittedAt: row.first_submitted_at,
      settledAt: row.settled_at,
      txHash: row.tx_hash,
    }))
  },
  async stageSamples(from, to) {
    const period = [isoTime(from), to === null ? END_OF_TIME : isoTime(to)]
    const rows = await connection.rows<SamplesRow>(samples, period)
    return new Map(rows.map(({ day, tasks, ...row }) => [day, { tasks, ...sortedSamples(row) }]))
  },
})

const sortedSamples = ({ paid, claim, delivery, review }: Readonly<Record<Stage, string | null>>) => ({
  paid: sorted(paid),
  claim: sorted(claim),
  delivery: sorted(delivery),
  review: sorted(review),
})

/** From the text of an array, such as {3,1,2}. */
const sorted = (array: string | null): Float64Array =>
  array === null ? new Float64Array() : Float64Array.from(array.slice(1, -1).split(','), Number).sort()
